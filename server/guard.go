package server

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"bayes/internal/connlimit"
	"bayes/internal/webpage"
)

// Headers of the API, which is for no browser to show.
var (
	apiPolicy   = []string{"default-src 'none'; frame-ancestors 'none'"}
	noStore     = []string{"no-store"}
	onlyByHTTPS = []string{"max-age=31536000"}
)

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec := &recorder{ResponseWriter: w, share: share{memory: s.memory}}
	start := time.Now()
	// At the end the memory is given back and the request counted, even if its handler panicked.
	defer func() {
		rec.share.release()
		if v := recover(); v != nil {
			s.recovered(rec, r, v)
		}
		s.metrics.observe(r, rec.status, time.Since(start))
		s.log.Debug("request", "method", r.Method, "path", r.URL.Path, "status", rec.status, "seconds", time.Since(start).Seconds(), "remote", r.RemoteAddr)
	}()
	h := rec.Header()
	for name, value := range webpage.Header {
		h[name] = value
	}
	h["Content-Security-Policy"] = apiPolicy
	h["Cache-Control"] = noStore
	if r.TLS != nil {
		h["Strict-Transport-Security"] = onlyByHTTPS
	}
	if p := s.screen(r); p != nil {
		s.writeProblem(rec, r, p)
		return
	}
	s.mux.ServeHTTP(rec, r)
}

// screen returns a problem if a request should not even be routed.
func (s *Server) screen(r *http.Request) *problem {
	if p := r.URL.Path; p == "" || p[0] != '/' || len(p) > 1 && path.Clean(p) != strings.TrimSuffix(p, "/") {
		return fail(http.StatusNotFound, "no such page: the path is not in its shortest form")
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil { // [url.URL.Query] would leave out what it cannot read
		return fail(http.StatusUnprocessableEntity, "the query of the URL: %v; a semicolon is written %%3B", err)
	}
	if !webpage.AnswersTo(s.opts.Hosts, r.Host) {
		return fail(http.StatusMisdirectedRequest, "this server does not answer to the name %.100q", r.Host)
	}
	if err := s.crossSite.Check(r); err != nil {
		return fail(http.StatusForbidden, "a page of another site may not ask for this")
	}
	return nil
}

// recovered answers where a handler panicked.
func (s *Server) recovered(w *recorder, r *http.Request, v any) {
	if v == http.ErrAbortHandler {
		panic(v)
	}
	s.panicked(v, "method", r.Method, "path", r.URL.Path)
	if w.status == 0 {
		s.writeProblem(w, r, fail(http.StatusInternalServerError, "the server failed; its log says why"))
	}
}

// panicked notes a fault of the program.
func (s *Server) panicked(v any, attrs ...any) {
	s.metrics.panics.Inc()
	s.log.Error("panic", append(attrs, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))...)
}

// A handler answers a request, or returns a *problem.
type handler func(w http.ResponseWriter, r *http.Request) error

// guard returns a handler of requests that need scopes and have a body of one of
// the media types. No scopes are anyone's; no types mean no body.
func (s *Server) guard(scopes []Scope, types []string, h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := s.admit(w, r, scopes)
		if err == nil && len(types) > 0 && !slices.Contains(types, mediaType(r)) {
			err = fail(http.StatusUnsupportedMediaType, "the Content-Type must be %s, not %.100q", strings.Join(types, " or "), r.Header.Get("Content-Type"))
		}
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			if w.(*recorder).status != 0 { // a part of the answer is on its way: it must not look whole
				panic(http.ErrAbortHandler)
			}
			s.writeProblem(w, r, err)
		}
	}
}

// admit returns a problem unless the request may do what needs scopes, now.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, scopes []Scope) error {
	if len(scopes) == 0 {
		return nil
	}
	// Who asks: without tokens an address, else the token that the request bears.
	limiter, holder := s.anyone, ""
	if tokens := *s.tokens.Load(); len(tokens) == 0 {
		holder = connlimit.Address(r.RemoteAddr)
	} else {
		header := r.Header.Get("Authorization")
		if header == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			return fail(http.StatusUnauthorized, "a bearer token is wanted: Authorization: Bearer ...")
		}
		kind, secret, _ := strings.Cut(header, " ")
		t := find(tokens, strings.TrimSpace(secret))
		if t == nil || !strings.EqualFold(kind, "Bearer") {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			return fail(http.StatusUnauthorized, "the token is not known")
		}
		for _, scope := range scopes {
			if t.Allows(scope) {
				continue
			}
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+string(scope)+`"`)
			s.log.Info("audit", "action", "refused", "token", t.Name, "needs", string(scope), "method", r.Method, "path", r.URL.Path, "remote", r.RemoteAddr)
			return fail(http.StatusForbidden, "this needs a token of scope %s, and the token %q has %s", scope, t.Name, t.scopeList())
		}
		if rec, ok := w.(*recorder); ok {
			rec.token = t.Name
		}
		limiter, holder = t.limiter, t.Name
	}
	// Then whether there is room: for another request this second, and for what each holds.
	if limiter != nil && !limiter.Allow() {
		return fail(http.StatusTooManyRequests, "more than %v requests a second", s.opts.Rate)
	}
	connlimit.Admit(r.Context())
	h := shareOf(w)
	h.holder = holder
	if !h.try(s.memory.minHeld) {
		return fail(http.StatusServiceUnavailable, "requests hold all the memory that there is for them; ask again later")
	}
	return nil
}

// audit logs who changed or took what: the token's name and not its secret, how many
// documents and none of their texts. The remote address is that of the connection,
// and so a proxy's where there is one.
func (s *Server) audit(w http.ResponseWriter, r *http.Request, action, model string, attrs ...any) {
	s.log.Info("audit", append([]any{"action", action, "token", tokenOf(w), "model", model, "remote", r.RemoteAddr}, attrs...)...)
}
