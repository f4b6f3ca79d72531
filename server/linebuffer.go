package server

import (
	"bytes"
	"io"
)

// chunkSize is how many bytes of a stream are read at once, unless a line is longer.
const chunkSize = 64 << 10

// A lineBuffer gathers what comes of a stream until there are whole lines. A buffer of
// chunkSize is part of what every request holds. A longer line needs a longer buffer, for
// which the request's share holds memory as long as the line is in it.
type lineBuffer struct {
	share *share
	data  []byte
	held  int64 // bytes that the share holds for data; zero while data has chunkSize
}

func newLineBuffer(h *share) *lineBuffer {
	return &lineBuffer{share: h, data: make([]byte, 0, chunkSize)}
}

// grow doubles a buffer that is nearly full.
func (b *lineBuffer) grow() *problem {
	if cap(b.data)-len(b.data) >= chunkSize/4 {
		return nil
	}
	longer := 2 * cap(b.data)
	// While the bytes are copied there are both buffers, so the old one is given back last.
	if p := b.share.take(int64(longer)); p != nil {
		return p
	}
	b.data = append(make([]byte, 0, longer), b.data...)
	b.share.give(b.held)
	b.held = int64(longer)
	return nil
}

// read reads once from r, and returns how many bytes at the front of b.data are whole lines.
// The last line of a stream is whole without a line end.
func (b *lineBuffer) read(r io.Reader) (whole int, err error) {
	n, err := r.Read(b.data[len(b.data):cap(b.data)])
	old := len(b.data)
	b.data = b.data[:old+n]
	if err == io.EOF {
		return len(b.data), err
	}
	if i := bytes.LastIndexByte(b.data[old:], '\n'); i >= 0 {
		whole = old + i + 1
	}
	return whole, err
}

// drop removes n bytes from the front. If what is left is short, it goes to a buffer of
// chunkSize, and the memory of the longer one is given back.
func (b *lineBuffer) drop(n int) {
	rest := b.data[n:]
	if b.held > 0 && len(rest) <= chunkSize/2 {
		b.data = make([]byte, 0, chunkSize)
		b.share.give(b.held)
		b.held = 0
	}
	b.data = append(b.data[:0], rest...)
}
