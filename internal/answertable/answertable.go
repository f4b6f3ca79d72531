// Package answertable reads a table of answers, as package label writes it or as a spreadsheet has written it
// since: with the columns in another order, semicolons or tabs between cells, all of them quoted, empty columns
// at the end, or in UTF-16.
package answertable

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// Columns are the columns of a table of answers, in the order in which it is written.
var Columns = []string{"label", "text", "row", "who", "when", "random"}

// ErrOther is the error of a file that is something else.
var ErrOther = errors.New("it is not a file of answers, which has the columns " + strings.Join(Columns, ","))

// ErrNotUTF8 is the error of a label or a text in some other encoding. A row may name a file, whose name may be in any.
var ErrNotUTF8 = errors.New("not UTF-8: save the table as CSV in UTF-8")

// A Table is a table that is read record by record.
type Table struct {
	// AsWritten is whether a record that package label writes may follow: columns, their order and what is between
	// cells are its own.
	AsWritten bool

	text   []byte // in UTF-8
	mark   int64  // how many bytes a mark has before text
	r      *csv.Reader
	column []int // where each of Columns is
	cells  int   // in a record
}

// A Record is a row of a table.
type Record struct {
	Cells []string // as [Columns] are
	Line  int
	// Start is where in the file it begins, after the end of the one before, and End where it ends. They are those of what was decoded if the table is in UTF-16.
	Start, End int64
}

// New returns the table that a file holds which begins with data, a byte order mark included, and has read its header. The error is [ErrOther] if
// it holds something else, and says what is wrong if it has the columns of a table of answers and cannot be one.
func New(data []byte) (*Table, error) {
	text, decoded := decode(data)
	for _, comma := range []rune{',', ';', '\t'} {
		t := &Table{text: bytes.TrimPrefix(text, []byte("\ufeff"))}
		t.mark = int64(len(text) - len(t.text))
		t.r = reader(t.text, comma)
		names, err := t.r.Read()
		if err != nil {
			continue
		}
		missing := t.find(names)
		if slices.Contains(missing, "who") || slices.Contains(missing, "random") || len(missing) > 2 { // a table of something else
			continue
		}
		if missing != nil {
			return nil, fmt.Errorf("a file of answers has the columns %s, and here is no %s", strings.Join(Columns, ","), strings.Join(missing, " and no "))
		}
		t.AsWritten = !decoded && comma == ',' && slices.Equal(names, Columns)
		for i, name := range names {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(t.column, i) {
				return nil, fmt.Errorf("column %q is none of a file of answers and would be lost: remove it, or choose another name", name)
			}
		}
		return t, nil
	}
	return nil, ErrOther
}

func reader(text []byte, comma rune) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord = comma, -1
	return r
}

// decode returns data in UTF-8, and whether it was in UTF-16.
func decode(data []byte) ([]byte, bool) {
	if !bytes.HasPrefix(data, []byte("\xff\xfe")) && !bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return data, false
	}
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(data)
	return text, err == nil
}

// find notes where each column is, by their names, and returns those that are missing.
func (t *Table) find(names []string) (missing []string) {
	t.column, t.cells = nil, len(names)
	for _, want := range Columns {
		i := slices.IndexFunc(names, func(name string) bool { return strings.TrimSpace(name) == want })
		if i < 0 {
			missing = append(missing, want)
		}
		t.column = append(t.column, i)
	}
	return missing
}

// Header returns where the header ends.
func (t *Table) Header() int64 { return t.mark + t.r.InputOffset() }

// Next returns the next record, and [io.EOF] after the last one. After another error the record tells its place, and has
// the cells that the file has if it can be told what these are.
func (t *Table) Next() (Record, error) {
	start := t.r.InputOffset()
	cells, err := t.r.Read()
	end := t.r.InputOffset()
	rec := Record{Start: t.mark + start, End: t.mark + end}
	if err != nil {
		return rec, err
	}
	rec.Line, _ = t.r.FieldPos(0)
	rec.Cells = cells
	sorted, err := t.inOrder(t.withLineEnds(cells, t.text[start:end]))
	if err != nil {
		return rec, fmt.Errorf("line %d: %w", rec.Line, err)
	}
	rec.Cells = sorted
	return rec, nil
}

// inOrder returns the cells of a record in the order of Columns.
func (t *Table) inOrder(cells []string) ([]string, error) {
	if len(cells) != t.cells {
		return nil, fmt.Errorf("%d cells, and %d are wanted", len(cells), t.cells)
	}
	for i, cell := range cells {
		if cell != "" && !slices.Contains(t.column, i) {
			return nil, fmt.Errorf("%.40q is in a column without a name and would be lost", cell)
		}
	}
	sorted := make([]string, len(Columns))
	for i, at := range t.column {
		sorted[i] = cells[at]
	}
	if label, text := sorted[0], sorted[1]; !utf8.ValidString(label) || !utf8.ValidString(text) {
		return nil, ErrNotUTF8
	}
	return sorted, nil
}

// withLineEnds returns the cells of a record, in which package csv has made each \r\n a \n, as the file has them.
func (t *Table) withLineEnds(cells []string, record []byte) []string {
	record = bytes.Trim(record, "\r\n") // which end it, or are empty lines before it
	if !bytes.Contains(record, []byte("\r\n")) {
		return cells
	}
	if spelled, err := reader(bytes.ReplaceAll(record, []byte("\r\n"), []byte("\r\r\n")), t.r.Comma).Read(); err == nil {
		return spelled
	}
	return cells
}

// Are reports whether a file that begins with head holds answers, if maybe such as cannot be read.
func Are(head []byte) bool {
	_, err := New(head)
	return !errors.Is(err, ErrOther)
}
