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
// checked first. These are the limits of all pages of a file together.
const (
	unpackedBytes = 4 << 20 // bytes when decompressed, and
	unpackedRatio = 1 << 10 // as many more for each byte of the file; the most that gzip reaches
	pageValues    = 1 << 20 // values, and
	valuesRatio   = 1 << 9  // as many more for each byte of the file
	schemaDepth   = 64      // groups around a column
)

// openParquet opens a file after it has checked that the sizes that the file states are
// in proportion to its own. Bytes that are read for the check are not counted in stats.
func openParquet(r io.ReaderAt, size int64, stats *stats) (*parquet.File, error) {
	meta, err := readFooter(r, size)
	if err != nil {
		return nil, err
	}
	pages := pageSizes{r: r, size: size}
	for _, g := range meta.RowGroups {
		for i := range g.Columns {
			if err := pages.add(&g.Columns[i].MetaData); err != nil {
				return nil, err
			}
		}
	}
	return parquet.OpenFile(countingReaderAt{r, stats}, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// readFooter reads and checks the footer, whose length is before the last four bytes.
func readFooter(r io.ReaderAt, size int64) (*format.FileMetaData, error) {
	var tail [8]byte
	if size < int64(len(tail)) {
		return nil, errors.New("not a Parquet file")
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil && err != io.EOF {
		return nil, err
	}
	if string(tail[4:]) != "PAR1" {
		return nil, errors.New("not a Parquet file (hint: one that is compressed must be unpacked first)")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	from := size - int64(len(tail)) - n
	if from < 0 {
		return nil, fmt.Errorf("damaged: a footer of %d bytes", n)
	}
	meta := new(format.FileMetaData)
	if err := decodeThrift(bufio.NewReader(io.NewSectionReader(r, from, n)), n, meta); err != nil {
		return nil, fmt.Errorf("damaged: the footer: %w", err)
	}
	// For each row group, the footer describes each column, in more than a byte.
	if columns := int64(len(meta.Schema)); columns > 0 && int64(len(meta.RowGroups)) > n/columns {
		return nil, fmt.Errorf("damaged: %d row groups of %d columns in a footer of %d bytes", len(meta.RowGroups), columns, n)
	}
	return meta, checkDepth(meta.Schema)
}

// checkDepth returns an error if columns are nested too deep. In a schema, the members of
// a group follow it.
func checkDepth(schema []format.SchemaElement) error {
	var open []int32 // members to come of each group that the element is in
	for i := range schema {
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			open[len(open)-1]--
		}
		if n := schema[i].NumChildren; n.Valid && n.V > 0 {
			open = append(open, n.V)
		}
		if len(open) > schemaDepth {
			return fmt.Errorf("damaged: a column in more than %d groups", schemaDepth)
		}
	}
	return nil
}

// A pageSizes sums what the pages of a file of size bytes unpack to.
type pageSizes struct {
	r             io.ReaderAt
	size          int64
	bytes, values int64
}

// add checks and adds the header of each page of a column: it reads one, skips the page
// and reads the next.
func (p *pageSizes) add(column *format.ColumnMetaData) error {
	from := column.DataPageOffset
	if column.DictionaryPageOffset != 0 {
		from = column.DictionaryPageOffset
	}
	end := from + column.TotalCompressedSize
	if from < 0 || column.TotalCompressedSize < 0 || end < from || end > p.size {
		return fmt.Errorf("damaged: a column of %d bytes at byte %d", column.TotalCompressedSize, from)
	}
	// Only headers are read: the buffer is as small as they are.
	in := bufio.NewReaderSize(nil, 4<<10)
	for from < end {
		section := io.NewSectionReader(p.r, from, end-from)
		in.Reset(section)
		var head format.PageHeader
		if err := decodeThrift(in, end-from, &head); err != nil {
			return fmt.Errorf("damaged: the head of a page at byte %d: %w", from, err)
		}
		// The page begins behind what of the section is read and no longer in the buffer.
		at, _ := section.Seek(0, io.SeekCurrent)
		from += at - int64(in.Buffered())
		packed, unpacked, n := int64(head.CompressedPageSize), int64(head.UncompressedPageSize), pageLength(&head)
		if packed < 0 || packed > end-from || unpacked < 0 || n < 0 {
			return fmt.Errorf("damaged: a page of %d values and %d bytes, of %d in the file, at byte %d", n, unpacked, packed, from)
		}
		p.bytes += unpacked
		p.values += n
		if p.bytes > unpackedBytes+unpackedRatio*p.size || p.values > pageValues+valuesRatio*p.size {
			return fmt.Errorf("damaged: pages of %d values and %d bytes in a file of %d", p.values, p.bytes, p.size)
		}
		from += packed
	}
	return nil
}

// pageLength returns how many values a page has, which is data or a dictionary.
func pageLength(head *format.PageHeader) int64 {
	switch head.Type {
	case format.DataPage:
		return int64(head.DataPageHeader.V.NumValues)
	case format.DataPageV2:
		return int64(head.DataPageHeaderV2.V.NumValues)
	case format.DictionaryPage:
		return int64(head.DictionaryPageHeader.V.NumValues)
	}
	return 0
}

// decodeThrift decodes v, which has at most size bytes.
func decodeThrift(in *bufio.Reader, size int64, v any) error {
	return thrift.NewDecoder(boundedReader{new(thrift.CompactProtocol).NewReader(in), size}).Decode(v)
}

// A boundedReader is a reader of Thrift that allocates no more than a structure of size
// bytes can hold. The library's own allocates whatever length a string or a list states.
type boundedReader struct {
	thriftReader
	size int64
}

type thriftReader = thrift.Reader

func (r boundedReader) ReadBytes() ([]byte, error) {
	n, err := r.ReadLength()
	if err == nil {
		err = r.check("string", n)
	}
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r.Reader(), b)
	return b, err
}

func (r boundedReader) ReadString() (string, error) {
	b, err := r.ReadBytes()
	return string(b), err
}

func (r boundedReader) ReadList() (thrift.List, error) {
	list, err := r.thriftReader.ReadList()
	if err == nil {
		err = r.check("list", int(list.Size))
	}
	return list, err
}

// check returns an error if something of n parts, each of a byte or more, is too long.
func (r boundedReader) check(what string, n int) error {
	if int64(n) > r.size {
		return fmt.Errorf("a %s of length %d in %d bytes", what, n, r.size)
	}
	return nil
}
