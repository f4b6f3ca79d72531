package server

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bayes"
	"bayes/dataset"

	"github.com/danielgtaylor/huma/v2"
)

// tableType is the media type of a table: CSV, with commas, semicolons or tabs between cells.
const tableType = "text/csv"

// A table is a file of labelled records that a client has sent, on disk.
type table struct {
	*transfer
	size    int64 // bytes
	opts    dataset.Options
	skipBad bool
	limits  Limits

	rows int64 // that were read
	skips
}

// Skips are records that were left out.
type skips struct {
	skipped int64
	why     string // the first was
}

// skip counts a record that is left out.
func (s *skips) skip(why string) {
	if s.skipped++; s.skipped == 1 {
		s.why = why
	}
}

// tableParams are the parameters of the routes that take a table.
func tableParams(o *operationBuilder) *operationBuilder {
	word := &huma.Schema{Type: "string"}
	return o.
		param("label", "Of a table: the column of the label, by its name or as #2; label unless the model was trained with another", word).
		param("text", "The column of the text; several with commas between", word).
		param("encoding", "The character set, such as euc-kr; UTF-8, or where it is not that Windows-1252, unless it is given", word).
		param("header", "Whether the first row has the names of the columns", &huma.Schema{Type: "boolean", Default: true}).
		param("skip_bad", "Whether records that cannot be read are left out, and counted, rather than a mistake", &huma.Schema{Type: "boolean"})
}

// readOptions reads what the query of a request says of a table into opts.
func readOptions(r *http.Request, opts *dataset.Options) error {
	q := r.URL.Query()
	opts.Format = "csv"
	opts.Label = cmp.Or(q.Get("label"), opts.Label, "label")
	for name, list := range map[string]*[]string{"text": &opts.Text, "numeric": &opts.Numeric, "categorical": &opts.Categorical} {
		if q.Has(name) {
			*list = namesOf(q.Get(name))
		}
	}
	opts.Encoding = q.Get("encoding")
	if q.Has("header") {
		header, err := boolParam(r, "header")
		if err != nil {
			return err
		}
		opts.NoHeader = !header
	}
	opts.Remembered = opts.Remembered && !q.Has("label") && !q.Has("text") && !q.Has("header")
	return nil
}

// namesOf returns names that have commas between them.
func namesOf(s string) (names []string) {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// columnsOf returns how a table is read for a model: by the columns that it was trained from.
func columnsOf(m *bayes.Model) dataset.Options {
	texts, numbers, categories := m.Attributes()
	was := m.Columns()
	if m.ReadsText() && len(numbers)+len(categories) > 0 {
		texts = append(slices.Clone(texts), "text")
	}
	if len(was.Text) > 0 {
		texts = was.Text
	}
	return dataset.Options{
		Label: was.Label, Text: texts, Numeric: numbers, Categorical: categories,
		EmptyCategory: was.EmptyCategory, NoHeader: was.NoHeader, Remembered: true,
		LabelSeparator: m.Space().LabelSeparator,
	}
}

// receiveTable writes a table that is sent to disk. The request holds the memory to read its
// longest record.
func (s *Server) receiveTable(w http.ResponseWriter, r *http.Request, folder string, opts dataset.Options) (*table, error) {
	skipBad, err := boolParam(r, "skip_bad")
	if err == nil {
		err = readOptions(r, &opts)
	}
	if err != nil {
		return nil, err
	}
	file, p := s.receive(w, r, folder)
	if p != nil {
		return nil, p
	}
	t := &table{transfer: file, opts: opts, skipBad: skipBad, limits: s.opts.Limits}
	if t.size, err = t.rewind(); err != nil {
		t.end()
		return nil, s.fault(r, err)
	}
	if p := shareOf(w).take(4 * min(t.size, s.opts.Limits.Body)); p != nil {
		t.end()
		return nil, p
	}
	return t, nil
}

// examples yields the records of t, each with its number from 1. Of an error, the *problem is the
// last that is yielded.
func (t *table) examples() iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		in := &recordLimit{r: t.file, most: t.limits.Body}
		for ex, err := range dataset.CSV(in, "row", &t.opts) {
			var syntax *dataset.SyntaxError
			if err != nil && !errors.As(err, &syntax) {
				yield(ex, t.problem(err))
				return
			}
			t.rows++
			if err == nil {
				err = t.check(ex)
			}
			if err == nil {
				if !yield(ex, nil) {
					return
				}
				continue
			}
			if !t.skipBad {
				yield(ex, t.problem(err))
				return
			}
			t.skip(oneLine(err))
		}
	}
}

// check returns an error if an example is over the limits of the server.
func (t *table) check(ex bayes.Example) error {
	if size := sizeOf(ex); size > int64(t.limits.Text)+1024 {
		return fmt.Errorf("record %d has %d bytes, of at most %d", t.rows, size, t.limits.Text)
	}
	if _, p := checkedLabel(ex.Label); p != nil {
		return fmt.Errorf("record %d: %s", t.rows, p.Detail)
	}
	return nil
}

// problem returns what a client is told of an error of reading.
func (t *table) problem(err error) *problem {
	if errors.Is(err, errLongRecord) {
		return fail(http.StatusRequestEntityTooLarge, "a record is longer than %d bytes: is a quotation mark never closed?", t.limits.Body)
	}
	return fail(http.StatusUnprocessableEntity, "%s", oneLine(err))
}

var errLongRecord = errors.New("server: a record is too long")

// A recordLimit reads a table, and ends with an error where a record is longer than some bytes:
// its reader holds a record whole.
type recordLimit struct {
	r       io.Reader
	most    int64
	length  int64 // of the record so far
	quoted  bool
	inField bool // whether the field has begun, so that a quotation mark is one like others
}

func (l *recordLimit) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	for _, c := range b[:n] {
		l.length++
		switch {
		case c == '"' && (l.quoted || !l.inField):
			l.quoted, l.inField = !l.quoted, true
		case l.quoted:
		case c == '\n' || c == '\r':
			l.length, l.inField = 0, false
		default:
			l.inField = c != ',' && c != ';' && c != '\t'
		}
	}
	if l.length > l.most {
		return n, errLongRecord
	}
	return n, err
}

// boolParam returns a parameter of the query that is true or false, false if it is not given.
func boolParam(r *http.Request, name string) (bool, error) {
	q := r.URL.Query().Get(name)
	if q == "" {
		return false, nil
	}
	v, err := strconv.ParseBool(q)
	if err != nil {
		return false, fail(http.StatusUnprocessableEntity, "%s=%.40s: want true or false", name, q)
	}
	return v, nil
}

// whySkipped says why records were left out, if any were.
func (s *skips) whySkipped() string {
	if s.skipped == 0 {
		return ""
	}
	return fmt.Sprintf("; %d were left out, the first since %s", s.skipped, s.why)
}

// asProblem returns the problem that an error of [table.examples] is.
func asProblem(err error) *problem {
	var p *problem
	if !errors.As(err, &p) {
		p = fail(http.StatusInternalServerError, "the table could not be read")
	}
	return p
}
