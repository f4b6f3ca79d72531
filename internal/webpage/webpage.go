// Package webpage has what the project's web pages share: the style, the modules that make elements, say
// sentences in three languages and ask the server, and the headers under which all files are sent.
package webpage

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed files
var files embed.FS

// With returns the files of a page: its own, in the folder files of own, and those that all pages share.
func With(own fs.FS) fs.FS { return union{sub(own), sub(files)} }

func sub(fsys fs.FS) fs.FS {
	s, err := fs.Sub(fsys, "files")
	if err != nil {
		panic("webpage: internal error: " + err.Error())
	}
	return s
}

// A union has the files of two folders, which have different names.
type union struct{ own, shared fs.FS }

// Open implements [fs.FS].
func (u union) Open(name string) (fs.File, error) {
	f, err := u.own.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return u.shared.Open(name)
	}
	return f, err
}

// ReadDir implements [fs.ReadDirFS].
func (u union) ReadDir(name string) ([]fs.DirEntry, error) {
	own, err := fs.ReadDir(u.own, name)
	if err != nil {
		return nil, err
	}
	shared, err := fs.ReadDir(u.shared, name)
	return append(own, shared...), err
}

// Policy is the Content-Security-Policy of a page: it loads what its server offers, and nothing else.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Header is in every answer, that of an API too.
var Header = http.Header{
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Frame-Options":              {"DENY"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
}

// AnswersTo reports whether a page that answers to some host names, or to any if there are none, answers to host, which may have a port.
func AnswersTo(names []string, host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return len(names) == 0 || slices.ContainsFunc(names, func(s string) bool { return strings.EqualFold(s, name) })
}

// TypeOf returns the Content-Type of a file.
func TypeOf(name string, data []byte) string {
	switch path.Ext(name) { // not all systems know these alike
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return http.DetectContentType(data)
}

// File answers with data, which a browser may keep and asks about each time.
func File(contentType string, data []byte) http.HandlerFunc {
	sum := sha256.Sum256(data)
	tag := fmt.Sprintf(`"%x"`, sum[:16])
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Security-Policy", Policy)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}

// Route calls handle with the pattern and the handler of each file of a page. All files are read now, so that no
// request names one.
func Route(page fs.FS, handle func(pattern string, h http.HandlerFunc)) error {
	return fs.WalkDir(page, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		route := "/" + name
		if name == "index.html" {
			route = "/{$}"
		}
		handle("GET "+route, File(TypeOf(name, data), data))
		return nil
	})
}
