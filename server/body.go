package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"bayes/internal/rawjson"
)

// bodies are buffers for requests and answers.
var bodies = sync.Pool{New: func() any { return new(body) }}

// A body holds the buffers of one request: what its client sent, and the answer.
type body struct {
	in  bytes.Buffer
	out []byte
}

func getBody() *body { return bodies.Get().(*body) }

func putBody(b *body) {
	const most = 1 << 20 // do not keep what is rarely needed
	if b.in.Cap() > most || cap(b.out) > most {
		return
	}
	b.in.Reset()
	b.out = b.out[:0]
	bodies.Put(b)
}

// readJSON reads the body of a request, and returns the value that it holds, or the mail that it is. For each byte
// of the body the request then holds a number of bytes of memory, times: what the handler
// makes of it.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request, b *body, times int64) ([]byte, *problem) {
	limit := s.opts.Limits.Body
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return nil, fail(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", limit)
	}
	if p := b.read(http.MaxBytesReader(w, r.Body, limit), r.ContentLength, limit, times, shareOf(w)); p != nil {
		return nil, p
	}
	if mediaType(r) == message {
		return b.in.Bytes(), nil
	}
	value := bytes.Trim(b.in.Bytes(), " \t\r\n")
	if len(value) == 0 {
		return nil, fail(http.StatusBadRequest, "an empty body, where a JSON object is wanted")
	}
	return value, checkJSON(value)
}

// read reads a body, for which h holds memory before it is read. The length is -1 if it is
// not known; r ends with an error after limit bytes.
func (b *body) read(r io.Reader, length, limit, times int64, h *share) *problem {
	room, held := int64(64<<10), int64(0) // the first 64 KiB are part of what any request holds
	// A body that says how long it is needs one buffer.
	if length > room {
		if p := h.take(length * times); p != nil {
			return p
		}
	}
	if length >= 0 {
		b.in.Grow(int(length) + bytes.MinRead)
		_, err := b.in.ReadFrom(r)
		return ofBody(err)
	}
	// Otherwise the buffer doubles whenever it is full. Both buffers are held while one is copied
	// to the other.
	for {
		_, err := io.CopyN(&b.in, r, room-int64(b.in.Len()))
		if err == io.EOF {
			return nil
		} else if err != nil {
			return ofBody(err)
		}
		room = min(2*room, limit+1)
		if p := h.take(room * times); p != nil {
			return p
		}
		b.in.Grow(int(room) + bytes.MinRead - b.in.Len())
		h.give(held) // for the buffer before
		held = room * times
	}
}

// documents calls visit for the documents of a request's body: one object, or an
// object that has a list of them as its member documents; or a mail.
func (s *Server) documents(r *http.Request, value []byte, c *columns, visit func(rec record) *problem) (many bool, p *problem) {
	if mediaType(r) == message {
		return false, s.mail(r, value, c, visit)
	}
	// Without a member documents, the object is the document.
	o := c.get()
	defer c.put(o)
	list := s.list(value, c)
	if list == nil {
		rec, p := o.read(value, s.opts.Limits.Text)
		if p == nil {
			p = visit(rec)
		}
		return false, p
	}
	if list[0] != '[' {
		return true, fail(http.StatusUnprocessableEntity, "documents: want an array, not %s", kind(list))
	}
	n := 0
	for e := rawjson.Open(list); e.Element(); n++ {
		if n == s.opts.Limits.Batch {
			return true, fail(http.StatusRequestEntityTooLarge, "documents: more than %d", n)
		}
		rec, p := o.read(e.Value, s.opts.Limits.Text)
		if p == nil {
			p = visit(rec)
		}
		if p != nil {
			p.Detail = "documents[" + strconv.Itoa(n) + "]: " + p.Detail
			return true, p
		}
	}
	return true, nil
}

// list returns the member documents of an object, nil if there is none.
func (s *Server) list(value []byte, c *columns) (list []byte) {
	if _, ok := c.byName["documents"]; ok || value[0] != '{' || !bytes.Contains(value, []byte("ocuments")) {
		return nil
	}
	for m := rawjson.Open(value); m.Member(); {
		if string(m.Key) == "documents" {
			list = m.Value
		}
	}
	return list
}

// flush writes b.out, which is a part of an answer in JSON.
func (b *body) flush(w http.ResponseWriter, timeout time.Duration) error {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeout)) // http.ErrNotSupported outside a real server
	w.Header()["Content-Type"] = jsonType
	_, err := w.Write(b.out)
	b.out = b.out[:0]
	return err
}

// write answers with b.out, which is JSON.
func (b *body) write(w http.ResponseWriter) {
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(b.out))}
	w.Write(b.out) // a client that is gone needs no answer
}

// writeJSON answers with a status and v.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	b, err := appendJSON(nil, v)
	if err != nil {
		return err
	}
	w.Header()["Content-Type"] = jsonType
	w.WriteHeader(status)
	w.Write(b) // a client that is gone needs no answer
	return nil
}

// appendJSON appends v in JSON, and a line end.
func appendJSON(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
