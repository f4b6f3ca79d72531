package dataset

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"bayes"
)

const labelPrefix = "__label__"

var (
	errNoPrefix   = errors.New("no " + labelPrefix + " at the start of the line")
	errMultiLabel = errors.New("more than one label (hint: --label-separator , if documents may have several)")
)

// FastText reads lines of the form "__label__x text". Of options, only those
// of encoding, LabelSeparator and Unlabelled matter.
//
// A line without a label or with several is a [*SyntaxError], unless Options have a LabelSeparator. Where labels may be
// missing several are none, and blank lines, which else are skipped, are empty documents.
func FastText(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readFastText, r, name, opts)
}

func readFastText(in *input, yield func(bayes.Example, error) bool) {
	eachLine(in, yield, in.parseFastText)
}

// parseFastText returns the example of a line.
func (in *input) parseFastText(line []byte) (bayes.Example, error) {
	line = bytes.Trim(line, space)
	if in.opts.LabelSeparator != "" && (len(line) > 0 || in.opts.Unlabelled) {
		set, text, err := in.parseLabels(line)
		if err != nil {
			return bayes.Example{}, err
		}
		return bayes.Example{Label: set, Text: in.text(text)}, nil
	}
	rest, ok := bytes.CutPrefix(line, []byte(labelPrefix))
	if !ok {
		return in.withoutPrefix(line)
	}
	label, text := cutSpace(rest)
	in.spelled = label
	more := false
	for in.opts.Unlabelled && bytes.HasPrefix(text, []byte(labelPrefix)) {
		_, text = cutSpace(text)
		more = true
	}
	if hasLabel(text) {
		return bayes.Example{}, errMultiLabel
	}
	if more { // several labels are none that could be read
		in.spelled = nil
		return bayes.Example{Text: in.text(text)}, nil
	}
	name, err := in.label(label)
	if err != nil {
		return bayes.Example{}, err
	}
	return bayes.Example{Label: name, Text: in.text(text)}, nil
}

// withoutPrefix returns the example of a line that does not begin with a label.
func (in *input) withoutPrefix(line []byte) (bayes.Example, error) {
	switch {
	case in.opts.Unlabelled:
		return bayes.Example{Text: in.text(line)}, nil
	case len(line) == 0:
		return bayes.Example{}, errSkip
	}
	return bayes.Example{}, errNoPrefix
}

// hasLabel reports whether a word of text begins as labels do.
func hasLabel(text []byte) bool {
	for i := 0; ; {
		j := bytes.Index(text[i:], []byte(labelPrefix))
		if j < 0 {
			return false
		}
		if i += j; i == 0 || isSpace(text[i-1]) {
			return true
		}
		i += len(labelPrefix)
	}
}
