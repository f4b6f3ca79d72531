package dataset

import (
	"io"
	"sync/atomic"
)

// A stats counts what is read. Other goroutines may look at it.
type stats struct {
	bytes   atomic.Int64 // as they are on disk
	latin1  atomic.Int64 // records that were read as Windows-1252
	largest atomic.Int64 // index of an svmlight file

	// These are for the goroutine that reads.
	file    string   // that the present example is from
	columns []string // of the file
}

func (st *stats) reset() {
	st.bytes.Store(0)
	st.latin1.Store(0)
	st.largest.Store(0)
}

// A countingReader counts the bytes that pass through.
type countingReader struct {
	r io.Reader
	n *atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// A countingReaderAt counts the bytes that are read.
type countingReaderAt struct {
	io.ReaderAt
	stats *stats
}

func (c countingReaderAt) ReadAt(b []byte, offset int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, offset)
	c.stats.bytes.Add(int64(n))
	return n, err
}
