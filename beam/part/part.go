// Package part cuts files into parts that can be read by themselves, each by
// another worker.
//
//	files, err := part.List(ctx, globs, opts)   // where the command runs
//	file.Parts(ctx, size)                       // or, of a table,
//	file.Chunks(size), Chunk.Scan, Cut          // on any worker
//	part.Examples(ctx, opts)
//
// The examples of all parts, one after the other, are those of the files: the
// same examples, and the same errors at the same lines.
//
// # What can be cut
//
// JSONL and fastText files are cut at line ends, and Parquet files between row
// groups. In CSV and TSV a line end may be part of a quoted field, and whether it
// is depends on all that stands before it. So such a file is scanned first: a
// [Chunk] is looked at for each state in which it may be entered, and [Cut] joins
// what was found from front to back. That is exact, linear, and cheap, since a
// scan looks for quotation marks alone.
//
// A file is one part if it is compressed, if its encoding is not UTF-8 or
// something read as such, or if its file system cannot read from the middle of
// it (those of cloud stores, as Beam sees them).
package part

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"bayes"
	"bayes/dataset"
)

// A Part is a run of whole records of a file.
type Part struct {
	File   string // its name, for messages
	Path   string // where it is
	Format string // csv, tsv, jsonl, fasttext, text or parquet
	Index  int    // of the file in the list
	Kind   Kind

	// Start and End are where the part begins and ends in the file: byte offsets
	// of Bytes and Lines, row groups of Rows.
	Start, End int64

	// Header is what stands before the first record of a table. If it is not
	// empty, it is put in front of the part.
	Header []byte
}

// Kind says what the bounds of a Part are.
type Kind uint8

const (
	Whole Kind = iota // the file, compressed or not
	Bytes             // records from Start up to End
	Lines             // the lines that begin from Start up to End
	Rows              // row groups from Start up to End
)

// Less reports whether p comes before q in the list of files.
func (p Part) Less(q Part) bool {
	return p.Index < q.Index || p.Index == q.Index && p.Start < q.Start
}

// Examples returns the examples of p.
func (p Part) Examples(ctx context.Context, opts *dataset.Options) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		f, err := open(ctx, p.File, p.Path)
		if err != nil {
			yield(bayes.Example{}, &ReadError{err})
			return
		}
		defer f.Close()
		l := &locator{part: p, file: f}
		for ex, err := range p.read(f, l, opts) {
			if err != nil && f.failure != nil {
				err = &ReadError{err}
			} else if err != nil {
				err = l.locate(err)
			}
			if !yield(ex, err) {
				return
			}
		}
	}
}

// A ReadError says that a file could not be read now. To try again may help,
// which it never does against what is wrong with the data.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// read returns the examples of p, whose errors count lines from where the part
// begins. It tells l about the lines before that.
func (p Part) read(f *file, l *locator, opts *dataset.Options) iter.Seq2[bayes.Example, error] {
	switch p.Kind {
	case Rows:
		return p.readRows(f, l, opts)
	case Whole:
		if p.Format == "parquet" {
			return readParquet(f, p.File, opts)
		}
		z, err := dataset.Decompress(f)
		if err != nil {
			return fails(fmt.Errorf("%s: %w", p.File, err))
		}
		return reader(p.Format)(z, p.File, opts)
	}
	start, end := p.Start, p.End
	if p.Kind == Lines {
		var err error
		if start, err = f.lineStart(start); err == nil {
			end, err = f.lineStart(end)
		}
		if err != nil {
			return fails(err)
		}
	}
	l.before(start)
	return p.readBytes(f, start, end, opts)
}

// readBytes returns the examples of a range of bytes.
func (p Part) readBytes(f *file, start, end int64, opts *dataset.Options) iter.Seq2[bayes.Example, error] {
	o := *opts
	o.NoHeader = false // a table without one is given one
	front := p.Header
	if p.Format == "jsonl" && start > 0 {
		front = []byte{'\n'} // so that nothing is taken for the start of a file
	}
	r := io.MultiReader(bytes.NewReader(front), io.NewSectionReader(f, start, max(0, end-start)))
	return reader(p.Format)(r, p.File, &o)
}

// reader returns the reader of a format.
func reader(format string) func(io.Reader, string, *dataset.Options) iter.Seq2[bayes.Example, error] {
	switch format {
	case "csv":
		return dataset.CSV
	case "tsv":
		return dataset.TSV
	case "jsonl":
		return dataset.JSONL
	case "fasttext":
		return dataset.FastText
	}
	return dataset.Lines
}

// fails returns examples of which there are none but an error.
func fails(err error) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) { yield(bayes.Example{}, err) }
}

// A locator corrects the lines of errors in a part. It counts the lines before
// the part when there is an error, and not before.
type locator struct {
	part  Part
	file  *file
	start int64 // where the records of the part begin in the file
	lines int   // before them, less those put in front; of rows, the rows
	known bool
}

// before notes that the part begins at byte start.
func (l *locator) before(start int64) { l.start = start }

// locate returns err with the line that it has in the file.
func (l *locator) locate(err error) error {
	if l.part.Kind == Whole {
		return err
	}
	if !l.known && l.part.Kind != Rows {
		lines, failed := l.file.countLines(l.start)
		if failed != nil {
			return err
		}
		l.lines = lines - bytes.Count(l.part.Header, newline)
		if l.part.Format == "jsonl" && l.start > 0 {
			l.lines--
		}
	}
	l.known = true
	var bad *dataset.SyntaxError
	if errors.As(err, &bad) {
		return &dataset.SyntaxError{File: bad.File, Line: bad.Line + l.lines, Err: bad.Err}
	}
	return l.shift(err)
}

// shift corrects the line in the text of an error, if it begins with one.
func (l *locator) shift(err error) error {
	rest, ok := strings.CutPrefix(err.Error(), l.part.File+":")
	number, message, found := strings.Cut(rest, ":")
	line, notNumber := strconv.Atoi(number)
	if !ok || !found || notNumber != nil || line <= bytes.Count(l.part.Header, newline) {
		return err
	}
	return fmt.Errorf("%s:%d:%s", l.part.File, line+l.lines, message)
}

var newline = []byte{'\n'}
