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
	ctx, cancel := context.WithCancel(r.Context())
	const ahead = 64 // chunks
	order, work := make(chan *chunk, ahead), make(chan *chunk)
	var (
		running sync.WaitGroup
		readErr *problem
	)
	running.Go(func() {
		defer close(order)
		defer close(work)
		readErr = s.readChunks(rc, r.Body, func(c *chunk) bool {
			select {
			case order <- c:
			case <-ctx.Done():
				return false
			}
			work <- c // always taken
			return true
		})
	})
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for c := range work {
				c.done <- s.answerLines(e, c, threshold)
			}
		})
	}
	w.Header().Set("Content-Type", ndjson)
	w.WriteHeader(http.StatusOK)
	err := s.writeChunks(w, rc, order)
	cancel()
	if err != nil {
		rc.SetReadDeadline(time.Now()) // or else the reader might wait for long
	}
	running.Wait()
	if readErr != nil && err == nil {
		w.Write(appendProblem(nil, readErr)) // what came before it has been answered
	}
	return nil
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
			if !send(&chunk{lines, line, make(chan []byte, 1)}) {
				return nil
			}
			line += bytes.Count(lines, []byte{'\n'})
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
func (s *Server) writeChunks(w io.Writer, rc *http.ResponseController, order <-chan *chunk) error {
	for c := range order {
		rc.SetWriteDeadline(time.Now().Add(s.opts.Timeouts.Write)) // ErrNotSupported outside a real server
		_, err := w.Write(<-c.done)
		if err == nil && len(order) == 0 {
			if err = rc.Flush(); errors.Is(err, http.ErrNotSupported) {
				err = nil
			}
		}
		if err != nil {
			return err
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
