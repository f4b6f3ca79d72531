package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The library gets memory for what a file says is to come, before it reads that, so
// what files say is looked at first. A page has at most
const (
	pageBytes  = 64 << 20 // bytes,
	pageRatio  = 64       // and these for each byte that it has in the file, and
	pageValues = 16 << 20 // values, and one more for each bit
)

// openParquet opens a file whose sizes are in proportion to its own. What is looked at
// for that is not counted as read.
func openParquet(r io.ReaderAt, size int64, stats *stats) (*parquet.File, error) {
	if err := checkFooter(r, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(countingReaderAt{r, stats}, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	for _, g := range f.Metadata().RowGroups {
		for i := range g.Columns {
			if err := checkPages(r, size, &g.Columns[i].MetaData); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// checkFooter looks at the length of the footer, which is before the last four bytes.
func checkFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < int64(len(tail)) {
		return errors.New("not a Parquet file")
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-int64(len(tail)) {
		return fmt.Errorf("damaged: a footer of %d bytes", n)
	}
	return nil
}

// checkPages looks at the head of each page of a column.
func checkPages(r io.ReaderAt, size int64, column *format.ColumnMetaData) error {
	from := column.DataPageOffset
	if d := column.DictionaryPageOffset; d > 0 && d < from {
		from = d
	}
	end := from + column.TotalCompressedSize
	if from < 0 || column.TotalCompressedSize < 0 || end < from || end > size {
		return fmt.Errorf("damaged: a column of %d bytes at byte %d", column.TotalCompressedSize, from)
	}
	in := bufio.NewReaderSize(nil, 4<<10)
	var protocol thrift.CompactProtocol
	for values := int64(0); from < end && values < column.NumValues; {
		section := io.NewSectionReader(r, from, end-from)
		in.Reset(section)
		var head format.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(in)).Decode(&head); err != nil {
			return fmt.Errorf("damaged: the head of a page at byte %d: %w", from, err)
		}
		at, _ := section.Seek(0, io.SeekCurrent)
		from += at - int64(in.Buffered())
		n := int64(0)
		switch {
		case head.DataPageHeader.Valid:
			n = int64(head.DataPageHeader.V.NumValues)
			values += n
		case head.DataPageHeaderV2.Valid:
			n = int64(head.DataPageHeaderV2.V.NumValues)
			values += n
		case head.DictionaryPageHeader.Valid:
			n = int64(head.DictionaryPageHeader.V.NumValues)
		}
		compressed, whole := int64(head.CompressedPageSize), int64(head.UncompressedPageSize)
		if compressed < 0 || compressed > end-from || whole < 0 || whole > pageBytes+pageRatio*compressed || n < 0 || n > pageValues+8*whole {
			return fmt.Errorf("damaged: a page of %d values and %d bytes, of %d in the file, at byte %d", n, whole, compressed, from)
		}
		from += compressed
	}
	return nil
}
