package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// list writes what a program was built from, in CycloneDX, as the program itself knows it.
func (r *maker) list(t target, v variant, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	main := cdx.Component{
		BOMRef: "bayes", Type: cdx.ComponentTypeApplication, Name: v.name, Version: r.version, Description: v.summary,
		Hashes:   &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}},
		Properties: &[]cdx.Property{
			{Name: "go:system", Value: t.String()}, {Name: "go:tags", Value: v.tags}, {Name: "go:version", Value: info.GoVersion},
		},
	}
	components := []cdx.Component{{
		BOMRef: "std", Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}
	refs := []string{"std"}
	for _, m := range info.Deps {
		c, err := component(m)
		if err != nil {
			return err
		}
		components, refs = append(components, c), append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.day.Format(time.RFC3339), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return r.write(r.fileName(t, v)+".cdx.json", func(w io.Writer) error {
		return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	})
}

// component returns a module, with its sum as in go.sum.
func component(m *debug.Module) (c cdx.Component, err error) {
	if m.Replace != nil {
		m = m.Replace
	}
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c = cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url}
	if hash, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
		sum, err := base64.StdEncoding.DecodeString(hash)
		if err != nil {
			return c, fmt.Errorf("the sum of %s: %w", m.Path, err)
		}
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	}
	return c, nil
}
