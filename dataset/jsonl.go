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
	"bayes/internal/terminal"
)

var (
	errNotObject = errors.New("not a JSON object")
	errNested    = errors.New("an object or array where a plain value is wanted")
	errLabels    = errors.New("an array where one label is wanted (hint: train --label-separator)")
)

// JSONL reads one JSON object a line. Its members are the columns of [Options].
// Blank lines are skipped. A number or boolean serves as text, label or category
// as it is spelled; null means absent. A number may be in a string. Of members of
// the same name, the last counts.
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
	o := newObjectParser(in)
	eachLine(in, yield, o.parse)
}

// An objectParser parses lines of JSON.
type objectParser struct {
	in      *input
	builder *exampleBuilder
	members members  // which are read
	values  [][]byte // in the places of members, as they are in the line; nil if absent
	named   int      // how many places the columns have that the options name
	others  []int    // the other columns that the line has
	found   int      // how many members of the line are read
	object  []byte   // the line
	line    []byte   // decoded, if it is not UTF-8
	key     []byte   // memory for the Scanner's Key
	buf     []byte   // memory for what cell returns
}

func newObjectParser(in *input) *objectParser {
	o := &objectParser{in: in, builder: newExampleBuilder(in), buf: []byte{}} // a nil cell would be a missing one
	o.members = newMembers(o.builder.columns, in.opts)
	o.named = placesEach * len(o.builder.columns)
	o.values = make([][]byte, o.named)
	return o
}

// parse returns the example of a line.
func (o *objectParser) parse(line []byte) (bayes.Example, error) {
	line = bytes.Trim(line, space)
	if len(line) == 0 {
		return bayes.Example{}, errSkip
	}
	if o.in.latin1 {
		// The syntax of JSON is ASCII, so that the whole line can be decoded at once.
		o.line = appendLatin1(o.line[:0], line)
		line, o.in.latin1 = o.line, false
	}
	if err := checkObject(line); err != nil {
		return bayes.Example{}, err
	}
	if o.in.stats.columns == nil {
		o.in.stats.columns = keysOf(line)
	}
	clear(o.values[:o.named])
	for _, i := range o.others {
		clear(o.values[i*placesEach:][:placesEach])
	}
	o.others = o.others[:0]
	o.scan(line)
	if o.in.opts.onlyLabel {
		o.in.spelled = choose(o.values, 0, false)
	}
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

// keysOf returns the keys of line, a valid object.
func keysOf(line []byte) []string {
	keys := []string{}
	for s := rawjson.Open(line); s.Member(); {
		keys = append(keys, string(s.Key))
	}
	return keys
}

// scan finds the values of the columns in line, a valid object.
func (o *objectParser) scan(line []byte) {
	s := rawjson.Open(line)
	s.Key, o.object, o.found = o.key, line, 0
	for s.Member() {
		i := o.members.place(s.Key)
		if i < 0 && o.builder.hasOthers && o.builder.isOther(string(s.Key), -1) {
			i = o.addOther(string(s.Key))
		}
		if i >= 0 {
			o.found++
			if i >= o.named && o.values[i] == nil {
				o.others = append(o.others, i/placesEach)
			}
			o.values[i] = o.members.spelled(i, s.Key, o.values[i], s.Value)
		}
	}
	o.key = s.Key
}

// addOther adds a column that nothing names, which this line is the first to have, and returns
// its place.
func (o *objectParser) addOther(name string) int {
	o.builder.addOther(name)
	at := len(o.values)
	o.members.index[name] = at + ownName
	o.values = append(o.values, make([][]byte, placesEach)...)
	return at + ownName
}

// example returns the example of the values that scan found. Of the columns that nothing names
// it takes those that the line has, since all lines together may have very many.
func (o *objectParser) example() (bayes.Example, error) {
	ex := o.builder.example(o.found)
	for i := range o.named / placesEach {
		if err := o.add(&ex, i); err != nil {
			return bayes.Example{}, err
		}
	}
	for _, i := range o.others {
		if err := o.add(&ex, i); err != nil {
			return bayes.Example{}, err
		}
	}
	return ex, nil
}

// add adds what column i has to an example. What may be absent is taken as absent where it cannot be read.
func (o *objectParser) add(ex *bayes.Example, i int) error {
	c := o.builder.columns[i]
	optional := c.optional(o.in.opts)
	b, err := o.cell(choose(o.values, i, optional), c)
	switch {
	case err != nil && optional:
		return nil
	case err != nil || b == nil:
		return err
	}
	return o.builder.set(ex, c, b)
}

// cell returns a value as a cell of a table of text, nil if it is missing. It is valid
// until the next call.
func (o *objectParser) cell(value []byte, c column) ([]byte, error) {
	if value == nil || value[0] == 'n' {
		if c.role == categoryRole && o.in.opts.EmptyCategory {
			return []byte{}, nil
		}
		return nil, o.absent(c, value == nil)
	}
	switch value[0] {
	case several[0]:
		return nil, fmt.Errorf("no %q, but members that differ from it in case and space alone", c.name)
	case '{', '[':
		if value[0] == '[' && c.role == labelRole {
			if o.in.opts.LabelSeparator == "" {
				return nil, fmt.Errorf("%q: %w", c.name, errLabels)
			}
			return o.in.labelArray(value)
		}
		return nil, fmt.Errorf("%q: %w", c.name, errNested)
	case '"':
		o.buf = rawjson.AppendString(o.buf[:0], value)
		return o.buf, nil
	}
	return value, nil
}

// optional reports whether c may be absent from an object.
func (o *objectParser) optional(c column) bool {
	return c.role == numberRole || c.role == categoryRole || c.role == textRole && !o.builder.oneText || c.optional(o.in.opts)
}

// absent returns an error if column c must not be absent: because there is no such member, or it
// is null.
func (o *objectParser) absent(c column, noMember bool) error {
	if o.optional(c) {
		return nil
	}
	var names, free []string
	for s := rawjson.Open(o.object); s.Member(); {
		names = append(names, string(s.Key))
		if o.members.place(s.Key) < 0 {
			free = append(free, string(s.Key))
		}
	}
	if !noMember || len(names) == 0 {
		return fmt.Errorf("no %q", c.name)
	}
	var missing []column
	for i, c := range o.builder.columns {
		if choose(o.values, i, false) == nil && !o.optional(c) {
			missing = append(missing, c)
		}
	}
	only := ""
	if len(free) == 1 && isWord(free[0]) {
		only = free[0]
	}
	return fmt.Errorf("no %q (the object has %s; hint: %s)", c.name, terminal.Names(names), flagsFor(missing, only))
}
