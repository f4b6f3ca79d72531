// Package server offers models over HTTP: to predict, to explain, and to go on
// learning.
//
//	catalog := server.NewCatalog(&server.CatalogOptions{Dir: "models"})
//	_, err := catalog.Add(ctx, "mail", "", counts, bayes.Multinomial{})
//	...
//	s, err := server.New(catalog, nil)
//	...
//	err = s.Serve(ctx, listener) // until ctx is done
//	...
//	err = catalog.Close()
//
// The interface is described by an OpenAPI 3.1 document, which the server itself
// offers at /openapi.json, and as a page at /docs. Errors are problems as RFC
// 9457 has them.
//
// # What a request can do
//
// A request names a model and never a file: names are looked up in the
// [Catalog]. Where [Options.Tokens] are given, a request must bear one with the
// scope that it needs. Requests that a browser sends for another site are
// refused, and so are those for another host name than [Options.Hosts]. Bodies,
// batches, texts and the time for each have limits.
package server

import (
	"cmp"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bayes/internal/budget"
	"bayes/text"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/time/rate"
)

// Options are options for [New]. A nil *Options is the zero value.
type Options struct {
	Tokens    []Token          // who may do what; none means that everyone may do everything
	Rate      float64          // requests a second, by token; zero means no limit
	Hosts     []string         // names, without port, that the server answers to; none means any
	Languages []*text.Language // that uploaded models may name
	Page      fs.FS            // files to serve, index.html at / and others by their names, which must not be paths of the API
	Log       *slog.Logger     // nil means slog.Default()
	Version   string           // of the program, for the OpenAPI document
	Limits    Limits
	Timeouts  Timeouts
}

// Limits are limits on what is asked. Zero values mean what they say they do.
type Limits struct {
	Body    int64 // bytes of a body, or of a line of a stream: 16 MiB
	Text    int   // bytes of a text: 1 MiB
	Batch   int   // documents in one body: 10,000
	Model   int64 // bytes of an uploaded model: 256 MiB
	Streams int   // NDJSON streams at once: 64
	Conns   int   // connections at once, of one address at most half of those that are left to it: 1,024

	// Memory is how many bytes bodies, answers and the work on them may take, all requests
	// together: 512 MiB.
	Memory int64
}

// Timeouts are limits on time. Zero values mean what they say they do.
type Timeouts struct {
	Header   time.Duration // to read a request's header: 5 s
	Body     time.Duration // to read a request as a whole, unless it is a stream or a model: 30 s
	Line     time.Duration // between the lines of a stream: 60 s
	Write    time.Duration // to write an answer, or a part of a stream: 30 s
	Transfer time.Duration // to upload or download a model, each MiB of which has the time of a Body: 10 min
	Idle     time.Duration // between requests: 2 min
	Drain    time.Duration // between saying at /readyz that the server stops and refusing connections: none
	Shutdown time.Duration // for requests to end after that: 10 s
}

// withDefaults returns o with its zero values replaced.
func (o *Options) withDefaults() *Options {
	if o == nil {
		o = new(Options)
	}
	d := *o
	d.Log = cmp.Or(d.Log, slog.Default())
	d.Version = cmp.Or(d.Version, "dev")
	l, t := &d.Limits, &d.Timeouts
	l.Body = cmp.Or(l.Body, 16<<20)
	l.Text = cmp.Or(l.Text, 1<<20)
	l.Batch = cmp.Or(l.Batch, 10_000)
	l.Model = cmp.Or(l.Model, 256<<20)
	l.Streams = cmp.Or(l.Streams, 64)
	l.Conns = cmp.Or(l.Conns, 1024)
	l.Memory = cmp.Or(l.Memory, 512<<20)
	t.Header = cmp.Or(t.Header, 5*time.Second)
	t.Body = cmp.Or(t.Body, 30*time.Second)
	t.Line = cmp.Or(t.Line, time.Minute)
	t.Write = cmp.Or(t.Write, 30*time.Second)
	t.Transfer = cmp.Or(t.Transfer, 10*time.Minute)
	t.Idle = cmp.Or(t.Idle, 2*time.Minute)
	t.Shutdown = cmp.Or(t.Shutdown, 10*time.Second)
	return &d
}

