package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"bayes"
	"bayes/beam/part"
	"bayes/internal/cli"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[sumFn]())
	beam.RegisterFunction(doneFn)
}

// A Sum is what has been counted of some parts, or the share of it that one
// shard of the features has, and what was odd about these parts.
type Sum struct {
	Counts *bayes.Counts // nil if nothing was to be counted
	Report Report
}

// A sumFn adds up the Sums of each shard, and writes the sum to a file of its own. It is no CombineFn,
// which would encode and decode the sum again on its way to the file.
type sumFn struct{ Dir string }

// ProcessElement adds up the Sums of one shard, as they are sent. It returns the shard.
func (fn *sumFn) ProcessElement(ctx context.Context, shard int, next func(*[]byte) bool) (int, error) {
	var total Sum
	for sent := ([]byte)(nil); next(&sent); {
		s, err := receive(ctx, sent)
		if err == nil {
			total, err = add(total, s)
		}
		if err != nil {
			return 0, err
		}
	}
	b, err := encodeSum(total)
	if err != nil {
		return 0, err
	}
	return shard, part.WriteFile(ctx, sumFile(fn.Dir, shard), b)
}

// doneFn takes what sumFn returns. Prism waits for a step whose output nobody takes in a loop that keeps
// a core busy.
func doneFn(int) {}

// large is the size from which on a Sum does not travel through the runner, which copies what it passes on
// many times, but as a file.
const large = 1 << 20

// send returns what is to travel of s: its encoding or, if that is large, the name of a file in dir that
// has it, behind a zero byte, with which no encoding begins. What a bundle wrote that is run again
// is read by nobody.
func send(ctx context.Context, dir string, s Sum) ([]byte, error) {
	b, err := encodeSum(s)
	if err != nil || len(b) < large {
		return b, err
	}
	name := fmt.Sprintf("%s/counts-%016x", dir, rand.Uint64())
	return append([]byte{0}, name...), part.WriteFile(ctx, name, b)
}

// receive returns the Sum that was sent.
func receive(ctx context.Context, b []byte) (Sum, error) {
	if len(b) == 0 || b[0] != 0 {
		return decodeSum(b)
	}
	return readSum(ctx, string(b[1:]))
}

// readSum reads a Sum from a file.
func readSum(ctx context.Context, name string) (Sum, error) {
	b, err := part.ReadFile(ctx, name)
	if err != nil {
		return Sum{}, err
	}
	s, err := decodeSum(b)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return s, err
}

// add adds b to a.
func add(a, b Sum) (Sum, error) {
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
	w := pieces{b}
	err := bayes.Save(&w, c, bayes.Multinomial{})
	return bytes.Join(w, nil), err
}

// pieces keeps what is written piece by piece, so that memory is got for all of it at once.
type pieces [][]byte

func (p *pieces) Write(b []byte) (int, error) {
	*p = append(*p, b)
	return len(b), nil
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
