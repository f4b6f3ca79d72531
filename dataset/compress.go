package dataset

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A compression is how a file is compressed.
type compression int

const (
	uncompressed compression = iota
	gzipped
	zstandard
)

// findCompression returns the compression that w begins with.
func findCompression(w *window) compression {
	switch {
	case w.hasPrefix("\x1f\x8b"):
		return gzipped
	case w.hasPrefix("\x28\xb5\x2f\xfd"):
		return zstandard
	}
	return uncompressed
}

// Decompress returns r decompressed if it begins as gzip or zstd does, and as
// it is otherwise. Closing the result does not close r.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	w := newWindow(r)
	switch findCompression(w) {
	case gzipped:
		return gzip.NewReader(bufio.NewReaderSize(w, bufferSize))
	case zstandard:
		return newZstd(w)
	}
	return io.NopCloser(w), nil
}

// newZstd returns a decoder that refuses windows beyond those of zstd --long,
// so that no file makes it allocate without bound.
func newZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// compress returns what compresses to w. Closing it ends the compressed data, and does not
// close w.
func (c compression) compress(w io.Writer) (io.WriteCloser, error) {
	switch c {
	case gzipped:
		return gzip.NewWriter(w), nil
	case zstandard:
		return zstd.NewWriter(w)
	}
	b := bufio.NewWriterSize(w, bufferSize)
	return flushCloser{b}, nil
}

// A flushCloser is flushed by Close.
type flushCloser struct{ *bufio.Writer }

func (f flushCloser) Close() error { return f.Flush() }
