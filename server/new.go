package server

import (
	"net/http"

	"bayes/internal/budget"
)

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
	// SetTokens compares with the tokens before, and there must be some list.
	s.tokens.Store(new([]Token))
	s.SetTokens(opts.Tokens)
	s.describe()
	if err := s.static(opts.Page); err != nil {
		return nil, err
	}
	return s, nil
}
