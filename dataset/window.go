package dataset

import (
	"bytes"
	"io"
	"strings"
)

const (
	// maxRecord is the size in bytes beyond which a record is not read.
	maxRecord = 64 << 20

	// maxFields is how many fields a record may have. The position of a field takes
	// more memory than the comma that makes one.
	maxFields = 1 << 20

	bufferSize = 256 << 10
	maxEmpty   = 100 // reads that return nothing before a reader counts as stuck
)

// A window is the part of a stream that is in memory. It grows at its end by reading,
// and shrinks at its start by dropping what is done, so that records are parsed in
// place. A slice of it is valid until the next call of more.
type window struct {
	r          io.Reader
	buf        []byte
	start, end int // the window is buf[start:end]
	err        error
}

func newWindow(r io.Reader) *window { return &window{r: r} }

// reset makes w the start of r.
func (w *window) reset(r io.Reader) { *w = window{r: r, buf: w.buf} }

func (w *window) bytes() []byte { return w.buf[w.start:w.end] }

// drop takes n bytes from the start of the window.
func (w *window) drop(n int) { w.start += n }

// more makes the window longer, by at least a byte. It returns false at the
// end of the stream, and at an error, which failure then returns.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	w.makeRoom()
	for range maxEmpty {
		n, err := w.r.Read(w.buf[w.end:])
		w.end += n
		w.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// makeRoom makes room behind the window. A byte is moved only as often as the buffer
// doubles, or once half of it has been dropped.
func (w *window) makeRoom() {
	if w.end < len(w.buf) {
		return
	}
	// If more than half of the buffer is in use, move to one of twice the size. If not,
	// move to its start.
	size := w.end - w.start
	buf := w.buf
	if size > len(buf)/2 || len(buf) == 0 {
		buf = make([]byte, max(bufferSize, 2*len(buf)))
	}
	copy(buf, w.buf[w.start:w.end])
	w.buf, w.start, w.end = buf, 0, size
}

// failure returns the error that ended the stream, nil if it ended well.
func (w *window) failure() error {
	if w.err == io.EOF {
		return nil
	}
	return w.err
}

// hasPrefix reports whether the window begins with prefix. It reads on only until that
// is decided, so that it does not keep a person at a terminal waiting.
func (w *window) hasPrefix(prefix string) bool {
	for len(w.bytes()) < len(prefix) && strings.HasPrefix(prefix, string(w.bytes())) {
		if !w.more() {
			return false
		}
	}
	return bytes.HasPrefix(w.bytes(), []byte(prefix))
}

// Read reads from the start of the window, then from the stream behind it.
func (w *window) Read(p []byte) (int, error) {
	if w.start == w.end {
		if w.err != nil {
			return 0, w.err
		}
		return w.r.Read(p)
	}
	n := copy(p, w.bytes())
	w.drop(n)
	return n, nil
}

// lineFrom returns the line that begins there in the window, without its end, and where the
// next one begins: -1 if there is none, or it is further away than a header is long.
func lineFrom(w *window, from int) (line []byte, next int) {
	const enough = 64 << 10
	for searched := from; ; {
		b := w.bytes()
		if i := bytes.IndexByte(b[searched:], '\n'); i >= 0 {
			return bytes.TrimSuffix(b[from:searched+i], []byte{'\r'}), searched + i + 1
		}
		if searched = len(b); searched > enough || !w.more() {
			return b[from:], -1
		}
	}
}
