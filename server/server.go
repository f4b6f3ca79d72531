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
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/budget"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/time/rate"
)

// How the files build on each other:
//
//	new routes openapi static              makes a Server: its routes, and the document that describes them
//	predict stream explain learn           the routes that take documents
//	uncertain history                      the routes of what people correct
//	recent doubts                          what is remembered of predictions
//	models health transfer metrics         the routes about models
//	measure train search found table       labelled records that are sent as CSV
//	guard recorder token problem           around every route: who may ask, what is answered when not
//	body linebuffer record content memory  requests as bytes and as documents, and the memory that they hold
//	catalog folder kept served             the models, and where they are kept

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
	searching sync.Mutex     // held while settings are searched for
	stopping  atomic.Bool
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

// newLimiter returns a limiter for a number of requests a second, nil for zero.
func newLimiter(perSecond float64) *rate.Limiter {
	if perSecond <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond)))
}
