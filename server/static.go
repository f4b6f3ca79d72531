package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the reference's style and script
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// pagePolicy lets a page load what this server offers, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed reference.css
var referenceStyle []byte

//go:embed reference.js
var referenceScript []byte

// static sets up the routes of what does not change while the server runs: the
// OpenAPI document, the reference, the files of the page. All are read now, so
// that no request names a file.
func (s *Server) static(page fs.FS) error {
	document, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		return err
	}
	reference, err := referencePage(document)
	if err != nil {
		return err
	}
	s.file("/openapi.json", "application/json", document)
	s.file("/docs", "text/html; charset=utf-8", reference)
	s.file("/docs/style.css", "text/css; charset=utf-8", referenceStyle)
	s.file("/docs/try.js", "text/javascript; charset=utf-8", referenceScript)
	if page == nil {
		s.file("/{$}", "text/html; charset=utf-8", reference)
	} else if err := s.files(page); err != nil {
		return err
	}
	s.mux.HandleFunc("/", s.notFound)
	return nil
}

// files sets up the routes of a page's files.
func (s *Server) files(page fs.FS) error {
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
		s.file(route, typeOf(name, data), data)
		return nil
	})
}

func typeOf(name string, data []byte) string {
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

// file sets up the route of one file.
func (s *Server) file(route, contentType string, data []byte) {
	sum := sha256.Sum256(data)
	tag := fmt.Sprintf(`"%x"`, sum[:16])
	s.mux.HandleFunc("GET "+route, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
}

// notFound answers requests that no route takes.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	// The same path by another method tells a wrong method from a wrong path.
	var allowed []string
	for _, method := range []string{"GET", "POST", "PUT"} {
		other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := s.mux.Handler(other); pattern != "/" && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		s.writeProblem(w, r, fail(http.StatusNotFound, "no such page: %.100q", strings.ToValidUTF8(r.URL.Path, "�")))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.writeProblem(w, r, fail(http.StatusMethodNotAllowed, "%.20s: want %s", r.Method, strings.Join(allowed, " or ")))
}
