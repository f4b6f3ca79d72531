package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bayes/internal/labelset"
	"bayes/internal/terminal"
	"bayes/mail"
)

// Options say what in a file is what. A nil *Options is the zero value.
//
// The name of a column is that in the header, or the key of a JSON object, in any case and with
// any surrounding space if only one is spelled so; in a table it may also be a number from 1, as
// "#2". An attribute has the name by which its column was asked for.
type Options struct {
	// Format is one of [Formats]. Empty or "auto" means to go by the file's
	// name, then by its content. Only [Open] looks at it.
	Format string

	// Label is the column of the label. Empty means "label".
	Label string

	// LabelSeparator, if not empty, says that a record may have several labels, or none: the label of an
	// example is then a set of labels as [bayes.Space] has it, sorted and with this between them. A cell
	// of the label has it between labels; JSON may have an array of strings, and a line of fastText
	// several labels at its start.
	LabelSeparator string

	// Text are the columns of text. One column becomes the Text of the
	// example; of several, each becomes an attribute, [bayes.Text], and an empty
	// cell or a null is a missing one. Empty means "text", or none if Numeric or
	// Categorical are given.
	Text []string

	// Numeric are columns of finite numbers, each a [bayes.Number]. An empty
	// cell, NaN and null are a missing value, and give no attribute. [Others]
	// among them, or among Categorical, stands for all columns of a file that
	// nothing else names.
	Numeric []string

	// Categorical are columns whose values are each a [bayes.Category]. An
	// empty cell and a JSON null are a missing value.
	Categorical []string

	// EmptyCategory says that an empty cell or a null of a Categorical column is
	// a value of its own, the empty string. That something is missing may depend
	// on the class too.
	EmptyCategory bool

	// Weight is the column of the example's weight, finite and not negative.
	// Examples of weight zero are left out. Empty means that each counts once.
	Weight string

	// Vectors says what the values of svmlight files must be. The zero value
	// takes any finite number.
	Vectors Vectors

	// Whole says that a file of plain text, or what there is on standard input, is one
	// document, rather than one a line.
	Whole bool

	// Remembered says that a model was trained with these columns, and nobody asks for them.
	// A file that lacks the label or the one column of text is then read by the columns
	// "label" and "text", if it has those; and what has no columns has no Weight.
	Remembered bool

	// NoHeader says that the first row of a table is an example. Columns are
	// then named by number.
	NoHeader bool

	// Delimiter is what stands between the fields of a table, an ASCII character. Zero means
	// a tab in TSV, and in CSV whichever of comma, semicolon and tab is most often in the
	// header; without a header a comma, if there is one in the first line.
	Delimiter byte

	// Encoding is a name of the [WHATWG list], such as "latin1" or
	// "shift_jis", in which what cannot be decoded becomes U+FFFD; or "utf-8",
	// in which it is a [*SyntaxError]. Empty or "auto" means UTF-8, or UTF-16
	// if a byte order mark says so; a record that is not UTF-8 is then read as
	// Windows-1252 if it can be that, and else is a [*SyntaxError].
	//
	// [WHATWG list]: https://encoding.spec.whatwg.org/#names-and-labels
	Encoding string

	// Unlabelled says that the documents are to be predicted. Labels may be
	// missing; a label that is there is read if it can be. Weights are not read,
	// so that each record gives an example.
	Unlabelled bool

	// Mail says that a model was trained on mail, and nobody names another format: what has no
	// columns is mail too, however broken it is.
	Mail bool

	// RawMail says that the text of a message is all of it, as it stands, for a model that cuts that
	// itself, as [bayes/text/bogofilter] does.
	RawMail bool

	// LabelOf says what the mail of a folder is labelled, where that is not the folder's name. That
	// of a Maildir itself, apart from its folders, is INBOX.
	LabelOf map[string]string

	onlyLabel bool // of columns, only that of the label is looked for
}

// Vectors is a kind of values in svmlight files. A value of another kind is a
// [*SyntaxError].
type Vectors uint8

