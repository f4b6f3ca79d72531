package dataset

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"bayes"
)

// Lines reads one document a line, without labels, for prediction. An empty
// line is an empty document. If opts say so, all of r is one document.
func Lines(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readLines, r, name, opts)
}

func readLines(in *input, yield func(bayes.Example, error) bool) {
	if in.opts.Whole {
		text, err := in.readAll()
		yield(bayes.Example{Text: text}, err)
		return
	}
	eachLine(in, yield, func(line []byte) (bayes.Example, error) {
		return bayes.Example{Text: in.text(line)}, nil
	})
}

// eachLine yields the example that parse returns for each line, which is given without
// its line end. An error of parse is an error of that line.
func eachLine(in *input, yield func(bayes.Example, error) bool, parse func(line []byte) (bayes.Example, error)) {
	l := newLineReader(in.w)
	for l.next() {
		ex, err := parseLine(in, l, parse)
		if err == errSkip {
			continue
		}
		in.raw = in.w.bytes()[:l.size]
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

// parseLine parses the line that l is at.
func parseLine(in *input, l *lineReader, parse func(line []byte) (bayes.Example, error)) (bayes.Example, error) {
	if l.tooLong {
		return bayes.Example{}, errTooLong
	}
	if err := in.detectEncoding(l.text); err != nil {
		return bayes.Example{}, err
	}
	return parse(l.text)
}

// A lineReader cuts a window into lines.
type lineReader struct {
	w       *window
	limit   int
	size    int    // of the present line, with its line end
	line    int    // its number, from 1
	text    []byte // without the line end
	tooLong bool   // the line is longer than the limit, and text is empty
}

func newLineReader(w *window) *lineReader { return &lineReader{w: w, limit: maxRecord} }

// next moves to the next line, and reports whether there is one. It does not count a
// line that a failing stream cut off.
func (l *lineReader) next() bool {
	// Drop the line before, and find the end of this one.
	l.w.drop(l.size)
	l.text, l.size, l.tooLong = nil, 0, false
	l.line++
	i := l.find()
	b := l.w.bytes()
	if i == len(b) && (len(b) == 0 && !l.tooLong || l.w.failure() != nil) {
		return false
	}
	// The last line may have no line feed.
	l.size = min(i+1, len(b))
	if l.tooLong = l.tooLong || i > l.limit; !l.tooLong {
		l.text = bytes.TrimSuffix(b[:i], []byte{'\r'})
	}
	return true
}

// find returns the end of the line, at a line feed or at the end of the stream, as a
// position in the window. It drops a line that is too long as it reads on, so that the
// window does not grow.
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
