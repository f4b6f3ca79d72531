package part

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"

	"bayes"
	"bayes/dataset"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// openParquet reads the footer of a Parquet file.
func openParquet(f *file) (file *parquet.File, err error) {
	defer func() {
		if p := recover(); p != nil { // the library's answer to some damaged files
			err = fmt.Errorf("%s: damaged: %v", f.name, p)
		}
	}()
	if err := checkFooter(f); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	file, err = parquet.OpenFile(f, f.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		err = fmt.Errorf("%s: %w", f.name, err)
	}
	return file, err
}

// checkFooter looks at the length of the footer, for which the library would get memory
// before it reads it.
func checkFooter(f *file) error {
	var tail [8]byte
	if _, err := f.ReadAt(tail[:], max(0, f.size-int64(len(tail)))); err != nil && err != io.EOF {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > f.size {
		return fmt.Errorf("damaged: a footer of %d bytes", n)
	}
	return nil
}

// rowParts returns the parts of a Parquet file: runs of row groups of about size
// bytes.
func (f File) rowParts(r *file, size int64) ([]Part, error) {
	p, err := openParquet(r)
	if err != nil {
		return nil, err
	}
	groups := p.Metadata().RowGroups
	var parts []Part
	start, bytes := 0, int64(0)
	for i, g := range groups {
		if bytes += g.TotalByteSize; bytes >= size || i == len(groups)-1 {
			parts = append(parts, f.part(Rows, int64(start), int64(i+1)))
			start, bytes = i+1, 0
		}
	}
	return parts, nil
}

// readRows returns the examples of some row groups. The reader is shown a file
// that has no others: its first bytes are those of the file, and its footer lists
// these groups alone.
func (p Part) readRows(f *file, l *locator, opts *dataset.Options) iter.Seq2[bayes.Example, error] {
	file, err := openParquet(f)
	if err != nil {
		return fails(err)
	}
	meta := *file.Metadata()
	if p.End > int64(len(meta.RowGroups)) {
		return fails(fmt.Errorf("%s: has changed while it was read", p.File))
	}
	for _, g := range meta.RowGroups[:p.Start] {
		l.lines += int(g.NumRows)
	}
	meta.RowGroups = slices.Clone(meta.RowGroups[p.Start:p.End])
	meta.NumRows = 0
	for i := range meta.RowGroups {
		meta.RowGroups[i].Ordinal = int16(i)
		meta.NumRows += meta.RowGroups[i].NumRows
	}
	footer, err := appendFooter(nil, &meta)
	if err != nil {
		return fails(fmt.Errorf("%s: %w", p.File, err))
	}
	return dataset.Parquet(&spliced{f, f.size, footer}, f.size+int64(len(footer)), p.File, opts)
}

// appendFooter appends a footer as Parquet files end with.
func appendFooter(b []byte, meta *format.FileMetaData) ([]byte, error) {
	encoded, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		return nil, err
	}
	b = append(b, encoded...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(encoded)))
	return append(b, "PAR1"...), nil
}

// spliced is a file of size bytes with more behind it.
type spliced struct {
	io.ReaderAt
	size int64
	more []byte
}

// ReadAt implements [io.ReaderAt].
func (s *spliced) ReadAt(b []byte, offset int64) (int, error) {
	if offset >= s.size {
		return bytes.NewReader(s.more).ReadAt(b, offset-s.size)
	}
	if offset+int64(len(b)) <= s.size {
		return s.ReaderAt.ReadAt(b, offset)
	}
	n, err := s.ReaderAt.ReadAt(b[:s.size-offset], offset)
	if err != nil && err != io.EOF {
		return n, err
	}
	m, err := bytes.NewReader(s.more).ReadAt(b[n:], 0)
	return n + m, err
}

// readParquet returns the examples of a file. One that can only be read from the
// front is read into memory.
func readParquet(f *file, name string, opts *dataset.Options) iter.Seq2[bayes.Example, error] {
	if f.at != nil {
		return dataset.Parquet(f, f.size, name, opts)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return fails(fmt.Errorf("%s: %w", name, withoutPath(err)))
	}
	return dataset.Parquet(bytes.NewReader(b), int64(len(b)), name, opts)
}
