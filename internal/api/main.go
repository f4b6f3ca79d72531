// Command api compares what programs can import of this repository with what they could import of
// the last release:
//
//	go run -C internal/api .            # fails where programs would break
//	go run -C internal/api . -renew     # with a release: what is there now is what is compared with
//
// The file baseline holds the last release's packages as the compiler's export data. What is new
// passes; what is gone or of another type does not, unless the baseline is renewed on purpose, and
// CHANGELOG.md says so.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("api: ")
	renew := flag.Bool("renew", false, "write the baseline")
	flag.Parse()
	if err := run(os.Stdout, filepath.Join("..", ".."), "baseline", *renew); err != nil {
		log.Fatal(err)
	}
}

// errIncompatible says that programs would break.
var errIncompatible = errors.New("programs that use the last release would break: keep what was there, or renew the baseline with -renew and say so in CHANGELOG.md")

// run compares the module in a folder with a baseline, or writes the baseline.
func run(w io.Writer, dir, baseline string, renew bool) error {
	now, err := load(dir)
	if err != nil {
		return err
	}
	if renew {
		return write(baseline, now)
	}
	last, err := read(baseline)
	if err != nil {
		return fmt.Errorf("%s: %w", baseline, err)
	}
	if last.Path != now.Path {
		return fmt.Errorf("%s is of the module %s, not of %s: check before a module is given another path, and write the baseline with -renew after", baseline, last.Path, now.Path)
	}
	report := apidiff.ModuleChanges(last, now)
	var broken bytes.Buffer
	if err := report.TextIncompatible(&broken, false); err != nil {
		return err
	}
	if broken.Len() == 0 {
		_, err := fmt.Fprintf(w, "%d packages: nothing that programs use is gone or changed\n", len(last.Packages))
		return err
	}
	if _, err := broken.WriteTo(w); err != nil {
		return err
	}
	return errIncompatible
}

// load returns the module in a folder, with the packages that programs can import.
func load(dir string) (*apidiff.Module, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:  dir,
	}, "./...")
	if err != nil {
		return nil, err
	}
	m := new(apidiff.Module)
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		if p.Module == nil {
			return nil, fmt.Errorf("%s is in no module", p.PkgPath)
		}
		m.Path = p.Module.Path
		if p.Name != "main" && !strings.Contains(p.PkgPath+"/", "/internal/") {
			m.Packages = append(m.Packages, p.Types)
		}
	}
	return m, nil
}

func write(name string, m *apidiff.Module) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(z, m.Path); err != nil {
		return err
	}
	if err := gcexportdata.WriteBundle(z, token.NewFileSet(), m.Packages); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

func read(name string) (*apidiff.Module, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(z)
	path, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	list, err := gcexportdata.ReadBundle(r, token.NewFileSet(), make(map[string]*types.Package))
	return &apidiff.Module{Path: strings.TrimSpace(path), Packages: list}, err
}
