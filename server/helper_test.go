package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"bayes"
	"bayes/server"
	"bayes/store"
)

const (
	asJSON  = "application/json"
	asLines = "application/x-ndjson"
	asBytes = "application/octet-stream"
)

// mail is what the model called mail begins with.
var mail = []bayes.Example{
	{Label: "spam", Text: "win a free prize now"},
	{Label: "spam", Text: "free money win"},
	{Label: "ham", Text: "see you at lunch"},
	{Label: "ham", Text: "the meeting is at noon"},
}

func counts(examples ...bayes.Example) *bayes.Counts {
	c := bayes.NewCounts(nil)
	for _, ex := range examples {
		c.Learn(ex)
	}
	return c
}

// quiet logs nothing.
var quiet = slog.New(slog.DiscardHandler)

// A site is a server under test, with the model called mail.
type site struct {
	t       testing.TB
	catalog *server.Catalog
	server  *server.Server
	token   string
}

func newSite(t testing.TB, c *bayes.Counts, em bayes.EventModel, opts server.Options) *site {
	t.Helper()
	catalog := server.NewCatalog(&server.CatalogOptions{Dir: t.TempDir(), Store: store.Options{Log: opts.Log}, Recent: 5})
	if _, err := catalog.Add(t.Context(), "mail", "", c, em); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := catalog.Close(); err != nil {
			t.Error(err)
		}
	})
	if opts.Log == nil {
		opts.Log = quiet
	}
	s, err := server.New(catalog, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return &site{t: t, catalog: catalog, server: s}
}

// listen serves on a port of its own until the test ends, and returns its
// address.
func (s *site) listen() string {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.server.Serve(ctx, l) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	return l.Addr().String()
}

// An answer is what a request came to.
type reply struct {
	Status int
	Header http.Header
	Body   string
}

// recorderOf answers a request without a network.
type recorderOf struct {
	status int
	header http.Header
	sent   http.Header // header as it was when the status was written
	body   bytes.Buffer
}

func (w *recorderOf) Header() http.Header { return w.header }
func (w *recorderOf) WriteHeader(status int) {
	if w.status == 0 {
		w.status, w.sent = status, w.header.Clone()
	}
}
func (w *recorderOf) Write(b []byte) (int, error) { w.WriteHeader(200); return w.body.Write(b) }

// send sends a request made elsewhere.
func (s *site) send(r *http.Request) reply {
	if s.token != "" && r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	w := &recorderOf{header: make(http.Header)}
	s.server.ServeHTTP(w, r)
	return reply{w.status, w.sent, w.body.String()}
}

func (s *site) do(method, target, contentType string, body io.Reader) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://localhost"+target, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return s.send(r)
}

func (s *site) get(target string) reply { s.t.Helper(); return s.do("GET", target, "", nil) }

func (s *site) post(target, body string) reply {
	s.t.Helper()
	return s.do("POST", target, asJSON, strings.NewReader(body))
}

// want fails unless a request came to a status.
func (s *site) want(status int, got reply) reply {
	s.t.Helper()
	if got.Status != status {
		s.t.Fatalf("status %d, want %d: %s", got.Status, status, got.Body)
	}
	return got
}

// decode decodes an answer.
func decode[T any](t testing.TB, body string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return v
}

// snapshot returns the file of the model called mail.
func (s *site) snapshot() []byte {
	s.t.Helper()
	return []byte(s.want(200, s.get("/v1/models/mail/snapshot")).Body)
}

// logTo returns a logger that writes all it is told.
func logTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
