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
	lines     []byte
	firstLine int         // the number of its first line, from 1
	size      int64       // bytes of its lines, and about of their answers
	held      int64       // bytes that the stream's request holds for it
	done      chan []byte // takes the answers
}

// A stream is one that is being answered. Its chunks go through two channels at
// once: order, in which their answers are written, and work, from which they are
// taken to be answered.
type stream struct {
	s     *Server
	model served
	want  wanted
	share *share

	answerSize int64 // of one answer in bytes, about
	maxLines   int   // of a chunk

	order     chan *chunk
	work      chan *chunk
	unwritten atomic.Int64  // bytes of the chunks that are not written yet
	written   chan struct{} // holds one after a write
}

// maxUnwritten is how many bytes of lines and answers are kept of a stream that goes on
// being sent while its answers are not read.
const maxUnwritten = 8 << 20

// stream answers a stream of documents, one JSON object a line, by a line for
// each that is not blank, in order: a prediction, or the problem with the
// document. Nothing waits for the end of the stream: lines that have come are
// answered before more are read. A few megabytes are kept for a client
// that sends and does not yet read, and less where the server has less to spare;
// then no more are read.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, e served, want wanted) error {
	h := shareOf(w)
	if !s.streams.Take(h.holder, 1) {
		return fail(http.StatusTooManyRequests, "too many streams at once: there are %d for all clients", s.opts.Limits.Streams)
	}
	defer s.streams.Give(h.holder, 1)
	m, err := e.live.Load().model()
	if err != nil {
		return err
	}
	each := answerBytes(m, want.top)
	if each > partSize { // thousands of classes
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
	t := &stream{
		s: s, model: e, want: want, share: h,
		answerSize: each, maxLines: int(max(1, min(1000, partSize/each))),
		order: make(chan *chunk, 64), work: make(chan *chunk), written: make(chan struct{}, 1),
	}
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
	// One goroutine reads, several answer, and this one writes.
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
	// When the client is gone the others need not go on.
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

// send gives a chunk to be answered when there is room for it. It reports false when
// nobody is left to read the answers.
func (t *stream) send(ctx context.Context, c *chunk) (ok bool, p *problem) {
	const short = 64<<10 + partSize
	for size := c.size; ; {
		unwritten := t.unwritten.Load()
		// Where nothing waits to be written, no write will make room, and so waiting is no
		// use. A short chunk then fits into what every request holds; a long one is
		// granted memory at once, or that there is none is the problem.
		if unwritten == 0 && size <= short {
			break
		}
		if unwritten == 0 || unwritten+size <= maxUnwritten {
			if t.share.try(size) {
				c.held = size
				break
			} else if unwritten == 0 {
				return false, t.share.take(size)
			}
		}
		// Otherwise a write makes room.
		select {
		case <-t.written:
		case <-ctx.Done():
			return false, nil
		}
	}
	t.unwritten.Add(c.size)
	// First the place in the order of answers, then the work: so what is worked on will be
	// waited for.
	select {
	case t.order <- c:
		t.work <- c // there is always a worker that takes it
		return true, nil
	case <-ctx.Done():
		return false, nil
	}
}

// readChunks cuts a stream into chunks of whole lines, and sends them to be answered.
// Each read that ends a line puts the deadline of the next line off.
func (t *stream) readChunks(ctx context.Context, rc *http.ResponseController, r io.Reader) *problem {
	limit, timeout := t.s.opts.Limits.Body, t.s.opts.Timeouts.Line
	rc.SetReadDeadline(time.Now().Add(timeout)) // http.ErrNotSupported outside a real server
	b := newLineBuffer(t.share)
	for line := 1; ; {
		if p := b.grow(); p != nil {
			return ofLine(line, p)
		}
		whole, err := b.read(r)
		if whole > 0 {
			next, ok, p := t.sendLines(ctx, b.data[:whole], line)
			if p != nil || !ok {
				return p
			}
			line = next
			b.drop(whole)
			rc.SetReadDeadline(time.Now().Add(timeout))
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return ofLine(line, ofBody(err))
		case int64(len(b.data)) > limit:
			return fail(http.StatusRequestEntityTooLarge, "line %d is longer than %d bytes", line, limit)
		}
	}
}

// sendLines sends whole lines, the first of them numbered line, as one chunk or several, and
// returns the number of the line after them. It reports false when nobody is left to read
// the answers.
func (t *stream) sendLines(ctx context.Context, lines []byte, line int) (next int, ok bool, p *problem) {
	for len(lines) > 0 {
		n, length := firstLines(lines, t.maxLines)
		c := &chunk{
			lines: bytes.Clone(lines[:length]), firstLine: line, size: int64(length) + int64(n)*t.answerSize,
			done: make(chan []byte, 1),
		}
		if ok, p := t.send(ctx, c); p != nil {
			return line, false, ofLine(line, p)
		} else if !ok {
			return line, false, nil
		}
		line, lines = line+n, lines[length:]
	}
	return line, true, nil
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
			t.s.panicked(v, "model", t.model.name, "line", c.firstLine)
			out = appendProblem(nil, fail(http.StatusInternalServerError, "lines from %d on: the server failed; its log says why", c.firstLine))
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
	out := make([]byte, 0, 2*min(len(c.lines), partSize)+256)
	number := c.firstLine
	for line := range bytes.Lines(c.lines) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			// A line is a document, has content, and there is a model: otherwise its answer says
			// which of these is not so.
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
				if out, p = t.model.predict(ctx, t.share, 0, out, l, m, &rec, t.want); p == nil {
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
		out := <-c.done                                              // chunks are answered in any order, and written in this one
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
		t.unwritten.Add(-c.size)
		select { // after unwritten has changed, or else who waits would not see it
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
