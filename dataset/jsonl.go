package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"bayes"
	"bayes/internal/rawjson"
)

var (
	errNotObject = errors.New("not a JSON object")
	errNested    = errors.New("an object or array where a plain value is wanted")
)

// JSONL reads one JSON object a line, the members of which are the columns of
// [Options]. Blank lines are skipped. A number or boolean serves as text,
// label or category as it is spelled; null is as good as absent. A number may
// stand in a string. Of members of the same name, the last counts.
//
// A line that is not an object, one without label or text, and a value of the
// wrong kind are a [*SyntaxError]. A file that is one big array is another
// error.
func JSONL(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readJSONL, r, name, opts)
}

func readJSONL(in *input, yield func(bayes.Example, error) bool) {
	if in.w.hasPrefix("[") {
		yield(bayes.Example{}, fmt.Errorf("%s:1: a JSON array, not one object a line (hint: jq -c '.[]')", in.name))
		return
	}
	o := newObjects(in)
	eachLine(in, yield, o.parse)
}

// An objects parses lines of JSON.
type objects struct {
	in     *input
	cells  *cells
	index  map[string]int // of the columns, by name
	values [][]byte       // of the columns, as they stand in the line; nil if absent
	line   []byte
	key    []byte
	buf    []byte
}

func newObjects(in *input) *objects {
	o := &objects{in: in, cells: newCells(in), index: make(map[string]int)}
	for i, c := range o.cells.columns {
		o.index[c.name] = i
	}
	o.values = make([][]byte, len(o.cells.columns))
	return o
}

func (o *objects) parse(line []byte) (bayes.Example, error) {
	line = bytes.Trim(line, space)
	if len(line) == 0 {
		return bayes.Example{}, errSkip
	}
	if o.in.latin1 {
		// JSON's own characters are ASCII: decode the line once and for all.
		o.line = appendLatin1(o.line[:0], line)
		line, o.in.latin1 = o.line, false
	}
	if err := checkObject(line); err != nil {
		return bayes.Example{}, err
	}
	clear(o.values)
	o.scan(line)
	return o.example()
}

// checkObject returns an error if line is not a JSON object.
func checkObject(line []byte) error {
	if !json.Valid(line) {
		var v json.RawMessage
		return json.Unmarshal(line, &v)
	}
	if line[0] != '{' {
		return errNotObject
	}
	return nil
}

// scan notes the values of the columns in line, a valid object.
func (o *objects) scan(line []byte) {
	s := rawjson.Open(line)
	s.Key = o.key
	for s.Member() {
		if i, ok := o.index[string(s.Key)]; ok {
			o.values[i] = s.Value
		}
	}
	o.key = s.Key
}

func (o *objects) example() (bayes.Example, error) {
	ex := o.cells.example()
	for i, c := range o.cells.columns {
		b, err := o.plain(o.values[i], c)
		if err == nil && b != nil {
			err = o.cells.set(&ex, c, b)
		}
		if err != nil {
			return bayes.Example{}, err
		}
	}
	return ex, nil
}

// plain returns a value as a table would have it, nil if it is missing.
func (o *objects) plain(value []byte, c column) ([]byte, error) {
	if value == nil || value[0] == 'n' {
		if c.role == categoryRole && o.in.opts.EmptyCategory {
			return []byte{}, nil
		}
		return nil, o.absent(c)
	}
	switch value[0] {
	case '{', '[':
		return nil, fmt.Errorf("%q: %w", c.name, errNested)
	case '"':
		o.buf = rawjson.AppendString(o.buf[:0], value)
		return o.buf, nil
	}
	return value, nil
}

// absent returns an error if column c must not be absent.
func (o *objects) absent(c column) error {
	if c.role == numberRole || c.role == categoryRole || c.role == textRole && !o.cells.oneText || c.optional(o.in.opts) {
		return nil
	}
	return fmt.Errorf("no %q", c.name)
}
