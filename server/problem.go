package server

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"syscall"

	"bayes/internal/oneline"
	"bayes/store"
)

// writeProblem answers with err, which is a *problem or is taken for a fault of
// the server's own.
func (s *Server) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	var p *problem
	if !errors.As(err, &p) {
		p = s.fault(r, err)
	}
	b, err := json.Marshal(p)
	if err != nil {
		s.log.Error("a problem could not be written", "err", err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	w.Write(append(b, '\n')) // a client that is gone needs no answer
}

// fault logs an error that is the server's own, and returns the problem that says no
// more of it.
func (s *Server) fault(r *http.Request, err error) *problem {
	s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "err", err)
	return fail(http.StatusInternalServerError, "the server failed; its log says why")
}

// ofStore returns the problem that tells a client of an error of a store, or of its disk.
// What the error says in full, such as the names of files, is for the log.
func ofStore(err error) error {
	const goesOn = "; predicting goes on"
	switch {
	case errors.Is(err, store.ErrMemory):
		return fail(http.StatusInsufficientStorage, "%s"+goesOn, oneLine(err))
	case errors.Is(err, store.ErrInvalid):
		return fail(http.StatusUnprocessableEntity, "%s", oneLine(err))
	case errors.Is(err, store.ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fail(http.StatusInsufficientStorage, "not learned: no space is left"+goesOn)
	case errors.Is(err, store.ErrReadOnly), errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fail(http.StatusServiceUnavailable, "not learned: the store cannot be written to"+goesOn)
	case errors.Is(err, store.ErrUnavailable):
		return fail(http.StatusServiceUnavailable, "not acknowledged: the log cannot be reached"+goesOn)
	case errors.Is(err, store.ErrClock):
		return fail(http.StatusServiceUnavailable, "not learned: %s"+goesOn, oneLine(err))
	case errors.Is(err, store.ErrClosed):
		return fail(http.StatusServiceUnavailable, "not learned: the server is shutting down")
	case errors.Is(err, store.ErrLost), errors.Is(err, store.ErrCorrupt):
		return fail(http.StatusServiceUnavailable, "not learned: the log is damaged, the server's log says how"+goesOn)
	}
	return err
}

// ofBody returns the problem that says why a request's body could not be read, nil for nil.
func ofBody(err error) *problem {
	if err == nil {
		return nil
	}
	var (
		large   *http.MaxBytesError
		timeout net.Error
	)
	switch {
	case errors.As(err, &large):
		return fail(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", large.Limit)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fail(http.StatusRequestTimeout, "the body came too slowly")
	}
	return fail(http.StatusBadRequest, "the body could not be read: %s", oneLine(err))
}

// oneLine returns err's text in one line, without the prefixes of packages.
func oneLine(err error) string { return oneline.Of(err, "bayes", "store", "server") }

// whyNotLearning returns why learning does not work, for a client to read: of the
// log nothing that is the server's own, such as the names of files.
func whyNotLearning(st store.Status) string {
	switch {
	case errors.Is(st.Log, store.ErrCorrupt), errors.Is(st.Log, store.ErrLost):
		return "the log is damaged; the server's log says how"
	case st.Log != nil:
		return "the log cannot be reached or written to"
	case st.Fit != nil:
		return "the model cannot be fitted to what it has learned: " + oneLine(st.Fit)
	}
	return ""
}

// whyBroken returns why a model cannot be used, for a client to read.
func whyBroken(err error) string {
	switch {
	case errors.Is(err, store.ErrCorrupt):
		return "its store is damaged"
	case errors.Is(err, store.ErrLost):
		return "its log has lost events, or belongs to another store"
	case errors.Is(err, store.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return "its store cannot be read"
	}
	return "its store cannot be opened"
}
