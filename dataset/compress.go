package dataset

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Decompress returns r decompressed if it begins as gzip or zstd does, and as
// it is otherwise. Closing the result does not close r.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	w := newWindow(r)
	switch {
	case w.hasPrefix("\x1f\x8b"):
		return gzip.NewReader(bufio.NewReaderSize(w, bufferSize))
	case w.hasPrefix("\x28\xb5\x2f\xfd"):
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
