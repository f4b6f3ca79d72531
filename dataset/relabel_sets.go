package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bayes/internal/labelset"
)

// RelabelSets is [Source.Relabel] where records may have several labels, see [Options].LabelSeparator: record i gets the
// labels that of returns, or keeps its own if of reports false. A set is spelled as its format has it: in a table with
// the separator between, in JSON lines as the record's own is, an array or a string, in fastText each with its prefix, in
// svmlight with commas.
func (s *Source) RelabelSets(w io.Writer, of func(record int) (labels []string, changed bool)) error {
	if err := s.CheckRelabel(); err != nil {
		return err
	}
	formats, err := s.Formats()
	if err != nil {
		return err
	}
	spell := setSpellings[formats[0]]
	return s.relabel(w, func(record int, r *Row) ([]byte, error) {
		labels, changed := of(record)
		if !changed {
			return r.spelled, nil
		}
		if !s.writesUTF8(r, labels) {
			return nil, errEncoding
		}
		return spell(r, slices.Sorted(slices.Values(labels)), s.opts.LabelSeparator)
	})
}

// writesUTF8 reports whether labels can be written into a record in UTF-8.
func (s *Source) writesUTF8(r *Row, labels []string) bool {
	inUTF8 := slices.Contains([]string{"", "auto", "utf-8"}, strings.ToLower(s.opts.Encoding)) && utf8.Valid(r.Raw)
	return inUTF8 || !slices.ContainsFunc(labels, func(label string) bool {
		return strings.ContainsFunc(label, func(c rune) bool { return c >= utf8.RuneSelf })
	})
}

// setSpellings are how formats spell a set of labels in the place of the one that a record has.
var setSpellings = map[string]func(r *Row, labels []string, separator string) ([]byte, error){
	"csv":      spellCell,
	"tsv":      spellCell,
	"jsonl":    spellJSON,
	"fasttext": spellPrefixed,
	"svmlight": spellCommas,
}

// spellCell spells a cell of a table, in quotes if the record's own is, or if it needs them.
func spellCell(r *Row, labels []string, separator string) ([]byte, error) {
	cell := []byte(strings.Join(labels, separator))
	if bytes.HasPrefix(r.spelled, []byte{'"'}) || bytes.ContainsAny(cell, "\"\r\n"+string(rune(r.Delimiter))) {
		cell = slices.Concat([]byte{'"'}, bytes.ReplaceAll(cell, []byte{'"'}, []byte{'"', '"'}), []byte{'"'})
	}
	return cell, nil
}

// spellJSON spells a value of JSON: a string if the record's own is one, or else an array.
func spellJSON(r *Row, labels []string, separator string) ([]byte, error) {
	var value any = append([]string{}, labels...)
	if bytes.HasPrefix(r.spelled, []byte{'"'}) {
		value = labelset.Join(labels, separator)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// spellPrefixed spells the words at the start of a line of fastText, with the space behind them if there is a text.
func spellPrefixed(r *Row, labels []string, _ string) ([]byte, error) {
	var b []byte
	for _, label := range labels {
		b = append(append(append(b, labelPrefix...), label...), ' ')
	}
	if n := len(r.spelled); n > 0 && !isSpace(r.spelled[n-1]) {
		b = bytes.TrimSuffix(b, []byte{' '})
	}
	return b, nil
}

// spellCommas spells the first word of a line of svmlight.
func spellCommas(r *Row, labels []string, _ string) ([]byte, error) {
	if slices.ContainsFunc(labels, func(label string) bool { return strings.ContainsAny(label, " ,:") }) {
		return nil, errors.New("a label with a comma, a colon or a space has no place in svmlight")
	}
	b := []byte(strings.Join(labels, ","))
	if len(b) > 0 && len(r.spelled) == 0 {
		b = append(b, ' ')
	}
	return b, nil
}
