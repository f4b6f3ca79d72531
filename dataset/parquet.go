package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"bayes"

	"github.com/parquet-go/parquet-go"
)

// Parquet reads a table of size bytes in the format of [Apache Parquet], whose
// columns must be flat: no lists and no groups. A null is a missing value; see
// [Options] for the columns. Text is UTF-8, whatever the options say.
//
// A label that is null or empty, and a number that is none, are a
// [*SyntaxError], whose line is the number of the row, from 1.
//
// [Apache Parquet]: https://parquet.apache.org/docs/file-format/
func Parquet(r io.ReaderAt, size int64, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		in, err := newInput(newWindow(bytes.NewReader(nil)), name, opts, new(stats))
		if err == nil {
			err = readParquet(in, r, size, yield)
		}
		if err != nil {
			yield(bayes.Example{}, err)
		}
	}
}

// readParquet yields the examples of a file. It returns the error that is to be yielded
// last, if there is one.
func readParquet(in *input, r io.ReaderAt, size int64, yield func(bayes.Example, error) bool) (err error) {
	defer func() {
		if p := recover(); p != nil { // the library's answer to some damaged files
			err = fmt.Errorf("%s: damaged: %v", in.name, p)
		}
	}()
	f, err := openParquet(r, size, in.stats)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	p := &parquetTable{in: in, builder: newExampleBuilder(in)}
	if err := p.find(f.Schema()); err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	rows := parquet.NewReader(f)
	defer rows.Close()
	// Rows come in batches. The error of a batch counts after its rows.
	batch := make([]parquet.Row, 64)
	for line := 1; ; {
		n, err := rows.ReadRows(batch)
		for _, row := range batch[:n] {
			ex, bad := p.example(row)
			if bad != nil && bad != errSkip {
				ex, bad = bayes.Example{}, &SyntaxError{in.name, line, bad}
			}
			line++
			if bad != errSkip && !yield(ex, bad) {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: row %d: %w", in.name, line, err)
		}
	}
}

// A parquetTable is the state of readParquet.
type parquetTable struct {
	in      *input
	builder *exampleBuilder
	index   []int           // of each of the builder's columns, -1 if absent
	row     []parquet.Value // of all columns of the file
	buf     []byte
}

// find looks the columns up in the schema.
func (p *parquetTable) find(schema *parquet.Schema) error {
	var names []string
	for _, path := range schema.Columns() {
		names = append(names, path[0])
	}
	p.in.stats.columns = names
	p.row = make([]parquet.Value, len(names))
	var err error
	if p.index, err = newHeader(names, len(names), p.builder.columns, p.in.opts).find(); err != nil {
		return err
	}
	for i, c := range p.builder.columns {
		if p.index[i] < 0 {
			continue
		}
		switch err := checkFlat(schema, names[p.index[i]], c); {
		case err != nil && c.optional(p.in.opts):
			p.index[i] = -1
		case err != nil:
			return err
		}
	}
	p.addOthers(schema, names)
	return nil
}

// checkFlat returns an error if column c, which the file calls name, is a list or a group.
func checkFlat(schema *parquet.Schema, name string, c column) error {
	switch leaf, ok := schema.Lookup(name); {
	case ok && leaf.Node.Repeated():
		return fmt.Errorf("column %q is a list", c.name)
	case !ok && name == c.name:
		return fmt.Errorf("column %q is a group of columns", c.name)
	}
	return nil
}

// addOthers adds the columns that nothing names, if they are read. Lists and groups are none.
func (p *parquetTable) addOthers(schema *parquet.Schema, names []string) {
	named := make(map[int]bool)
	for _, i := range p.index {
		named[i] = true
	}
	for i, name := range names {
		leaf, ok := schema.Lookup(name)
		if ok && !leaf.Node.Repeated() && !named[i] && p.builder.isOther(name, i) {
			p.builder.addOther(name)
			p.index = append(p.index, i)
		}
	}
}

// example returns the example of a row.
func (p *parquetTable) example(row parquet.Row) (bayes.Example, error) {
	clear(p.row)
	// Backward, so that the first value of a list stays, whose column is not ours.
	for _, v := range slices.Backward(row) {
		p.row[v.Column()] = v
	}
	ex := p.builder.example(len(p.row))
	for i, c := range p.builder.columns {
		if p.index[i] < 0 {
			continue
		}
		if err := p.builder.set(&ex, c, p.cell(p.row[p.index[i]])); err != nil {
			return bayes.Example{}, err
		}
	}
	return ex, nil
}

// cell returns a value as a cell of a table of text, empty for a null. It is valid until
// the next call.
func (p *parquetTable) cell(v parquet.Value) []byte {
	p.buf = p.buf[:0]
	switch v.Kind() {
	case parquet.Boolean:
		p.buf = strconv.AppendBool(p.buf, v.Boolean())
	case parquet.Int32:
		p.buf = strconv.AppendInt(p.buf, int64(v.Int32()), 10)
	case parquet.Int64:
		p.buf = strconv.AppendInt(p.buf, v.Int64(), 10)
	case parquet.Float:
		p.buf = strconv.AppendFloat(p.buf, float64(v.Float()), 'g', -1, 32)
	case parquet.Double:
		p.buf = strconv.AppendFloat(p.buf, v.Double(), 'g', -1, 64)
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return v.ByteArray()
	}
	return p.buf
}
