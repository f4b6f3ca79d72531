package bayes

import (
	"context"
	"iter"
	"sync"
)

// CountOptions are options for [Count]. A nil *CountOptions is the zero value.
type CountOptions struct {
	Workers  int           // zero means GOMAXPROCS
	Progress func(n int64) // if not nil, called now and then with the examples so far
}

// Count returns the Counts of a stream of examples, of which it holds only a
// few at a time. It stops at the first error of the stream, or when ctx is
// done. With whole weights and values the result does not depend on the number
// of workers in any bit, otherwise only within rounding.
//
// An error of the stream that means only one example is lost, such as a
// *dataset.SyntaxError, must be filtered out by the caller.
func Count(ctx context.Context, s *Space, examples iter.Seq2[Example, error], opts *CountOptions) (*Counts, error) {
	if opts == nil {
		opts = new(CountOptions)
	}
	total := NewCounts(s)
	learners := make([]*learner, orAll(opts.Workers))
	for i := range learners {
		learners[i] = newLearner(total.emptied())
		learners[i].share(learners[:i])
	}
	if err := dealOut(ctx, examples, opts.Progress, learners); err != nil {
		return nil, err
	}
	return sumOf(learners)
}

// dealOut has learners learn examples, side by side if there are several.
func dealOut(ctx context.Context, examples iter.Seq2[Example, error], progress func(int64), learners []*learner) error {
	if len(learners) == 1 {
		return deal(ctx, examples, progress, learners[0].learnAll)
	}
	batches := make(chan batch, len(learners))
	var wg sync.WaitGroup
	for _, l := range learners {
		wg.Go(func() {
			for b := range batches {
				l.learnAll(b)
			}
		})
	}
	err := deal(ctx, examples, progress, func(b batch) { batches <- b })
	close(batches)
	wg.Wait()
	return err
}

// A batch is the unit of work that is dealt out to workers.
type batch []Example

func (l *learner) learnAll(b batch) {
	for i := range b {
		if !l.learn(&b[i]) {
			l.c.Learn(b[i])
		}
	}
}

// deal cuts the examples into batches of about 64 KiB of text and hands them to
// yield.
func deal(ctx context.Context, examples iter.Seq2[Example, error], progress func(int64), yield func(batch)) error {
	const batchBytes, batchExamples = 64 << 10, 512
	var (
		b    batch
		size int
		n    int64
	)
	flush := func() {
		yield(b)
		n += int64(len(b))
		b, size = make(batch, 0, len(b)), 0
		if progress != nil {
			progress(n)
		}
	}
	for ex, err := range examples {
		if err != nil {
			return err
		}
		b = append(b, ex)
		if size += len(ex.Text); size >= batchBytes || len(b) == batchExamples {
			if err := ctx.Err(); err != nil {
				return err
			}
			flush()
		}
	}
	flush()
	return ctx.Err()
}
