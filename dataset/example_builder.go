package dataset

import (
	"bytes"
	"errors"
	"fmt"

	"bayes"
)

// errSkip says that a record rightly gives no example.
var errSkip = errors.New("no example")

// An exampleBuilder turns the cells of a record into an example.
type exampleBuilder struct {
	in      *input
	columns []column
	oneText bool // there is one column of text, which becomes the Text of examples
	attrs   int  // how many attributes an example may have

	others    role // of the columns that are not named
	hasOthers bool // whether they are read
}

func newExampleBuilder(in *input) *exampleBuilder {
	b := &exampleBuilder{in: in}
	b.columns, b.others, b.hasOthers = in.opts.named()
	// One column of text is no attribute. Each other column is, apart from the label and
	// the weight.
	texts := len(in.opts.textNames())
	b.oneText = texts == 1
	b.attrs = len(in.opts.Numeric) + len(in.opts.Categorical)
	if !b.oneText {
		b.attrs += texts
	}
	return b
}

// example returns an example without content, of a record of that many cells: objects may each
// have a few of very many columns.
func (b *exampleBuilder) example(cells int) (ex bayes.Example) {
	if n := min(b.attrs, cells); n > 0 {
		ex.Attrs = make([]bayes.Attr, 0, n)
	}
	return ex
}

// set adds a cell of column col to ex. The cell may be overwritten afterwards.
func (b *exampleBuilder) set(ex *bayes.Example, col column, cell []byte) (err error) {
	switch col.role {
	case labelRole:
		ex.Label, err = b.in.label(cell)
	case textRole:
		b.setText(ex, col.name, b.in.text(cell))
	case numberRole:
		err = setNumber(ex, col.name, cell)
	case categoryRole:
		if len(cell) > 0 || b.in.opts.EmptyCategory {
			ex.Attrs = append(ex.Attrs, bayes.Category(col.name, b.in.intern(cell)))
		}
	case weightRole:
		if ex.Weight, err = parseWeight(cell); err == errSkip {
			b.in.stats.row++ // it is a row, though it is not yielded
		}
	}
	if err != nil && err != errSkip {
		return fmt.Errorf("column %q: %w", col.name, err)
	}
	return err
}

// setText adds a text to ex: as its Text if there is one column of text, else as an
// attribute.
func (b *exampleBuilder) setText(ex *bayes.Example, name, s string) {
	if b.oneText {
		ex.Text = s
		return
	}
	if s != "" {
		ex.Attrs = append(ex.Attrs, bayes.Text(name, s))
	}
}

// setNumber adds a number to ex, unless it is missing.
func setNumber(ex *bayes.Example, name string, b []byte) error {
	b = bytes.TrimSpace(b)
	if isMissing(b) {
		return nil
	}
	v, err := parseFinite(b)
	if err == nil {
		ex.Attrs = append(ex.Attrs, bayes.Number(name, v))
	}
	return err
}

// isMissing reports whether b says that a number is not known.
func isMissing(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 3, 4:
		return bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("null"))
	}
	return false
}

// parseWeight returns errSkip for a weight of zero.
func parseWeight(b []byte) (float64, error) {
	w, err := parseFinite(bytes.TrimSpace(b))
	switch {
	case err != nil:
		return 0, err
	case w < 0:
		return 0, fmt.Errorf("weight %s is negative", quote(b))
	case w == 0:
		return 0, errSkip
	}
	return w, nil
}

var (
	errNoLabel    = errors.New("empty label")
	errLabelSpace = errors.New("a label must not have a tab or a line end in it")
)

// label returns b as a label. A label that cannot be read is no error if the documents
// are to be predicted.
func (in *input) label(b []byte) (string, error) {
	if in.opts.LabelSeparator != "" {
		set, err := in.labelSet(b)
		if in.opts.Unlabelled {
			err = nil
		}
		return set, err
	}
	if err := checkLabel(b); err != nil {
		if in.opts.Unlabelled {
			err = nil
		}
		return "", err
	}
	return in.intern(b), nil
}

// checkLabel returns an error if b cannot be a label, which is printed in columns.
func checkLabel(b []byte) error {
	if len(b) == 0 {
		return errNoLabel
	}
	for _, c := range b {
		if c == '\t' || c == '\n' || c == '\r' {
			return errLabelSpace
		}
	}
	return nil
}

// isOther reports whether a column that nothing names, the one at an index from 0, is to be read.
// What holds the weights of examples is not, nor where they are to be predicted.
func (b *exampleBuilder) isOther(name string, index int) bool {
	number, numbered := columnNumber(b.in.opts.Weight)
	weight := name == b.in.opts.Weight || numbered && number == index+1
	return b.hasOthers && !weight
}

// addOther adds a column of the file to those that are read.
func (b *exampleBuilder) addOther(name string) {
	b.columns = append(b.columns, column{name, b.others})
	b.attrs++
}
