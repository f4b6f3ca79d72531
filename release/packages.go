package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// unitFile is the unit of systemd, which docs/operations.md shows.
const unitFile = "bayes.service"

// packages makes a package for Debian and one for RPM, which nfpm.yaml describes.
func (r *maker) packages(t target, v variant, program string) error {
	if err := r.compress(); err != nil {
		return err
	}
	values := map[string]string{
		"NAME": v.name, "VERSION": r.version, "ARCH": t.arch, "SUMMARY": v.summary, "PROGRAM": program, "ROOT": r.root, "STAGE": r.stage,
		"MAINTAINER": cmp.Or(os.Getenv("MAINTAINER"), "The authors of bayes <root@localhost>"),
	}
	if v.tags != "" { // one takes the other's place
		values["INSTEAD"] = variants[0].name
	} else {
		values["INSTEAD"] = variants[1].name
	}
	for _, format := range []string{"deb", "rpm"} {
		config, err := nfpm.ParseFileWithEnvMapping("nfpm.yaml", func(name string) string { return values[name] })
		if err != nil {
			return err
		}
		info, err := config.Get(format)
		if err != nil {
			return err
		}
		info.MTime = r.day
		info = nfpm.WithDefaults(info)
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		err = r.write(packager.ConventionalFileName(info), func(w io.Writer) error { return packager.Package(info, w) })
		if err != nil {
			return err
		}
	}
	return nil
}

// compress makes the manual pages and the long texts as packages have them, once.
func (r *maker) compress() error {
	to := filepath.Join(r.stage, "compressed")
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	pages, err := os.ReadDir(filepath.Join(r.stage, pagesFolder))
	if err != nil {
		return err
	}
	files := map[string]string{"doc/NOTICE.gz": filepath.Join(r.root, "NOTICE"), "doc/changelog.gz": filepath.Join(r.root, "CHANGELOG.md")}
	for _, page := range pages {
		files[filepath.Join("man", page.Name()+".gz")] = filepath.Join(r.stage, pagesFolder, page.Name())
	}
	for name, source := range files {
		data, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := z.Write(data); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(to, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
