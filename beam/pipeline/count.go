package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"bayes"
	"bayes/beam/part"
	"bayes/dataset"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[countFn]())
}

// A countFn counts parts. It adds up the counts of all parts of a bundle in one
// Counts, so that what travels is a few large elements a bundle, and nothing for
// each document or term.
type countFn struct {
	Space   []byte // Counts over the space that have seen nothing, as a file
	IDF     string // if not empty, a file of such Counts, read instead
	Options dataset.Options
	SkipBad bool
	Shards  int

	space  *bayes.Space
	total  *bayes.Counts
	report Report
	slot   slot
}

// maxFeatures bounds what a bundle holds. Beyond it, the Counts are emitted
// before the bundle ends.
const maxFeatures = 2 << 20

// Setup reads the space.
func (fn *countFn) Setup(ctx context.Context) error {
	space, err := spaces.get(fn.IDF+string(fn.Space), func() (*bayes.Space, error) {
		b := fn.Space
		if fn.IDF != "" {
			var err error
			if b, err = part.ReadFile(ctx, fn.IDF); err != nil {
				return nil, err
			}
		}
		c, err := parseCounts(b)
		if err != nil {
			return nil, err
		}
		return c.Space(), nil
	})
	fn.space = space
	return err
}

// spaces are those of this process.
var spaces once[*bayes.Space]

// StartBundle makes an empty Counts.
func (fn *countFn) StartBundle(ctx context.Context, _ func(int, Sum)) error {
	if err := fn.slot.acquire(ctx); err != nil {
		return err
	}
	fn.total, fn.report = bayes.NewCounts(fn.space), Report{}
	return nil
}

// ProcessElement counts one part.
func (fn *countFn) ProcessElement(ctx context.Context, p part.Part, emit func(int, Sum)) error {
	examples := fn.report.examples(ctx, p, &fn.Options, fn.SkipBad)
	counts, err := bayes.Count(ctx, fn.space, examples, &bayes.CountOptions{Workers: 1})
	if err == nil {
		err = fn.total.Add(counts)
	}
	if err := fn.report.failed(ctx, p, err); err != nil {
		return err
	}
	if fn.total.Len() > maxFeatures {
		fn.emit(emit)
	}
	return nil
}

// FinishBundle emits what the bundle has counted, a Sum for each shard of the
// features.
func (fn *countFn) FinishBundle(_ context.Context, emit func(int, Sum)) {
	fn.emit(emit)
	fn.total = nil
	fn.slot.release()
}

// Teardown frees what a bundle that failed has not.
func (fn *countFn) Teardown() { fn.slot.release() }

func (fn *countFn) emit(emit func(int, Sum)) {
	sums := []*bayes.Counts{fn.total}
	if fn.Shards > 1 {
		sums = fn.total.Shard(fn.Shards)
	}
	for i, c := range sums {
		emit(i, Sum{c, fn.report})
		fn.report = Report{} // the first shard has it
	}
	fn.total = bayes.NewCounts(fn.space)
}

// examples iterates over the examples of a part. If skipBad, those that cannot be read are
// reported and left out.
func (r *Report) examples(ctx context.Context, p part.Part, opts *dataset.Options, skipBad bool) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		bad := 0
		for ex, err := range p.Examples(ctx, opts) {
			var syntax *dataset.SyntaxError
			if skipBad && errors.As(err, &syntax) {
				r.skip(p, bad, err)
				bad++
			} else if !yield(ex, err) {
				return
			}
		}
	}
}

// failed notes the error of a part, or returns it if to try again may help.
func (r *Report) failed(ctx context.Context, p part.Part, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var again *part.ReadError
	if errors.As(err, &again) {
		return fmt.Errorf("%w", again)
	}
	if err != nil {
		r.fail(p, err)
	}
	return nil
}
