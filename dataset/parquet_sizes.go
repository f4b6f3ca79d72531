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

// The library allocates what a file says that it needs before it reads the contents. A
// damaged file could make it allocate without bound, so the sizes that a file states are
// checked first. These are the limits of a page.
const (
	pageBytes  = 64 << 20 // decompressed bytes, and
	pageRatio  = 64       // as many more for each byte in the file
	pageValues = 16 << 20 // values, and one more for each bit of the decompressed bytes
)

// openParquet opens a file after it has checked that the sizes that the file states are
// in proportion to its own. Bytes that are read for the check are not counted in stats.
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

// checkFooter checks the length of the footer, which is before the last four bytes.
func checkFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < int64(len(tail)) {
		return errors.New("not a Parquet file")
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	if string(tail[4:]) != "PAR1" {
		return errors.New("not a Parquet file (hint: one that is compressed must be unpacked first)")
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-int64(len(tail)) {
		return fmt.Errorf("damaged: a footer of %d bytes", n)
	}
	return nil
}

// checkPages checks the header of each page of a column: it reads one, skips the page
// and reads the next.
func checkPages(r io.ReaderAt, size int64, column *format.ColumnMetaData) error {
	from := column.DataPageOffset
	if d := column.DictionaryPageOffset; d > 0 && d < from {
		from = d
	}
	end := from + column.TotalCompressedSize
	if from < 0 || column.TotalCompressedSize < 0 || end < from || end > size {
		return fmt.Errorf("damaged: a column of %d bytes at byte %d", column.TotalCompressedSize, from)
	}
	// Only headers are read: the buffer is as small as they are.
	in := bufio.NewReaderSize(nil, 4<<10)
	var protocol thrift.CompactProtocol
	for values := int64(0); from < end && values < column.NumValues; {
		section := io.NewSectionReader(r, from, end-from)
		in.Reset(section)
		var head format.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(in)).Decode(&head); err != nil {
			return fmt.Errorf("damaged: the head of a page at byte %d: %w", from, err)
		}
		// The page begins behind what of the section is read and no longer in the buffer.
		at, _ := section.Seek(0, io.SeekCurrent)
		from += at - int64(in.Buffered())
		n, isData := pageLength(&head)
		if isData {
			values += n
		}
		compressed, whole := int64(head.CompressedPageSize), int64(head.UncompressedPageSize)
		if compressed < 0 || compressed > end-from || whole < 0 || whole > pageBytes+pageRatio*compressed || n < 0 || n > pageValues+8*whole {
			return fmt.Errorf("damaged: a page of %d values and %d bytes, of %d in the file, at byte %d", n, whole, compressed, from)
		}
		from += compressed
	}
	return nil
}

// pageLength returns how many values a page has, and whether they are data and not a
// dictionary.
func pageLength(head *format.PageHeader) (n int64, isData bool) {
	switch {
	case head.DataPageHeader.Valid:
		return int64(head.DataPageHeader.V.NumValues), true
	case head.DataPageHeaderV2.Valid:
		return int64(head.DataPageHeaderV2.V.NumValues), true
	case head.DictionaryPageHeader.Valid:
		return int64(head.DictionaryPageHeader.V.NumValues), false
	}
	return 0, false
}