const (
	RealVectors  Vectors = iota // any finite number
	CountVectors                // numbers from 0 up
	CodeVectors                 // whole numbers from 0 up, each the code of a category
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

// labelName returns the name of the label's column.
func (o *Options) labelName() string {
	if o.Label == "" {
		return "label"
	}
	return o.Label
}

// textNames returns the names of the columns of text.
func (o *Options) textNames() []string {
	if len(o.Text) == 0 && len(o.Numeric) == 0 && len(o.Categorical) == 0 {
		return []string{"text"}
	}
	return o.Text
}

// check returns an error if o makes no sense for any file.
func (o *Options) check() error {
	if o.Format != "" && o.Format != "auto" {
		if err := checkFormatName(o.Format); err != nil {
			return err
		}
	}
	if _, err := lookupEncoding(o.Encoding); err != nil {
		return err
	}
	if err := checkDelimiter(o.Delimiter); err != nil {
		return err
	}
	if s := o.LabelSeparator; s != "" {
		if err := labelset.Check(s); err != nil {
			return err
		}
	}
	return o.checkColumns()
}

// checkColumns returns an error if one column is asked for twice: a label that
// is also read as a category would give the answer away.
func (o *Options) checkColumns() error {
	columns := o.columns()
	for i, c := range columns {
		if slices.ContainsFunc(columns[:i], func(d column) bool { return d.name == c.name }) {
			return fmt.Errorf("column %q is asked for twice", c.name)
		}
	}
	return nil
}

// checkFormat returns an error if the options cannot be meant for files of that
// format. A format that is not known yet, "", is good for any.
func (o *Options) checkFormat(format string) error {
	switch format {
	case "", "csv", "tsv", "jsonl", "parquet":
		return nil
	case "fasttext", "svmlight", "dir":
		return o.checkNoColumns(format)
	case "mail":
		return o.checkMail()
	case "text":
		if !o.Unlabelled {
			return errors.New("plain text has no labels (hint: --format csv, tsv, jsonl, fasttext, svmlight or dir)")
		}
		return o.checkNoColumns(format)
	}
	return checkFormatName(format)
}

// checkNoColumns returns an error if the options name columns, which a format
// without columns cannot have.
func (o *Options) checkNoColumns(format string) error {
	names := o.wantedColumns()
	if o.Mail && len(o.Numeric)+len(o.Categorical) == 0 {
		return nil // the text of a message is its main text
	}
	if o.onlyLabel || len(names) == 1 && len(o.textNames()) == 1 {
		return nil // the text, whatever it is called
	}
	hint := "a file that has them, such as .csv or .jsonl"
	if format == "text" { // as what nothing else is known of is read
		hint += "; --format csv if this is a table"
	}
	return fmt.Errorf("format %s has no columns; wanted: %s (hint: %s)", format, terminal.Names(names), hint)
}

// checkMail returns an error if the options cannot be meant for mail: its texts are what they are,
// and it says itself how it is encoded.
func (o *Options) checkMail() error {
	if o.Encoding != "" && o.Encoding != "auto" {
		return fmt.Errorf("mail names its encodings itself: leave out --encoding %s", o.Encoding)
	}
	if o.onlyLabel || len(o.textNames()) == 1 && len(o.wantedColumns()) == 1 {
		return nil // the text, whatever it is called
	}
	known := append(mail.Texts(), "text")
	names := slices.DeleteFunc(o.wantedColumns(), func(name string) bool { return slices.Contains(known, name) })
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("format mail has the texts %s, and no other columns; wanted: %s", terminal.Names(mail.Texts()), terminal.Names(names))
}

// wantedColumns returns the names of the columns that the options ask for, without that of the label.
func (o *Options) wantedColumns() (names []string) {
	for _, c := range o.columns() {
		if c.role != labelRole && !(c.role == weightRole && o.Remembered) {
			names = append(names, c.name)
		}
	}
	return names
}

// checkDelimiter returns an error if c cannot stand between fields.
func checkDelimiter(c byte) error {
	switch c {
	case '"', '\n', '\r':
		return fmt.Errorf("%q cannot be a delimiter", c)
	}
	if c >= 0x80 {
		return fmt.Errorf("%q cannot be a delimiter: it is not in ASCII", c)
	}
	return nil
}
