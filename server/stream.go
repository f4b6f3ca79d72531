package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const ndjson = "application/x-ndjson"

// A chunk is some whole lines of a stream. Its answers are worked out while
// others are read and written.
type chunk struct {
	lines []byte
	first int         // the number of its first line, from 1
	done  chan []byte // takes the answers
}

// A stream is one that is being answered. Its chunks go through two channels at
// once: order, in which their answers are written, and work, from which they are
// taken to be answered.
type stream struct {
	s         *Server
	model     served
	threshold float64
	order     chan *chunk
	work      chan *chunk
	kept      atomic.Int64  // bytes of answers that are not written yet
	written   chan struct{} // holds one after a write
}

// stream answers a stream of documents, one JSON object a line, by a line for
// each that is not blank, in order: a prediction, or the problem with the
// document. Nothing waits for the end of the stream: lines that have come are
// answered before more are read. A few megabytes of answers are kept for a client
// that sends and does not yet read; then no more are read.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, e served, threshold float64) error {
	if s.streams.Add(1) > int64(s.opts.Limits.Streams) {
		s.streams.Add(-1)
		return fail(http.StatusTooManyRequests, "more than %d streams at once", s.opts.Limits.Streams)
	}
	defer s.streams.Add(-1)
	if _, err := e.live.Load().model(); err != nil {
		return err
	}
	rc := http.NewResponseController(w)
	if err := rc.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	w.Header().Set("Content-Type", ndjson)
	w.WriteHeader(http.StatusOK)
	t := &stream{s, e, threshold, make(chan *chunk, 64), make(chan *chunk), atomic.Int64{}, make(chan struct{}, 1)}
	if p := t.run(r.Context(), w, rc, r.Body); p != nil {
		w.Write(appendProblem(nil, p)) // what came before it has been answered
	}
	return nil
}

// run answers the stream, and returns why it ended too early, if a client is left
// to read that.
func (t *stream) run(ctx context.Context, w io.Writer, rc *http.ResponseController, body io.Reader) *problem {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		running sync.WaitGroup
		why     *problem
	)
	running.Go(func() {
		defer close(t.order)
		defer close(t.work)
		why = t.s.readChunks(rc, body, func(c *chunk) bool { return t.send(ctx, c) })
	})
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for c := range t.work {
				out := t.answer(c)
				t.kept.Add(int64(len(out)))
				c.done <- out
			}
		})
	}
	err := t.writeChunks(w, rc)
	cancel()
	if err != nil {
		rc.SetReadDeadline(time.Now()) // or else the reader might wait for long
	}
	running.Wait()
	if err != nil {
		return nil
	}
	return why
}

// send gives a chunk to be answered, when there is room for the answers. It
// reports false when nobody is left to read them.
func (t *stream) send(ctx context.Context, c *chunk) bool {
	const most = 8 << 20 // bytes
	for t.kept.Load() > most {
		select {
		case <-t.written:
		case <-ctx.Done():
			return false
		}
	}
	select {
	case t.order <- c:
		t.work <- c // there is always one who takes it
		return true
	case <-ctx.Done():
		return false
	}
}

// readChunks cuts a stream into chunks of whole lines: what there is, at most
// about 64 KiB unless a line is longer. Each line must come in time.
func (s *Server) readChunks(rc *http.ResponseController, r io.Reader, send func(c *chunk) bool) *problem {
	const size = 64 << 10
	var (
		line = 1
		buf  = make([]byte, 0, size)
	)
	extend := func() { rc.SetReadDeadline(time.Now().Add(s.opts.Timeouts.Line)) } // ErrNotSupported outside a real server
	extend()
	for {
		if cap(buf)-len(buf) < size/4 {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		old := len(buf)
		buf = buf[:old+n]
		end := 0 // of the whole lines
		if i := bytes.LastIndexByte(buf[old:], '\n'); i >= 0 {
			end = old + i + 1
		}
		if err == io.EOF {
			end = len(buf)
		}
		if end > 0 {
			lines := buf[:end:end]
			buf = append(make([]byte, 0, max(size, 2*(len(buf)-end))), buf[end:]...)
			for len(lines) > 0 {
				n, some := firstLines(lines)
				if !send(&chunk{lines[:some], line, make(chan []byte, 1)}) {
					return nil
				}
				line, lines = line+n, lines[some:]
			}
			extend()
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			p := ofBody(err)
			p.Detail = "line " + itoa(line) + ": " + p.Detail
			return p
		case int64(len(buf)) > s.opts.Limits.Body:
			return fail(http.StatusRequestEntityTooLarge, "line %d is longer than %d bytes", line, s.opts.Limits.Body)
		}
	}
}

// firstLines returns how many lines a chunk is to have of b, which are not too
// many, and their length.
func firstLines(b []byte) (n, length int) {
	const most = 1000
	for ; n < most && length < len(b); n++ {
		i := bytes.IndexByte(b[length:], '\n')
		if i < 0 {
			return n + 1, len(b)
		}
		length += i + 1
	}
	return n, length
}

// answer returns the answers to a chunk. If that fails, which would be a fault of
// the program, there is one problem for all of them.
func (t *stream) answer(c *chunk) (out []byte) {
	defer func() {
		if v := recover(); v != nil {
			t.s.panicked(v, "model", t.model.name, "line", c.first)
			out = appendProblem(nil, fail(http.StatusInternalServerError, "lines from %d on: the server failed; its log says why", c.first))
		}
	}()
	return t.s.answerLines(t.model, c, t.threshold)
}

// answerLines returns the answers to a chunk.
func (s *Server) answerLines(e served, c *chunk, threshold float64) []byte {
	l := e.live.Load()
	m := l.store.Model()
	o := l.columns.get()
	defer l.columns.put(o)
	out := make([]byte, 0, 2*len(c.lines)+256)
	number := c.first
	for line := range bytes.Lines(c.lines) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			p := checkJSON(line)
			var rec record
			if p == nil {
				rec, p = o.read(line, s.opts.Limits.Text)
			}
			switch {
			case p == nil && rec.empty:
				p = l.columns.missing()
			case p == nil && m == nil:
				_, err := l.model()
				errors.As(err, &p)
			}
			if p != nil {
				p.Detail = "line " + itoa(number) + ": " + p.Detail
				out = appendProblem(out, p)
			} else {
				out = append(e.predict(out, m, &rec, threshold), '\n')
			}
		}
		number++
	}
	return out
}

// writeChunks writes the answers to chunks in order, and flushes when there is
// nothing more to write.
func (t *stream) writeChunks(w io.Writer, rc *http.ResponseController) error {
	for c := range t.order {
		out := <-c.done
		rc.SetWriteDeadline(time.Now().Add(t.s.opts.Timeouts.Write)) // http.ErrNotSupported outside a real server
		_, err := w.Write(out)
		if err == nil && len(t.order) == 0 {
			if err = rc.Flush(); errors.Is(err, http.ErrNotSupported) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
		t.kept.Add(-int64(len(out)))
		select {
		case t.written <- struct{}{}:
		default:
		}
	}
	return nil
}

// appendProblem appends p as a line.
func appendProblem(dst []byte, p *problem) []byte {
	b, err := json.Marshal(p)
	if err != nil { // a problem is strings and a number
		b = []byte(`{"status":500}`)
	}
	return append(append(dst, b...), '\n')
}
