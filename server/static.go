package server

import (
	_ "embed" // the reference's style and script
	"encoding/json"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"bayes/internal/webpage"
)

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
	} else if err := webpage.Route(page, func(pattern string, h http.HandlerFunc) { s.mux.HandleFunc(pattern, h) }); err != nil {
		return err
	}
	s.mux.HandleFunc("/", s.notFound)
	return nil
}

// file sets up the route of one file.
func (s *Server) file(route, contentType string, data []byte) {
	s.mux.HandleFunc("GET "+route, webpage.File(contentType, data))
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
