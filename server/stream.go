package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A chunk is some whole lines of a stream. Its answers are worked out while
// others are read and written.
type chunk struct {
	lines []byte
	first int         // the number of its first line, from 1
	size  int64       // bytes of its lines, and about of their answers
	held  int64       // bytes that the stream's request holds for it
	done  chan []byte // takes the answers
}

// A stream is one that is being answered. Its chunks go through two channels at
// once: order, in which their answers are written, and work, from which they are
// taken to be answered.
type stream struct {
	s         *Server
	model     served
	threshold float64
	share     *share
	each      int64 // about how long an answer is, in bytes
	lines     int   // how many a chunk has at most
	order     chan *chunk
	work      chan *chunk
	kept      atomic.Int64  // bytes of the chunks that are not written yet
	written   chan struct{} // holds one after a write
}

// mostKept is how many bytes of lines and answers are kept of a stream that goes on being
// sent while its answers are not read.
const mostKept = 8 << 20

// stream answers a stream of documents, one JSON object a line, by a line for
// each that is not blank, in order: a prediction, or the problem with the
// document. Nothing waits for the end of the stream: lines that have come are
// answered before more are read. A few megabytes are kept for a client
// that sends and does not yet read, and less where the server has less to spare;
// then no more are read.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, e served, threshold float64) error {
	h := shareOf(w)
	if !s.streams.Take(h.holder, 1) {
		return fail(http.StatusTooManyRequests, "too many streams at once: there are %d for all clients", s.opts.Limits.Streams)
	}
	defer s.streams.Give(h.holder, 1)
	m, err := e.live.Load().model()
	if err != nil {
		return err
	}
	each := answerBytes(m)
	if each > pageful { // thousands of classes
		if p := h.take(each); p != nil {
			return p
		}
	}
	rc := http.NewResponseController(w)
	if err := rc.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	w.Header().Set("Content-Type", ndjson)
	w.WriteHeader(http.StatusOK)
	lines := int(max(1, min(1000, pageful/each)))
	t := &stream{s, e, threshold, h, each, lines, make(chan *chunk, 64), make(chan *chunk), atomic.Int64{}, make(chan struct{}, 1)}
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
		why = t.readChunks(ctx, rc, body)
	})
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for c := range t.work {
				c.done <- t.answer(ctx, c)
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

// send gives a chunk to be answered when there is room for it. If nothing else of the
// stream is kept, so that waiting is no use, there is room for a short chunk in what each
// request holds; for a long one there may be none, which is the problem. It reports false
// when nobody is left to read the answers.
func (t *stream) send(ctx context.Context, c *chunk) (ok bool, p *problem) {
	const short = 64<<10 + pageful
	for size := c.size; ; {
		kept := t.kept.Load()
		if kept == 0 && size <= short {
			break
		}
		if kept == 0 || kept+size <= mostKept {
			if t.share.try(size) {
				c.held = size
				break
			} else if kept == 0 {
				return false, t.share.take(size)
			}
		}
		select {
		case <-t.written:
		case <-ctx.Done():
			return false, nil
		}
	}
	t.kept.Add(c.size)
	select {
	case t.order <- c:
		t.work <- c // there is always one who takes it
		return true, nil
	case <-ctx.Done():
		return false, nil
	}
}

// readChunks cuts a stream into chunks of whole lines: what there is, at most
// about 64 KiB unless a line is longer. Each line must come in time.
func (t *stream) readChunks(ctx context.Context, rc *http.ResponseController, r io.Reader) *problem {
	const size = 64 << 10
	var (
		limit = t.s.opts.Limits.Body
		line  = 1
		buf   = make([]byte, 0, size)
		held  int64 // for a buffer that is longer than size
	)
	extend := func() { rc.SetReadDeadline(time.Now().Add(t.s.opts.Timeouts.Line)) } // ErrNotSupported outside a real server
	extend()
	for {
		if cap(buf)-len(buf) < size/4 {
			more := 2 * cap(buf)
			if p := t.share.take(int64(more)); p != nil {
				return ofLine(line, p)
			}
			buf = append(make([]byte, 0, more), buf...)
			t.share.give(held)
			held = int64(more)
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
			for lines := buf[:end]; len(lines) > 0; {
				n, length := firstLines(lines, t.lines)
				ok, p := t.send(ctx, &chunk{lines: bytes.Clone(lines[:length]), first: line, size: int64(length) + int64(n)*t.each, done: make(chan []byte, 1)})
				if p != nil {
					return ofLine(line, p)
				} else if !ok {
					return nil
				}
				line, lines = line+n, lines[length:]
			}
			rest := buf[end:]
			if held > 0 && len(rest) <= size/2 {
				buf = make([]byte, 0, size)
				t.share.give(held)
				held = 0
			}
			buf = append(buf[:0], rest...)
			extend()
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return ofLine(line, ofBody(err))
		case int64(len(buf)) > limit:
			return fail(http.StatusRequestEntityTooLarge, "line %d is longer than %d bytes", line, limit)
		}
	}
}

// ofLine returns the problem that p is with a line.
func ofLine(line int, p *problem) *problem {
	p.Detail = "line " + strconv.Itoa(line) + ": " + p.Detail
	return p
}

// firstLines returns how many lines a chunk is to have of b, at most as many as most says,
// and their length.
func firstLines(b []byte, most int) (n, length int) {
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
func (t *stream) answer(ctx context.Context, c *chunk) (out []byte) {
	defer func() {
		if v := recover(); v != nil {
			t.s.panicked(v, "model", t.model.name, "line", c.first)
			out = appendProblem(nil, fail(http.StatusInternalServerError, "lines from %d on: the server failed; its log says why", c.first))
		}
	}()
	return t.answerLines(ctx, c)
}

// answerLines returns the answers to a chunk.
func (t *stream) answerLines(ctx context.Context, c *chunk) []byte {
	l := t.model.live.Load()
	m := l.store.Model()
	o := l.columns.get()
	defer l.columns.put(o)
	out := make([]byte, 0, 2*min(len(c.lines), pageful)+256)
	number := c.first
	for line := range bytes.Lines(c.lines) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			p := checkJSON(line)
			var rec record
			if p == nil {
				rec, p = o.read(line, t.s.opts.Limits.Text)
			}
			switch {
			case p == nil && rec.empty:
				p = l.columns.missing()
			case p == nil && m == nil:
				_, err := l.model()
				errors.As(err, &p)
			case p == nil:
				if out, p = t.model.predict(ctx, t.share, 0, out, m, &rec, t.threshold); p == nil {
					out = append(out, '\n')
				}
			}
			if p != nil {
				out = appendProblem(out, ofLine(number, p))
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
		t.share.give(c.held)
		t.kept.Add(-c.size)
		select { // after kept has changed, or else who waits would not see it
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
