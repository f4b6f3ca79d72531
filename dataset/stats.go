package dataset

import (
	"io"
	"sync/atomic"
	"time"
)

// A stats counts what is read, and says where the reader is. Other goroutines may look at
// the counts.
type stats struct {
	file string // of the record yielded latest
	row  int    // its number there, 0 if it is the whole file

	received time.Time // when it was received, if it is mail

	columns []string // of that file

	bytes   atomic.Int64 // as they are on disk
	latin1  atomic.Int64 // records that were read as Windows-1252
	largest atomic.Int64 // index of an svmlight file

}

func (st *stats) reset() {
	st.bytes.Store(0)
	st.latin1.Store(0)
	st.largest.Store(0)
}

// begin says that the next record comes from a file, which begins before that row.
func (st *stats) begin(file string, row int) {
	st.file, st.row, st.columns, st.received = file, row, nil, time.Time{}
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
