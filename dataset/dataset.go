// Package dataset reads labelled examples from files, one after the other, and
// never holds more of a file than a record.
//
// Most callers open a list of files, whatever their format, compression and
// encoding, and hand the stream on:
//
//	source, err := dataset.Open([]string{"train.csv.gz", "more.jsonl"}, os.Stdin, nil)
//	...
//	counts, err := bayes.Count(ctx, space, source.Examples(), nil)
//
// [Source] is that list. Below it there is a reader for each format, over any
// io.Reader: [CSV], [TSV], [JSONL], [FastText], [SVMLight] and [Lines], and
// [Dir] over a file system. [Records] is CSV without any meaning, for programs
// that cut or copy tables.
//
// # Errors
//
// Each reader is an iterator of examples and errors. A [*SyntaxError] concerns
// one record, and the caller may go on ranging past it, as [Lenient] does. Any
// other error is the last thing yielded. Errors read "file:line: message", in
// one line.
//
// # Encodings
//
// Text is UTF-8. Where [Options] name no encoding, a byte order mark is
// obeyed, and a record that is not UTF-8 is read as Windows-1252 if it can be
// that: old collections of mail and messages are mostly the one and here and
// there the other.
//
// # Reading order
//
// A [Source] (source.go, source_file.go) finds the format of each file by its name
// (format.go) or its content (sniff.go). A window (window.go) is the part of a stream
// that is in memory. An input (input.go) adds the encoding of its text. Readers cut it
// into records: lines.go for formats of one record a line, records.go for tables. Those
// with columns (columns.go) hand each cell to an exampleBuilder.
package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"bayes"
)

// A SyntaxError is a record that could not be read. The records after it can.
type SyntaxError struct {
	File string
	Line int // from 1; zero where a file is one record
	Err  error
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// Lenient passes each [*SyntaxError] among examples to report, and leaves it
// out. It yields other errors. A nil report is not called.
func Lenient(examples iter.Seq2[bayes.Example, error], report func(*SyntaxError)) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for ex, err := range examples {
			var bad *SyntaxError
			if errors.As(err, &bad) {
				if report != nil {
					report(bad)
				}
				continue
			}
			if !yield(ex, err) {
				return
			}
		}
	}
}

// withoutPath returns err without the path of a file, with which messages begin anyway.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// quote returns b for an error message: quoted, in one line, and not long.
func quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q...", b[:most])
	}
	return fmt.Sprintf("%q", b)
}
