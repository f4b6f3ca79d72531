package pipeline

import (
	"cmp"
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

// A countFn counts groups of parts, each as one stream, so that what travels is a few large elements
// a group, and nothing for each document or term.
type countFn struct {
	Space   []byte // Counts over the space that have seen nothing, as a file
	IDF     string // if not empty, a file of such Counts, read instead
	Options dataset.Options
	SkipBad bool
	Shards  int
	Dir     string // for what is large

	space *bayes.Space
	slot  slot
}

// maxFeatures bounds what is held of a group. Beyond it, the Counts are emitted
// before the group ends. Tests lower it.
var maxFeatures = 2 << 20

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

// StartBundle waits for its turn.
func (fn *countFn) StartBundle(ctx context.Context, _ func(int, []byte)) error {
	return fn.slot.acquire(ctx)
}

// ProcessElement counts one group, and emits a Sum for each shard of the features.
func (fn *countFn) ProcessElement(ctx context.Context, g part.Group, emit func(int, []byte)) error {
	for r := (run{parts: g.Parts, fn: fn}); len(r.parts) > 0; {
		c, err := r.count(ctx)
		if err != nil {
			return err
		}
		sums := []*bayes.Counts{c}
		if fn.Shards > 1 {
			sums = c.Shard(fn.Shards)
		}
		for i, c := range sums {
			sent, err := send(ctx, fn.Dir, Sum{c, r.report})
			if err != nil {
				return err
			}
			emit(i, sent)
			r.report = Report{} // the first shard has it
		}
	}
	return nil
}

// FinishBundle lets another bundle work.
func (fn *countFn) FinishBundle(context.Context, func(int, []byte)) { fn.slot.release() }

// Teardown does so for a bundle that failed.
func (fn *countFn) Teardown() { fn.slot.release() }

// A run is what is left of a group.
type run struct {
	fn       *countFn
	parts    []part.Part
	features int
	report   Report // of the parts that were counted last
}

// count counts parts as one stream, up to the one with which there are maxFeatures, and removes
// them from parts.
func (r *run) count(ctx context.Context) (*bayes.Counts, error) {
	r.features = 0
	var failed error // that another try may mend
	c, err := bayes.Count(ctx, r.fn.space, func(yield func(bayes.Example, error) bool) {
		for len(r.parts) > 0 && r.features < maxFeatures && failed == nil {
			p := r.parts[0]
			r.parts = r.parts[1:]
			for ex, err := range r.report.examples(ctx, p, &r.fn.Options, r.fn.SkipBad) {
				if err != nil {
					failed = r.report.failed(ctx, p, err)
					break
				}
				if !yield(ex, nil) {
					return
				}
			}
		}
	}, &bayes.CountOptions{Workers: 1, Features: func(n int) { r.features = n }})
	return c, cmp.Or(failed, err)
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
