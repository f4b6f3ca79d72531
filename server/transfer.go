package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"bayes"
)

const octets = "application/octet-stream"

// snapshot answers with the model's file, with all that has been acknowledged so
// far.
func (s *Server) snapshot(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	if err := s.transfer(); err != nil {
		return err
	}
	defer s.transferred()
	var b bytes.Buffer
	seq, err := e.live.Load().store.Snapshot(&b)
	if err != nil {
		return err
	}
	s.extend(w)
	h := w.Header()
	h.Set("Content-Type", octets)
	h.Set("Content-Length", itoa(b.Len()))
	h.Set("Content-Disposition", `attachment; filename="model.nb"`)
	h.Set("Bayes-Sequence", strconv.FormatUint(seq, 10))
	s.audit(w, r, "download", e.name, "sequence", seq, "bytes", b.Len())
	w.Write(b.Bytes()) // a client that is gone needs no answer
	return nil
}

// upload makes the body the model, in place of the one that has the name.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	if err := s.transfer(); err != nil {
		return err
	}
	defer s.transferred()
	s.extend(w)
	var b bytes.Buffer
	if _, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, s.opts.Limits.Model)); err != nil {
		return ofBody(err)
	}
	counts, em, err := bayes.Load(&b, s.opts.Languages...)
	if err != nil {
		return fail(http.StatusUnprocessableEntity, "not a model: %s", oneLine(err))
	}
	if _, err := bayes.Fit(counts, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return fail(http.StatusUnprocessableEntity, "the model cannot be used: %s", oneLine(err))
	}
	name := r.PathValue("model")
	replaced, err := s.catalog.Replace(r.Context(), name, counts, em)
	switch {
	case errors.Is(err, ErrName):
		return fail(http.StatusUnprocessableEntity, "%s", oneLine(ErrName))
	case errors.Is(err, ErrShared), errors.Is(err, ErrNoRoom):
		return fail(http.StatusConflict, "%s", oneLine(err))
	case err != nil:
		s.log.Error("upload failed", "model", name, "err", err)
		return ofStore(err)
	}
	action := "create"
	if replaced {
		action = "replace"
	}
	s.audit(w, r, action, name, "documents", counts.Examples(), "terms", counts.Len())
	e, err := s.entryNamed(name)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if !replaced {
		status = http.StatusCreated
	}
	return writeJSON(w, status, e.info())
}

// remove deletes a model.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("model")
	deleted, err := s.catalog.Delete(name)
	if deleted {
		s.audit(w, r, "delete", name)
	}
	switch {
	case errors.Is(err, ErrShared):
		return fail(http.StatusConflict, "%s", oneLine(err))
	case errors.Is(err, ErrLeft):
		s.log.Error("files are left", "model", name, "err", err)
		return fail(http.StatusInternalServerError, "the model is deleted, but files of it are left, which the next start removes; the server's log says why")
	case err != nil:
		return err
	case !deleted:
		return noModel(name)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// transfer begins an upload or a download, which holds a whole model in memory,
// and so must not be one of many.
func (s *Server) transfer() error {
	select {
	case s.transfers <- struct{}{}:
		return nil
	default:
		return fail(http.StatusTooManyRequests, "%d models are being uploaded or downloaded already", cap(s.transfers))
	}
}

func (s *Server) transferred() { <-s.transfers }

// extend gives a request the time of a transfer.
func (s *Server) extend(w http.ResponseWriter) {
	rc, until := http.NewResponseController(w), time.Now().Add(s.opts.Timeouts.Transfer)
	rc.SetReadDeadline(until) // http.ErrNotSupported outside a real server
	rc.SetWriteDeadline(until)
}

// writeJSON answers with a status and v.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	w.Header()["Content-Type"] = jsonType
	w.WriteHeader(status)
	w.Write(b.Bytes()) // a client that is gone needs no answer
	return nil
}
