package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"bayes"
)

// errSkip says that a record gives no example, and that this is as it should
// be.
var errSkip = errors.New("no example")

// A cells turns the cells of a record into an example.
type cells struct {
	in      *input
	columns []column
	oneText bool
	attrs   int // how many attributes an example may have
}

func newCells(in *input) *cells {
	c := &cells{in: in, columns: in.opts.columns()}
	texts := len(in.opts.textNames())
	c.oneText = texts == 1
	c.attrs = len(in.opts.Numeric) + len(in.opts.Categorical)
	if !c.oneText {
		c.attrs += texts
	}
	return c
}

// example returns an example without content.
func (c *cells) example() (ex bayes.Example) {
	if c.attrs > 0 {
		ex.Attrs = make([]bayes.Attr, 0, c.attrs)
	}
	return ex
}

// set adds the cell b of column col to ex.
func (c *cells) set(ex *bayes.Example, col column, b []byte) (err error) {
	switch col.role {
	case labelRole:
		ex.Label, err = c.in.label(b)
	case textRole:
		c.setText(ex, col.name, c.in.text(b))
	case numberRole:
		err = setNumber(ex, col.name, b)
	case categoryRole:
		if len(b) > 0 || c.in.opts.EmptyCategory {
			ex.Attrs = append(ex.Attrs, bayes.Category(col.name, c.in.intern(b)))
		}
	case weightRole:
		ex.Weight, err = parseWeight(b)
	}
	if err != nil && err != errSkip {
		return fmt.Errorf("column %q: %w", col.name, err)
	}
	return err
}

func (c *cells) setText(ex *bayes.Example, name, s string) {
	if c.oneText {
		ex.Text = s
		return
	}
	if s != "" {
		ex.Attrs = append(ex.Attrs, bayes.Text(name, s))
	}
}

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

// isMissing reports whether b is how a table spells that a number is not known.
func isMissing(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 3, 4:
		return bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("null"))
	}
	return false
}

// maxMagnitude is the largest number and the largest weight: of larger ones
// squares, and sums of them, overflow.
const maxMagnitude = 1e150

func parseFinite(b []byte) (float64, error) {
	v, err := strconv.ParseFloat(string(b), 64)
	switch {
	case err != nil, math.IsNaN(v), math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is not a finite number", quote(b))
	case math.Abs(v) > maxMagnitude:
		return 0, fmt.Errorf("%s is beyond %g, the largest number that can be squared and summed", quote(b), maxMagnitude)
	}
	return v, nil
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

// label returns b as a label. If there need be none, one that cannot be read is
// no error.
func (in *input) label(b []byte) (string, error) {
	if err := checkLabel(b); err != nil {
		if in.opts.Unlabelled {
			err = nil
		}
		return "", err
	}
	return in.intern(b), nil
}

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
