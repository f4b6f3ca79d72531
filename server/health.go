package server

import (
	"context"
	"net/http"

	"bayes/store"
)

type health struct {
	Body struct {
		Status string `json:"status"`
	}
}

// healthz answers as long as the process does.
func (s *Server) healthz(context.Context, *struct{}) (*health, error) {
	out := new(health)
	out.Body.Status = "ok"
	return out, nil
}

type readiness struct {
	Body struct {
		Status   string            `json:"status"`
		Learning map[string]string `json:"learning" doc:"Of each model, whether learning works: ok, stale or unavailable, where predicting goes on; broken, where nothing does"`
	}
}

// readyz answers whether requests should be sent here: not while the server
// stops, nor where there are models and all of them are broken. A log that cannot be
// reached is no reason, since predicting goes on. Anyone may ask, so it gives no
// reasons, which may quote labels.
func (s *Server) readyz(context.Context, *struct{}) (*readiness, error) {
	if s.stopping.Load() {
		return nil, fail(http.StatusServiceUnavailable, "the server is shutting down")
	}
	out := new(readiness)
	out.Body.Status, out.Body.Learning = "ready", make(map[string]string)
	works := 0
	entries := *s.catalog.entries.Load()
	for name, e := range entries {
		if e.broken != nil {
			out.Body.Learning[name] = broken
			continue
		}
		works++
		out.Body.Learning[name] = learning(e.live.Load().store.Status())
	}
	if works == 0 && len(entries) > 0 {
		return nil, fail(http.StatusServiceUnavailable, "all models are broken; the server's log says why")
	}
	return out, nil
}

// What a model can do.
const (
	ok          = "ok"
	stale       = "stale"       // the latest counts cannot be fitted, so an older model predicts
	unavailable = "unavailable" // events cannot be applied, or not acknowledged
	broken      = "broken"      // there is no store
)

// learning returns whether learning works.
func learning(st store.Status) string {
	switch {
	case st.Log != nil:
		return unavailable
	case st.Fit != nil:
		return stale
	}
	return ok
}
