package server

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"bayes"
)

// snapshot answers with the model's file, with all that has been acknowledged so
// far. The file is made on disk first, so that a client that is slow holds no memory.
func (s *Server) snapshot(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	t, p := s.transfer(w, e.folder)
	if p != nil {
		return p
	}
	defer t.end()
	// One whole model at a time is in memory beside those of the stores.
	s.whole.Lock()
	seq, err := e.live.Load().store.Snapshot(t.file)
	if err != nil && t.elsewhere() == nil { // the disk is full
		seq, err = e.live.Load().store.Snapshot(t.file)
	}
	s.whole.Unlock()
	if err != nil {
		return err
	}
	size, err := t.rewind()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", octets)
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	h.Set("Content-Disposition", `attachment; filename="model.nb"`)
	h.Set("Bayes-Sequence", strconv.FormatUint(seq, 10))
	s.audit(w, r, "download", e.name, "sequence", seq, "bytes", size)
	return t.send(w, size)
}

// send sends the file. The last byte goes when the place of the transfer is free, so that a
// client that has received everything may ask again at once.
func (t *transfer) send(w http.ResponseWriter, size int64) error {
	var last [1]byte
	if _, err := t.file.ReadAt(last[:], size-1); err != nil {
		return err
	}
	if t.copy(w, io.LimitReader(t.file, size-1), http.NewResponseController(w).SetWriteDeadline) == nil { // or else the client is gone
		t.end()
		w.Write(last[:])
	}
	return nil
}

// upload makes the body the model, in place of the one that has the name: it is a model's file,
// or a table to train one from.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("model")
	if mediaType(r) == tableType {
		return s.train(w, r, name)
	}
	t, p := s.receive(w, r, s.catalog.folderOf(name))
	if p != nil {
		return p
	}
	defer t.end()
	replaced, p := s.replace(w, r, name, t)
	if p != nil {
		return p
	}
	e, err := s.entryNamed(name)
	if err != nil {
		return err
	}
	return writeJSON(w, createdUnless(replaced), e.info())
}

// createdUnless returns the status of a request that made a model.
func createdUnless(replaced bool) int {
	if replaced {
		return http.StatusOK
	}
	return http.StatusCreated
}

// receive writes a body of at most Limits.Model bytes to a file in a folder, so that a client
// that is slow holds no memory. From then on there is a Transfer's time for the answer.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, folder string) (*transfer, *problem) {
	if r.ContentLength > s.opts.Limits.Model {
		return nil, fail(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", s.opts.Limits.Model)
	}
	t, p := s.transfer(w, folder)
	if p != nil {
		return nil, p
	}
	rc := http.NewResponseController(w)
	if err := t.copy(t.file, http.MaxBytesReader(w, r.Body, s.opts.Limits.Model), rc.SetReadDeadline); err != nil {
		t.end()
		return nil, ofBody(err)
	}
	rc.SetWriteDeadline(time.Now().Add(s.opts.Timeouts.Transfer)) // http.ErrNotSupported outside a real server
	return t, nil
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

// replace makes the file that was uploaded the model called name.
func (s *Server) replace(w http.ResponseWriter, r *http.Request, name string, t *transfer) (replaced bool, p *problem) {
	s.whole.Lock()
	defer s.whole.Unlock()
	// By its size, before it is read, by its counts, before it is fitted: each check is worth
	// making before the next, larger step.
	size, err := t.rewind()
	if err != nil {
		return false, s.fault(r, err)
	}
	if err := s.catalog.opts.Store.Memory.FitsFile(size); err != nil {
		return false, fail(http.StatusInsufficientStorage, "%s", oneLine(err))
	}
	counts, em, err := bayes.Load(bufio.NewReader(t.file), s.opts.Languages...)
	if err != nil {
		return false, fail(http.StatusUnprocessableEntity, "not a model: %s", oneLine(err))
	}
	return s.install(w, r, name, counts, em)
}

// install makes counts and an event model the model called name. The caller holds s.whole.
func (s *Server) install(w http.ResponseWriter, r *http.Request, name string, counts *bayes.Counts, em bayes.EventModel) (replaced bool, p *problem) {
	if err := s.catalog.opts.Store.Memory.Fits(counts); err != nil {
		return false, fail(http.StatusInsufficientStorage, "%s", oneLine(err))
	}
	if _, err := bayes.Fit(counts, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return false, fail(http.StatusUnprocessableEntity, "the model cannot be used: %s", oneLine(err))
	}
	replaced, err := s.catalog.Replace(r.Context(), name, counts, em)
	switch {
	case errors.Is(err, ErrName):
		return false, fail(http.StatusUnprocessableEntity, "%s", oneLine(ErrName))
	case errors.Is(err, ErrShared), errors.Is(err, ErrNoRoom):
		return false, fail(http.StatusConflict, "%s", oneLine(err))
	case err != nil:
		s.log.Error("upload failed", "model", name, "err", err)
		if !errors.As(ofStore(err), &p) {
			p = s.fault(r, err)
		}
		return false, p
	}
	action := "create"
	if replaced {
		action = "replace"
	}
	s.audit(w, r, action, name, "documents", counts.Examples(), "terms", counts.Len())
	return replaced, nil
}

// A transfer is a model's file that is on its way from or to a client, which gets as much
// time as it makes use of: each piece must pass within Timeouts.Body, and all within
// Timeouts.Transfer.
type transfer struct {
	file  *os.File // without a name
	until time.Time
	piece time.Duration
	end   func()
}

// transfer begins an upload or a download. Few go on at once, of each client at most half of
// those that are left to it. The file is made in a folder, or, where that cannot be written
// to, in the system's folder for temporary files.
func (s *Server) transfer(w http.ResponseWriter, folder string) (*transfer, *problem) {
	holder := shareOf(w).holder
	if !s.transfers.Take(holder, 1) {
		return nil, fail(http.StatusServiceUnavailable, "too many models are being uploaded or downloaded already; ask again later")
	}
	limits := s.opts.Timeouts
	t := &transfer{until: time.Now().Add(limits.Transfer), piece: limits.Body}
	t.end = sync.OnceFunc(func() {
		if t.file != nil {
			t.file.Close()
		}
		s.transfers.Give(holder, 1)
	})
	var err error
	if t.file, err = nameless(folder); err != nil {
		err = t.elsewhere()
	}
	if err != nil {
		t.end()
		s.log.Error("no room for a transfer", "err", err)
		return nil, fail(http.StatusInsufficientStorage, "there is no room on disk for the model's file")
	}
	return t, nil
}

// nameless makes a file in a folder that goes when it is closed, whatever happens.
func nameless(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, ".transfer-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// elsewhere begins anew with a file in the system's folder for temporary files.
func (t *transfer) elsewhere() (err error) {
	if t.file != nil {
		t.file.Close()
	}
	t.file, err = nameless("")
	return err
}

// copy copies piece by piece, and puts a deadline off each time.
func (t *transfer) copy(w io.Writer, r io.Reader, deadline func(time.Time) error) error {
	const piece = 1 << 20 // bytes
	for {
		next := time.Now().Add(t.piece)
		if next.After(t.until) {
			next = t.until
		}
		deadline(next) // http.ErrNotSupported outside a real server
		if _, err := io.CopyN(w, r, piece); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// rewind goes back to the beginning of the file, and returns its size.
func (t *transfer) rewind() (size int64, err error) {
	size, err = t.file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = t.file.Seek(0, io.SeekStart)
	}
	return size, err
}
