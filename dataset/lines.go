package dataset

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"bayes"
)

// Lines reads one document a line, without labels, for prediction. An empty
// line is an empty document.
func Lines(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readLines, r, name, opts)
}

func readLines(in *input, yield func(bayes.Example, error) bool) {
	eachLine(in, yield, func(line []byte) (bayes.Example, error) {
		return bayes.Example{Text: in.text(line)}, nil
	})
}

// eachLine yields what parse makes of each line, which comes without its end.
// An error is taken for one of that line.
func eachLine(in *input, yield func(bayes.Example, error) bool, parse func(line []byte) (bayes.Example, error)) {
	l := newLineReader(in.w)
	for l.next() {
		ex, err := parseLine(in, l, parse)
		if err == errSkip {
			continue
		}
		if err != nil {
			ex, err = bayes.Example{}, &SyntaxError{in.name, l.line, err}
		}
		if !yield(ex, err) {
			return
		}
	}
	if err := in.w.failure(); err != nil {
		yield(bayes.Example{}, fmt.Errorf("%s:%d: %w", in.name, l.line, err))
	}
}

func parseLine(in *input, l *lineReader, parse func(line []byte) (bayes.Example, error)) (bayes.Example, error) {
	if l.tooLong {
		return bayes.Example{}, errTooLong
	}
	if err := in.check(l.text); err != nil {
		return bayes.Example{}, err
	}
	return parse(l.text)
}

// A lineReader cuts a window into lines.
type lineReader struct {
	w       *window
	limit   int
	size    int    // of the present line, with its end
	line    int    // its number
	text    []byte // it, without its end
	tooLong bool   // it is longer than the limit, and text is empty
}

func newLineReader(w *window) *lineReader { return &lineReader{w: w, limit: maxRecord} }

// next moves to the next line, and reports whether there is one. A line that a
// failing stream cut off is none.
func (l *lineReader) next() bool {
	l.w.drop(l.size)
	l.text, l.size, l.tooLong = nil, 0, false
	l.line++
	i := l.find()
	b := l.w.bytes()
	if i == len(b) && (len(b) == 0 && !l.tooLong || l.w.failure() != nil) {
		return false
	}
	l.size = min(i+1, len(b))
	if l.tooLong = l.tooLong || i > l.limit; !l.tooLong {
		l.text = bytes.TrimSuffix(b[:i], []byte{'\r'})
	}
	return true
}

// find returns where the line ends: at a line feed or the end of the window.
// Of a line that is too long, what does not matter any more is dropped.
func (l *lineReader) find() int {
	for from := 0; ; {
		b := l.w.bytes()
		if i := bytes.IndexByte(b[from:], '\n'); i >= 0 {
			return from + i
		}
		if from = len(b); from > l.limit {
			l.tooLong = true
			l.w.drop(from)
			from = 0
		}
		if !l.w.more() {
			return from
		}
	}
}

// space is the white space within a line. It is ASCII: other spaces are text.
const space = " \t\v\f\r"

// cutSpace returns what is before the first white space in b and what is after
// it.
func cutSpace(b []byte) (before, after []byte) {
	i := 0
	for i < len(b) && !isSpace(b[i]) {
		i++
	}
	return b[:i], bytes.TrimLeft(b[i:], space)
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
