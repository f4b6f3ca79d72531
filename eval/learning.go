package eval

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"bayes"
	"bayes/internal/mt19937"
)

// A LearningPoint is how a model does that has learned a number of examples.
type LearningPoint struct {
	Examples int    // learned
	Tally    *Tally // of the test examples
}

// LearningOptions are options for [LearningCurve]. A nil *LearningOptions is the
// zero value.
type LearningOptions struct {
	Sizes   []int  // rising, from 1 to the number of examples; nil means all, a half, a quarter and so on, eight sizes
	Seed    uint32 // of the shuffling
	Workers int    // cores to predict on; zero means GOMAXPROCS
}

// LearningCurve shuffles the training examples and learns from them one after the
// other; at each size it fits em to what has been counted so far, and tests it.
// So the training sets are nested, and no example is counted twice. A correction is
// learned anew at each size. The first
// examples are those of scikit-learn's shuffle(train, random_state=Seed).
//
// An IDF of the space is used as it is: if it was made of all of train, small sizes
// profit from that.
func LearningCurve(ctx context.Context, s *bayes.Space, em bayes.EventModel, train, test []bayes.Example, opts *LearningOptions) ([]LearningPoint, error) {
	if opts == nil {
		opts = new(LearningOptions)
	}
	sizes := opts.Sizes
	if sizes == nil {
		sizes = halves(len(train), 8)
	}
	if err := checkSizes(sizes, len(train)); err != nil {
		return nil, err
	}
	counts, order := bayes.NewCounts(s), mt19937.New(opts.Seed).Permutation(len(train))
	var curve []LearningPoint
	learned := 0
	for _, size := range sizes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for ; learned < size; learned++ {
			counts.Learn(train[order[learned]])
		}
		m, err := fitOn(ctx, counts, em, train, order[:size])
		if err != nil {
			return nil, fmt.Errorf("%d examples: %w", size, err)
		}
		t, err := testOn(ctx, m, test, opts.Workers)
		if err != nil {
			return nil, err
		}
		curve = append(curve, LearningPoint{size, t})
	}
	return curve, nil
}

// fitOn fits em to counts of some examples. If em is corrected, the correction is learned from them.
func fitOn(ctx context.Context, counts *bayes.Counts, em bayes.EventModel, train []bayes.Example, learned []int) (*bayes.Model, error) {
	em, err := correctedOn(ctx, counts, em, func(yield func(bayes.Example, error) bool) {
		for _, i := range learned {
			if !yield(train[i], nil) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return bayes.Fit(counts, em)
}

// correctedOn returns em with a correction that is learned from the examples that were counted, if it
// has one; of one class there is none.
func correctedOn(ctx context.Context, counts *bayes.Counts, em bayes.EventModel, learned iter.Seq2[bayes.Example, error]) (bayes.EventModel, error) {
	switch {
	case !corrects(em):
		return em, nil
	case len(counts.Classes()) < 2:
		return bayes.WithoutCorrection(em), nil
	}
	c, err := bayes.ReadCorpus(ctx, counts.Space(), learned, nil)
	if err != nil {
		return nil, err
	}
	return c.Correct(ctx, em)
}

// halves returns up to k sizes that end with n, each half of the next.
func halves(n, k int) []int {
	var sizes []int
	for ; n > 0 && len(sizes) < k; n /= 2 {
		sizes = append(sizes, n)
	}
	slices.Reverse(sizes)
	return sizes
}

func checkSizes(sizes []int, n int) error {
	last := 0
	for _, size := range sizes {
		if size <= last || size > n {
			return fmt.Errorf("sizes %v: want rising numbers from 1 to %d", sizes, n)
		}
		last = size
	}
	return nil
}

func testOn(ctx context.Context, m *bayes.Model, test []bayes.Example, workers int) (*Tally, error) {
	var examples iter.Seq2[bayes.Example, error] = func(yield func(bayes.Example, error) bool) {
		for _, ex := range test {
			if !yield(ex, ctx.Err()) {
				return
			}
		}
	}
	t := new(Tally)
	for s, err := range m.PredictAll(examples, workers) {
		if err != nil {
			return nil, err
		}
		t.Observe(s.Prediction, s.Label)
	}
	return t, nil
}