// A Server answers requests about the models of a [Catalog]. It is an
// [http.Handler]; [Server.Serve] adds what only a listener can.
type Server struct {
	catalog   *Catalog
	opts      *Options
	log       *slog.Logger
	mux       *http.ServeMux
	api       huma.API
	metrics   *metrics
	tokens    atomic.Pointer[[]Token]
	anyone    *rate.Limiter // of requests where there are no tokens
	crossSite *http.CrossOriginProtection
	memory    *memory
	streams   *budget.Budget // of NDJSON
	transfers *budget.Budget // snapshots and uploads that are going on
	whole     sync.Mutex     // held while a whole model is in memory that is no store's
	stopping  atomic.Bool
}

// check returns an error that names a number of o which is negative or none.
func (o *Options) check() error {
	if !(o.Rate >= 0) {
		return fmt.Errorf("server: Rate is %v", o.Rate)
	}
	for _, numbers := range []any{o.Limits, o.Timeouts} {
		v := reflect.ValueOf(numbers)
		for i := range v.NumField() {
			if f := v.Field(i); f.CanInt() && f.Int() < 0 {
				return fmt.Errorf("server: %s.%s is %v", v.Type().Name(), v.Type().Field(i).Name, f)
			}
		}
	}
	return nil
}

// New returns a Server. The catalog goes on being the caller's, who closes it
// when the server has stopped. An error is one of reading Options.Page, or names a
// number of the options that is negative.
func New(catalog *Catalog, opts *Options) (*Server, error) {
	opts = opts.withDefaults()
	if err := opts.check(); err != nil {
		return nil, err
	}
	s := &Server{
		catalog: catalog, opts: opts, log: opts.Log, mux: http.NewServeMux(), metrics: newMetrics(catalog),
		crossSite: http.NewCrossOriginProtection(), anyone: newLimiter(opts.Rate),
		memory: newMemory(opts.Limits.Memory, opts.Limits.Conns), streams: budget.New(int64(opts.Limits.Streams)), transfers: budget.New(4),
	}
	s.tokens.Store(new([]Token))
	s.SetTokens(opts.Tokens)
	s.describe()
	if err := s.static(opts.Page); err != nil {
		return nil, err
	}
	return s, nil
}

// SetTokens replaces Options.Tokens while the server runs. Requests that have been
// let in go on. A list that is empty lets everyone do everything.
func (s *Server) SetTokens(list []Token) {
	list = slices.Clone(list)
	for i := range list {
		list[i].limiter = newLimiter(s.opts.Rate)
		for _, old := range *s.tokens.Load() {
			if old.Name == list[i].Name && old.Hash == list[i].Hash {
				list[i].limiter = old.limiter // whose requests still count
			}
		}
	}
	s.tokens.Store(&list)
}

// newLimiter returns a limiter for so many requests a second, nil for zero.
func newLimiter(perSecond float64) *rate.Limiter {
	if perSecond <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond)))
}

// served is a model of the catalog and what is counted of its use.
type served struct {
	*entry
	*meters
}

// entry returns the model that a request names.
func (s *Server) entry(r *http.Request) (served, error) { return s.entryNamed(r.PathValue("model")) }

func (s *Server) entryNamed(name string) (served, error) {
	switch e := (*s.catalog.entries.Load())[name]; {
	case e == nil:
	case e.broken != nil:
		return served{}, fail(http.StatusServiceUnavailable, "the model %.100q is broken: %s; the server's log says more, and PUT or DELETE replaces it", name, whyBroken(e.broken))
	default:
		return served{e, s.metrics.of(name)}, nil
	}
	return served{}, noModel(name)
}

func noModel(name string) *problem {
	return fail(http.StatusNotFound, "no model is called %.100q", strings.ToValidUTF8(name, "�"))
}
