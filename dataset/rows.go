package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"bayes"
)

// A Row is a record as it is in its file.
type Row struct {
	Raw       []byte // with its line end, which the last row may lack; nil in Parquet; valid until the iterator moves on
	Header    bool   // it names the columns, and is no example
	Label     string // empty if there is none
	Delimiter byte   // what stands between the fields of a table

	spelled []byte // the part of Raw that is the label, with quotes; nil where that is not known
	mark    string // before it: a byte order mark, or nothing
}

// Rows returns the records of the files as they are there, for programs that copy some of
// them: bytes that are not text in the encoding are let through. In UTF-16 and ISO-2022-JP, where
// the byte of a quote may be part of a character, they are in UTF-8. It cuts files as Examples
// does, and skips what that skips. Of columns it looks for the label alone.
func (s *Source) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		r := s.labelsAlone()
		for _, f := range s.files {
			if !r.rowsOf(f, yield) {
				return
			}
		}
	}
}

// labelsAlone returns s for reading nothing but labels.
func (s *Source) labelsAlone() *Source {
	r := &Source{opts: s.opts, files: s.files, stdin: s.stdin}
	r.opts.onlyLabel = true
	if !cutsCharacters(r.opts.Encoding) {
		r.opts.Encoding = "" // what is not text in it is let through
	}
	return r
}

// rowsOf yields the rows of f, and reports whether those of the next file are wanted.
func (s *Source) rowsOf(f *file, yield func(Row, error) bool) bool {
	if f.format == "dir" || f.format == "mail" || f.format == "parquet" {
		return s.readFile(f, func(ex bayes.Example, err error) bool { return yield(Row{Label: ex.Label}, err) })
	}
	st, err := s.open(f)
	if err != nil {
		yield(Row{}, err)
		return false
	}
	defer st.Close()
	more, mark := true, ""
	if st.in.marked {
		mark = byteOrderMark
	}
	yieldRow := func(r Row, err error) bool {
		r.mark, mark = mark, ""
		return yield(r, err)
	}
	st.in.header = func(raw []byte) bool {
		more = yieldRow(Row{Raw: raw, Header: true, Delimiter: st.in.delimiter}, nil)
		return more
	}
	readers[f.format](st.in, func(ex bayes.Example, err error) bool {
		more = yieldRow(Row{Raw: st.in.raw, Label: ex.Label, Delimiter: st.in.delimiter, spelled: st.in.spelled}, err) && err == nil
		return more
	})
	return more
}

// Copy writes those records of the one file of s that keep returns true for, and its header,
// to w: in the format and the compression of the file, byte for byte where it is of text, a byte order mark included.
// Records count from 0.
func (s *Source) Copy(w io.Writer, keep func(record int) bool) error {
	if len(s.files) != 1 {
		return errors.New("want one file")
	}
	if _, err := s.Formats(); err != nil {
		return err
	}
	f := s.files[0]
	switch f.format {
	case "dir":
		return fmt.Errorf("%s: a folder, whose files cannot be copied as one (hint: train reads several folders)", f.label())
	case "mail":
		return fmt.Errorf("%s: mail is not copied from file to file (hint: train reads several files and folders)", f.label())
	case "parquet":
		return copyParquet(f.name, w, keep)
	}
	kind, err := compressionOf(f.name)
	if err != nil {
		return err
	}
	z, err := kind.compress(w)
	if err != nil {
		return err
	}
	if err := s.copyRows(z, keep); err != nil {
		return err
	}
	return z.Close()
}

// copyRows is Copy for text, without compression.
func (s *Source) copyRows(w io.Writer, keep func(record int) bool) error {
	i, end := 0, "" // as the first row ends
	for r, err := range s.Rows() {
		if err != nil {
			return err
		}
		if end == "" {
			end = "\n"
			if bytes.HasSuffix(r.Raw, []byte("\r\n")) {
				end = "\r\n"
			}
		}
		if r.mark != "" {
			if _, err := io.WriteString(w, r.mark); err != nil {
				return err
			}
		}
		if !r.Header {
			i++
			if !keep(i - 1) {
				continue
			}
		}
		// The file's last row may lack its line end.
		if n := len(r.Raw); n > 0 && r.Raw[n-1] != '\n' {
			r.Raw = append(r.Raw[:n:n], end...)
		}
		if _, err := w.Write(r.Raw); err != nil {
			return err
		}
	}
	return nil
}

// compressionOf returns how a file is compressed.
func compressionOf(name string) (compression, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return findCompression(newWindow(f)), nil
}
