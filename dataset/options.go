package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Options say what in a file is what. A nil *Options is the zero value.
//
// A column is named as the header, or the key of a JSON object, names it; or
// by its number from 1, as "#2", in a table. An attribute is named as its
// column was asked for.
type Options struct {
	// Format is one of [Formats]. Empty or "auto" means to go by the file's
	// name, then by its content. Only [Open] looks at it.
	Format string

	// Label is the column of the label. Empty means "label".
	Label string

	// Text are the columns of text. One column becomes the Text of the
	// example; of several, each becomes an attribute, [bayes.Text], and an empty
	// cell or a null is a missing one. Empty means "text", or none if Numeric or
	// Categorical are given.
	Text []string

	// Numeric are columns of finite numbers, each a [bayes.Number]. An empty
	// cell, NaN and null are a missing value, and give no attribute.
	Numeric []string

	// Categorical are columns each value of which is a [bayes.Category]. An
	// empty cell and a JSON null are a missing value.
	Categorical []string

	// EmptyCategory says that an empty cell or a null of a Categorical column is
	// a value of its own, the empty string, since that something is missing can
	// tell of the class too.
	EmptyCategory bool

	// Weight is the column of the example's weight, finite and not negative.
	// Examples of weight zero are left out. Empty means that each counts once.
	Weight string

	// Vectors says what the values of svmlight files must be. The zero value
	// takes any finite number.
	Vectors Vectors

	// NoHeader says that the first row of a table is an example. Columns are
	// then named by number.
	NoHeader bool

	// Encoding is a name of the [WHATWG list], such as "latin1" or
	// "shift_jis", in which what cannot be decoded becomes U+FFFD; or "utf-8",
	// in which it is a [*SyntaxError]. Empty or "auto" means UTF-8, or UTF-16
	// if a byte order mark says so; a record that is not UTF-8 is then read as
	// Windows-1252 if it can be that, and else is a [*SyntaxError].
	//
	// [WHATWG list]: https://encoding.spec.whatwg.org/#names-and-labels
	Encoding string

	// Unlabelled says that the documents are to be predicted: there may be no
	// labels, those there are are read if they can be, and weights are not
	// read, so that each record gives an example.
	Unlabelled bool
}

// Vectors is a kind of values in svmlight files. A value of another kind is a
// [*SyntaxError].
type Vectors uint8

const (
	RealVectors  Vectors = iota // any finite number
	CountVectors                // numbers from 0 up
	CodeVectors                 // whole numbers from 0 up, which stand for the values of a category
)

// check returns an error if x is not of the kind.
func (v Vectors) check(index int, x float64) error {
	switch {
	case v == RealVectors || x >= 0 && (v == CountVectors || x == math.Trunc(x)):
		return nil
	case v == CountVectors:
		return fmt.Errorf("index %d: a count must not be negative, as %v is", index, x)
	}
	return fmt.Errorf("index %d: %v is no code of a category, a whole number from 0 up", index, x)
}

// A role is what a column is for.
type role uint8

const (
	labelRole role = iota
	textRole
	numberRole
	categoryRole
	weightRole
)

// A column is one that was asked for.
type column struct {
	name string
	role role
}

// optional reports whether the column may be absent altogether.
func (c column) optional(o *Options) bool { return c.role == labelRole && o.Unlabelled }

// columns returns the columns asked for.
func (o *Options) columns() []column {
	list := []column{{o.labelName(), labelRole}}
	add := func(r role, names ...string) {
		for _, name := range names {
			list = append(list, column{name, r})
		}
	}
	add(textRole, o.textNames()...)
	add(numberRole, o.Numeric...)
	add(categoryRole, o.Categorical...)
	if o.Weight != "" && !o.Unlabelled {
		add(weightRole, o.Weight)
	}
	return list
}

func (o *Options) labelName() string {
	if o.Label == "" {
		return "label"
	}
	return o.Label
}

func (o *Options) textNames() []string {
	if len(o.Text) == 0 && len(o.Numeric) == 0 && len(o.Categorical) == 0 {
		return []string{"text"}
	}
	return o.Text
}

// check returns an error if o makes no sense for any file.
func (o *Options) check() error {
	if o.Format != "" && o.Format != "auto" {
		if err := checkFormat(o.Format); err != nil {
			return err
		}
	}
	if _, err := lookupEncoding(o.Encoding); err != nil {
		return err
	}
	return o.checkColumns()
}

// checkColumns returns an error if one column is asked for twice: a label that
// is also read as a category would tell the answer.
func (o *Options) checkColumns() error {
	columns := o.columns()
	for i, c := range columns {
		if slices.ContainsFunc(columns[:i], func(d column) bool { return d.name == c.name }) {
			return fmt.Errorf("column %q is asked for twice", c.name)
		}
	}
	return nil
}

// columnNumber returns the number of a column named by number, from 1.
func columnNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "#")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0
}
