package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A file is what an archive holds.
type file struct {
	name, source string
	mode         os.FileMode
}

// fileName returns what the files of a variant for a system are called.
func (r *maker) fileName(t target, v variant) string {
	return v.name + "_" + r.version + "_" + t.system + "_" + t.arch
}

// archive packs a program with its terms, manual pages and completions.
func (r *maker) archive(t target, v variant, program string) error {
	folder, suffix := r.fileName(t, v), ""
	if t.system == "windows" {
		suffix = ".exe"
	}
	files := []file{{path.Join(folder, "bayes"+suffix), program, 0o755}}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md"} {
		files = append(files, file{path.Join(folder, name), filepath.Join(r.root, name), 0o644})
	}
	if t.system == "linux" {
		files = append(files, file{path.Join(folder, unitFile), unitFile, 0o644})
	}
	for _, made := range []string{completionsFolder, pagesFolder} {
		entries, err := os.ReadDir(filepath.Join(r.stage, made))
		if err != nil {
			return err
		}
		for _, e := range entries {
			files = append(files, file{path.Join(folder, made, e.Name()), filepath.Join(r.stage, made, e.Name()), 0o644})
		}
	}
	if t.system == "windows" {
		return r.write(folder+".zip", func(w io.Writer) error { return r.zip(w, files) })
	}
	return r.write(folder+".tar.gz", func(w io.Writer) error { return r.tar(w, files) })
}

// write writes a file that is published.
func (r *maker) write(name string, content func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return writeFile(filepath.Join(r.out, name), b.Bytes(), 0o644)
}

func (r *maker) tar(w io.Writer, files []file) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		data, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		head := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: r.day, Uname: "root", Gname: "root", Format: tar.FormatPAX}
		if err := t.WriteHeader(head); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func (r *maker) zip(w io.Writer, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.source)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.day}
		head.SetMode(f.mode)
		to, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := to.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// sum writes SHA256SUMS, which sha256sum -c reads.
func (r *maker) sum() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			continue // of the container, whose programs are those of the archives
		}
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return writeFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
