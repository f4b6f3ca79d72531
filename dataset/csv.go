package dataset

import (
	"fmt"
	"io"
	"iter"
	"strconv"

	"bayes"
)

// CSV reads comma-separated values. The comma may be a semicolon or a tab: unless options
// say which, it is the one that is most often in the header. It may be ranged over once, as r can be
// read only once; name stands for r in errors. See [Records] for the dialect
// and [Options] for the columns, which must be in the header.
//
// A record with more or fewer fields than the header, a label that is empty or
// has a tab or line end in it, and a number that is none are a [*SyntaxError].
// A column that is not there, or is there twice, and a file without even a
// header are other errors. A header alone gives no examples.
func CSV(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readCSV, r, name, opts)
}

// TSV reads tab-separated values, with the quotes of [CSV].
func TSV(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readTSV, r, name, opts)
}

func readCSV(in *input, yield func(bayes.Example, error) bool) { readTable(in, ',', yield) }
func readTSV(in *input, yield func(bayes.Example, error) bool) { readTable(in, '\t', yield) }

// A table is the state of readTable.
type table struct {
	in      *input
	p       *recordReader
	builder *exampleBuilder
	index   []int // of each of the builder's columns, -1 if absent
	width   int   // the number of fields of a record
}

func readTable(in *input, comma byte, yield func(bayes.Example, error) bool) {
	in.delimiter = in.findDelimiter(comma)
	t := &table{in: in, p: newRecordReader(in.w, in.name, in.delimiter), builder: newExampleBuilder(in)}
	if err := t.readHeader(); err != nil {
		yield(bayes.Example{}, err)
		return
	}
	if in.header != nil && !in.opts.NoHeader && !in.header(t.p.raw) {
		return
	}
	// Without a header, the record that was read is an example.
	for ok := in.opts.NoHeader || t.p.next(); ok; ok = t.p.next() {
		ex, err := t.example()
		if err == errSkip {
			continue
		}
		in.raw, in.spelled = t.p.raw, t.spelled()
		if !yield(ex, err) {
			return
		}
	}
	if t.p.err != nil {
		yield(bayes.Example{}, t.p.err)
	}
}

// spelled returns the part of the present record that is the label, with quotes, if labels alone are read.
func (t *table) spelled() []byte {
	if !t.in.opts.onlyLabel || t.p.bad != nil || len(t.index) == 0 || t.index[0] < 0 || t.index[0] >= len(t.p.fields) {
		return nil
	}
	f := t.p.fields[t.index[0]]
	if f.start > 0 && f.end < len(t.p.raw) && t.p.raw[f.start-1] == '"' && t.p.raw[f.end] == '"' {
		return t.p.raw[f.start-1 : f.end+1]
	}
	return t.p.raw[f.start:f.end]
}

// readHeader reads the first record, and finds the columns.
func (t *table) readHeader() error {
	if !t.p.next() {
		if t.p.err == nil {
			return fmt.Errorf("%s: empty", t.in.name)
		}
		return t.p.err
	}
	t.width = len(t.p.fields)
	if t.in.opts.NoHeader {
		return t.findColumns(nil)
	}
	header, err := t.header()
	if err == nil {
		err = t.findColumns(header)
	}
	return err
}

// header returns the names in the first record. An error in the header ends the
// iteration, since no record can be read without it.
func (t *table) header() ([]string, error) {
	if t.p.bad != nil {
		return nil, fmt.Errorf("%v", t.p.bad)
	}
	if err := t.in.detectEncoding(t.p.raw); err != nil {
		return nil, t.fatal(err)
	}
	names := make([]string, t.width)
	for i := range names {
		names[i] = t.in.text(t.p.value(i))
	}
	t.in.stats.columns = names
	return names, nil
}

// fatal returns err with its place, as an error that is not of one record.
func (t *table) fatal(err error) error {
	return fmt.Errorf("%s:%d: %w", t.in.name, t.p.start, err)
}

// findColumns finds the columns in the header; without one it is nil.
func (t *table) findColumns(header []string) (err error) {
	h := newHeader(header, t.width, t.builder.columns, t.in.opts)
	if t.index, err = h.find(); err == nil && t.builder.hasOthers {
		err = t.addOthers(h)
	}
	if err != nil {
		return t.fatal(err)
	}
	return nil
}

// addOthers adds the columns that nothing names.
func (t *table) addOthers(h *header) error {
	named := make(map[int]bool)
	for _, i := range t.index {
		named[i] = true
	}
	for i := range t.width {
		name := "#" + strconv.Itoa(i+1)
		if h.names != nil {
			name = h.names[i]
		}
		if named[i] || !t.builder.isOther(name, i) {
			continue
		}
		if h.exact[name].times > 1 {
			return fmt.Errorf("the header has column %q %d times, and %s asks for it", name, h.exact[name].times, Others)
		}
		t.builder.addOther(name)
		t.index = append(t.index, i)
	}
	return nil
}

// example returns the present record as an example.
func (t *table) example() (bayes.Example, error) {
	if t.p.bad != nil {
		return bayes.Example{}, t.p.bad
	}
	ex, err := t.convert()
	if err == nil || err == errSkip {
		return ex, err
	}
	return bayes.Example{}, &SyntaxError{t.in.name, t.p.start, err}
}

// convert turns the fields of the present record into an example.
func (t *table) convert() (bayes.Example, error) {
	if n := len(t.p.fields); n != t.width {
		return bayes.Example{}, t.ragged(n)
	}
	if err := t.in.detectEncoding(t.p.raw); err != nil {
		return bayes.Example{}, err
	}
	ex := t.builder.example(t.width)
	for i, c := range t.builder.columns {
		if t.index[i] < 0 {
			continue
		}
		if err := t.builder.set(&ex, c, t.p.value(t.index[i])); err != nil {
			return bayes.Example{}, err
		}
	}
	return ex, nil
}

// ragged returns the error of a record of n fields, where the table has another number.
func (t *table) ragged(n int) error {
	first := "header"
	if t.in.opts.NoHeader {
		first = "first record"
	}
	unit := "fields"
	if n == 1 {
		unit = "field"
	}
	return fmt.Errorf("%d %s where the %s has %d", n, unit, first, t.width)
}
