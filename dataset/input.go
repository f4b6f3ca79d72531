package dataset

import (
	"fmt"
	"io"
	"iter"

	"bayes"
)

// An input is one file while it is read.
type input struct {
	w       *window
	name    string
	opts    *Options
	charset charset
	marked  bool // it begins with a byte order mark
	stats   *stats
	latin1  bool     // the present record is Windows-1252
	strings interner // that intern returned
	scratch []byte   // what utf8 returned
	given   string   // the label of all that is in it, or empty

	raw       []byte                // the record yielded latest, as it is in the file
	header    func(raw []byte) bool // is given that of a table, unless it is nil, and says whether to go on
	delimiter byte                  // of a table
	spelled   []byte                // the part of raw that is its label, with quotes, if labels alone are read
}

// A reader yields the examples of an input in one format.
type reader func(in *input, yield func(bayes.Example, error) bool)

// read returns the examples of r, which is in that format.
func read(format reader, r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		w := newWindow(r)
		if err := checkForeign(w); err != nil {
			yield(bayes.Example{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		in, err := newInput(w, name, opts, new(stats))
		if err != nil {
			yield(bayes.Example{}, err)
			return
		}
		format(in, yield)
	}
}

// newInput returns an input over w, decoded as the options say.
func newInput(w *window, name string, opts *Options, st *stats) (*input, error) {
	if opts == nil {
		opts = new(Options)
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	cs, err := lookupEncoding(opts.Encoding)
	if err != nil {
		return nil, err
	}
	in := &input{name: name, opts: opts, charset: cs, stats: st}
	in.w, in.marked = in.charset.open(w)
	return in, nil
}

// detectEncoding makes record the present one, and finds its encoding. The methods utf8,
// text and intern depend on it.
func (in *input) detectEncoding(record []byte) (err error) {
	in.latin1, err = in.charset.isLatin1(record)
	if in.opts.onlyLabel {
		return nil // a label need only differ from others
	}
	if in.latin1 {
		in.stats.latin1.Add(1)
	}
	return err
}

// readAll returns the rest of in as one record.
func (in *input) readAll() (string, error) {
	for len(in.w.bytes()) <= maxRecord && in.w.more() {
	}
	b := in.w.bytes()
	err := in.w.failure()
	if err != nil {
		return "", fmt.Errorf("%s: %w", in.name, withoutPath(err))
	}
	if len(b) > maxRecord {
		err = errTooLong
	} else {
		err = in.detectEncoding(b)
	}
	if err != nil {
		return "", &SyntaxError{in.name, 0, err}
	}
	return in.text(b), nil
}

// utf8 returns b, a part of the present record, as UTF-8. It is valid until the
// next call.
func (in *input) utf8(b []byte) []byte {
	if !in.latin1 {
		return b
	}
	in.scratch = appendLatin1(in.scratch[:0], b)
	return in.scratch
}

// text returns b, a part of the present record, as a string of its own.
func (in *input) text(b []byte) string { return string(in.utf8(b)) }

// intern returns b, a part of the present record, as a string that shares its memory
// with earlier equal ones.
func (in *input) intern(b []byte) string { return in.strings.intern(in.utf8(b)) }

// An interner gives equal strings the same memory: labels and categories, which are few
// different strings.
type interner map[string]string

// maxInterned is how many strings an interner keeps.
const maxInterned = 1 << 16

func (t *interner) intern(b []byte) string {
	if s, ok := (*t)[string(b)]; ok {
		return s
	}
	s := string(b)
	if *t == nil {
		*t = make(interner)
	}
	if len(*t) < maxInterned && len(s) < 1<<10 {
		(*t)[s] = s
	}
	return s
}
