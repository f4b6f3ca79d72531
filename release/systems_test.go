package main

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Everything compiles for every system, as far as types say: all packages, with their tests and
// what they import, are read for each. The first system is the one that go vet has read.
func TestSystems(t *testing.T) {
	t.Parallel()
	for _, target := range targets[1:] {
		t.Run(target.system+"-"+target.arch, func(t *testing.T) {
			list, err := packages.Load(&packages.Config{
				Mode:  packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
				Dir:   "..",
				Env:   append(os.Environ(), "GOOS="+target.system, "GOARCH="+target.arch, "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-pgo=off"),
				Tests: true,
			}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			if len(list) < 50 {
				t.Errorf("only %d packages", len(list))
			}
			packages.Visit(list, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Error(err)
				}
			})
		})
	}
}
