package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Relabel writes the one file of s to w with other labels: in its format and its compression, and its records byte for byte
// except for these. A byte order mark stays, blank lines and comments are left out, and UTF-16 is written as UTF-8. Record i gets the label of record of(i), as that is spelled there; its own stays if that is i.
// Records count from 0.
func (s *Source) Relabel(w io.Writer, of func(record int) int) error {
	if err := s.CheckRelabel(); err != nil {
		return err
	}
	spelled, err := s.spelledLabels(of)
	if err != nil {
		return err
	}
	return s.relabel(w, func(record int, r *Row) ([]byte, error) {
		other := of(record)
		if other == record {
			return r.spelled, nil
		}
		label := spelled[other]
		if !bytes.Equal(label.bytes, r.spelled) && (len(label.bytes) == 0 || len(r.spelled) == 0) {
			return nil, errEncoding
		}
		if encoding := strings.ToLower(s.opts.Encoding); encoding == "" || encoding == "auto" {
			return label.in(r)
		}
		return label.bytes, nil
	})
}

// A spelling is a label as a record has it.
type spelling struct {
	bytes  []byte
	latin1 bool // that record is not UTF-8, and so is read as Windows-1252
}

// in returns l as it is spelled in r, which may be in the other encoding where each record has its own.
func (l *spelling) in(r *Row) ([]byte, error) {
	at, ok := r.spelledAt()
	if !ok || isASCII(l.bytes) {
		return l.bytes, nil
	}
	rest := slices.Concat(r.Raw[:at], r.Raw[at+len(r.spelled):])
	switch isUTF8 := utf8.Valid(rest); {
	// Where the rest of r is ASCII, r is read as what the label says. Only one in Windows-1252 that happens to be valid UTF-8, as Ã¼ is, would say another thing.
	case l.latin1 && isUTF8 && (!isASCII(rest) || utf8.Valid(l.bytes)):
		return appendLatin1(nil, l.bytes), nil
	case !l.latin1 && !isUTF8:
		b, err := charmap.Windows1252.NewEncoder().Bytes(l.bytes)
		if err != nil {
			return nil, errEncoding
		}
		return b, nil
	}
	return l.bytes, nil
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
}

// relabel writes the one file of s with the labels that spell returns, as they are spelled there.
func (s *Source) relabel(w io.Writer, spell func(record int, r *Row) ([]byte, error)) error {
	kind, err := compressionOf(s.files[0].name)
	if err != nil {
		return err
	}
	z, err := kind.compress(w)
	if err != nil {
		return err
	}
	i := 0
	for r, err := range s.Rows() {
		if err != nil {
			return err
		}
		label := r.spelled
		if !r.Header {
			if label, err = spell(i, &r); err != nil {
				return fmt.Errorf("%s: record %d: %w", s.files[0].label(), i+1, err)
			}
			i++
		}
		if err := r.writeWith(z, label); err != nil {
			return fmt.Errorf("%s: record %d: %w", s.files[0].label(), i, err)
		}
	}
	return z.Close()
}

// CheckRelabel returns an error if Relabel cannot write what s is.
func (s *Source) CheckRelabel() error {
	formats, err := s.Formats()
	switch {
	case err != nil:
		return err
	case len(s.files) != 1:
		return errors.New("want one file")
	case s.files[0].isStream():
		return fmt.Errorf("%s: it is read more than once (hint: save it first)", s.files[0].label())
	}
	switch name := s.files[0].label(); formats[0] {
	case "dir":
		return fmt.Errorf("%s: a folder: its labels are the names of folders (hint: move the files)", name)
	case "mail":
		return fmt.Errorf("%s: mail has its labels from names of folders (hint: move the messages)", name)
	case "parquet", "text":
		return fmt.Errorf("%s: format %s cannot be written with other labels: want csv, tsv, jsonl, fasttext or svmlight", name, formats[0])
	}
	return nil
}

// spelledLabels returns the labels that records are given, as they are spelled, by the record that they are of.
func (s *Source) spelledLabels(of func(record int) int) (map[int]*spelling, error) {
	wanted := make(map[int]bool)
	n := 0
	for r, err := range s.Rows() {
		if err != nil {
			return nil, err
		}
		if !r.Header {
			if other := of(n); other != n {
				wanted[other] = true
			}
			n++
		}
	}
	spelled, i := make(map[int]*spelling), 0
	for r, err := range s.Rows() {
		if err != nil {
			return nil, err
		}
		if r.Header {
			continue
		}
		if wanted[i] {
			spelled[i] = &spelling{append([]byte{}, r.spelled...), !utf8.Valid(r.Raw)}
		}
		i++
	}
	return spelled, nil
}

var errEncoding = errors.New("its label cannot be replaced in this encoding (hint: save the file as UTF-8)")

// writeWith writes r with a label in the place of its own.
func (r *Row) writeWith(w io.Writer, label []byte) error {
	parts := [][]byte{[]byte(r.mark), r.Raw}
	if !r.Header && !bytes.Equal(label, r.spelled) {
		at, ok := r.spelledAt()
		if !ok {
			return errEncoding
		}
		parts = [][]byte{[]byte(r.mark), r.Raw[:at], label, r.Raw[at+len(r.spelled):]}
	}
	for _, b := range parts {
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// spelledAt returns where in Raw the label is, if it is a part of Raw: then it ends as far from the end of the array. That of an
// empty cell at the end of the array is nothing that could be compared.
func (r *Row) spelledAt() (at int, ok bool) {
	at = cap(r.Raw) - cap(r.spelled)
	if r.spelled == nil || at < 0 || at+len(r.spelled) > len(r.Raw) {
		return at, false
	}
	return at, cap(r.spelled) == 0 || &r.Raw[:cap(r.Raw)][at] == &r.spelled[:1][0]
}
