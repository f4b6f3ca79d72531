package pipeline

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"bayes"
	"bayes/beam/part"
	"bayes/internal/cli"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[Sum](), encodeSum, decodeSum)
	beam.RegisterType(reflect.TypeFor[addFn]())
}

// A Sum is what has been counted of some parts, or the share of it that one
// shard of the features has, and what was odd about these parts.
type Sum struct {
	Counts *bayes.Counts // nil if nothing was to be counted
	Report Report
}

// An addFn adds up Sums. It is a CombineFn: a Sum is input, accumulator and
// output, since Counts form a group.
type addFn struct{}

// MergeAccumulators adds b to a.
func (addFn) MergeAccumulators(a, b Sum) (Sum, error) {
	a.Report.add(b.Report)
	if b.Counts == nil {
		return a, nil
	}
	if a.Counts == nil {
		a.Counts = b.Counts
		return a, nil
	}
	if x, y := a.Counts.AnalyzerVersion(), b.Counts.AnalyzerVersion(); x != y && x != "" && y != "" {
		return a, fmt.Errorf("workers are of different releases: version %q of the analyzer, and %q", x, y)
	}
	return a, a.Counts.Add(b.Counts)
}

// encodeSum encodes a Sum: the length of its report, the report as JSON, and the
// Counts in the format of docs/format.md.
func encodeSum(s Sum) ([]byte, error) {
	report, err := json.Marshal(s.Report)
	if err != nil {
		return nil, err
	}
	b := binary.AppendUvarint(nil, uint64(len(report)))
	b = append(b, report...)
	if s.Counts == nil {
		return b, nil
	}
	return appendCounts(b, s.Counts)
}

func decodeSum(b []byte) (s Sum, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return Sum{}, errors.New("a sum that is cut short")
	}
	report, counts := b[size:][:n], b[size:][n:]
	if err := json.Unmarshal(report, &s.Report); err != nil {
		return Sum{}, err
	}
	if len(counts) > 0 {
		s.Counts, err = parseCounts(counts)
	}
	return s, err
}

// appendCounts appends c as a model file: the one form in which the analyzer's
// languages can be told when it is read. Its event model means nothing.
func appendCounts(b []byte, c *bayes.Counts) ([]byte, error) {
	w := bytes.NewBuffer(b)
	err := bayes.Save(w, c, bayes.Multinomial{})
	return w.Bytes(), err
}

func parseCounts(b []byte) (*bayes.Counts, error) {
	c, _, err := bayes.Load(bytes.NewReader(b), cli.Languages()...)
	return c, err
}

// A Report is what was odd about the data.
type Report struct {
	Documents int64  `json:",omitempty"` // predicted
	Bad       int64  `json:",omitempty"` // records that were skipped
	Notes     []Note `json:",omitempty"` // the first of them
	Failure   *Note  `json:",omitempty"` // the first error that may not be skipped
}

// A Note is an error in the data. It knows its place, so that the same notes are
// told whatever workers find them, in whatever order.
type Note struct {
	File  int   // its index in the list
	Start int64 // of the part
	N     int   // the note's number within the part
	Text  string
}

const maxNotes = 10

func (n Note) compare(o Note) int {
	return cmp.Or(cmp.Compare(n.File, o.File), cmp.Compare(n.Start, o.Start), cmp.Compare(n.N, o.N))
}

// add adds what is odd about other data to r.
func (r *Report) add(o Report) {
	r.Documents += o.Documents
	r.Bad += o.Bad
	r.Notes = append(r.Notes, o.Notes...)
	slices.SortFunc(r.Notes, Note.compare)
	r.Notes = r.Notes[:min(len(r.Notes), maxNotes)]
	if o.Failure != nil && (r.Failure == nil || o.Failure.compare(*r.Failure) < 0) {
		r.Failure = o.Failure
	}
}

// skip notes the n-th bad record of p.
func (r *Report) skip(p part.Part, n int, err error) {
	r.Bad++
	if n < maxNotes {
		r.add(Report{Notes: []Note{{p.Index, p.Start, n, err.Error()}}})
	}
}

// fail notes an error of p that may not be skipped.
func (r *Report) fail(p part.Part, err error) {
	r.add(Report{Failure: &Note{p.Index, p.Start, 0, err.Error()}})
}
