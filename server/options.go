package server

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"reflect"
	"time"

	"bayes/text"
)

// Options are options for [New]. A nil *Options is the zero value.
type Options struct {
	Tokens    []Token          // who may do what; none means that everyone may do everything
	Rate      float64          // requests a second, by token; zero means no limit
	Hosts     []string         // names, without port, that the server answers to; none means any
	Languages []*text.Language // that uploaded models may name
	Page      fs.FS            // files to serve, index.html at / and others by their names, which must not be paths of the API
	Log       *slog.Logger     // nil means slog.Default()

	// Search finds the settings by which a table's model is best, and trains it, as bayes train --auto does. It
	// calls Tried, and ends early if ctx is done. Nil means that the server does not search.
	Search func(ctx context.Context, t TableSearch) (*FoundModel, error)

	Version  string // of the program, for the OpenAPI document
	Limits   Limits
	Timeouts Timeouts
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
	Transfer time.Duration // to upload or download a model: 10 min; each MiB has the time of a Body
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
