package bayes

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/fastcount"
	"bayes/internal/parallel"
)

// CountOptions are options for [Count]. A nil *CountOptions is the zero value.
type CountOptions struct {
	Workers  int           // zero means GOMAXPROCS
	Progress func(n int64) // if not nil, called now and then with the examples so far
	Features func(n int)   // if not nil, called then with the features so far of the worker that has most
}

// Count returns the Counts of a stream of examples. It holds only a few of them at
// a time. It stops at the first error of the stream, or when ctx is
// done. With whole weights and values the result does not depend on the number
// of workers in any bit, otherwise only within rounding.
//
// An error of the stream that means only one example is lost, such as a
// *dataset.SyntaxError, must be filtered out by the caller.
func Count(ctx context.Context, s *Space, examples iter.Seq2[Example, error], opts *CountOptions) (*Counts, error) {
	opts = cmp.Or(opts, new(CountOptions))
	total := NewCounts(s)
	counters := make([]*counter, parallel.Workers(opts.Workers))
	for i := range counters {
		counters[i] = newCounter(total.emptied())
		counters[i].shareNGrams(counters[0])
	}
	if err := distribute(ctx, examples, opts, counters); err != nil {
		return nil, err
	}
	return mergeCounters(counters)
}

// distribute has counters learn examples, side by side if there are several.
func distribute(ctx context.Context, examples iter.Seq2[Example, error], opts *CountOptions, counters []*counter) error {
	learn := counters[0].learnAll
	if len(counters) > 1 {
		work := make(chan []Example, len(counters))
		var wg sync.WaitGroup
		for _, c := range counters {
			wg.Go(func() {
				for list := range work {
					c.learnAll(list)
				}
			})
		}
		// Whatever ends the stream, the counters are at rest when this returns: the channel is closed
		// first, then they are waited for.
		defer wg.Wait()
		defer close(work)
		learn = func(list []Example) { work <- list }
	}
	n := int64(0)
	for b := range batches(examples) {
		if err := cmp.Or(b.err(), ctx.Err()); err != nil {
			return err
		}
		learn(b.examples)
		if n += int64(len(b.examples)); opts.Progress != nil {
			opts.Progress(n)
		}
		if opts.Features != nil {
			most := slices.MaxFunc(counters, func(a, b *counter) int { return cmp.Compare(a.known.Load(), b.known.Load()) })
			opts.Features(int(most.known.Load()))
		}
	}
	return ctx.Err()
}

func (c *counter) learnAll(list []Example) {
	for i := range list {
		if !c.learnPlain(&list[i]) {
			c.counts.Learn(list[i])
		}
	}
	n := c.counts.Len()
	if c.fast != nil {
		n = max(n, c.fast.Len())
	}
	c.known.Store(int64(n))
}

// A counter learns examples into Counts. Package fastcount counts the plain ones: those of a text
// alone, with a weight of one, in a Space whose values are counts of terms, or weighted subwords.
// The Counts are complete once the counter has been flushed, or merged with others.
type counter struct {
	counts *Counts
	fast   *fastcount.Counter // nil if the Space has no plain examples
	known  atomic.Int64       // features, as of the last batch
}

func newCounter(c *Counts) *counter {
	s := c.space
	if s.Vocabulary != nil || s.HashBits != 0 || s.Log || s.IDF != nil || s.Norm != "" || s.Threshold != 0 || s.Histograms {
		return &counter{counts: c}
	}
	return &counter{counts: c, fast: fastcount.New(c.blocks[0].table, fastcount.Options{
		Analyzer: s.analyzer(), SubwordWeight: s.subwordWeight(), Binary: s.Binary,
	})}
}

// shareNGrams makes c share the n-gram dictionary of another new counter of the same Space.
func (c *counter) shareNGrams(with *counter) {
	if c.fast != nil {
		c.fast.ShareNGrams(with.fast)
	}
}

// learnPlain learns ex if it is plain, and reports whether it is. An example that is not is
// left to [Counts.Learn].
func (c *counter) learnPlain(ex *Example) bool {
	if c.fast == nil {
		return false
	}
	if len(ex.Attrs) > 0 || ex.weight() != 1 {
		c.fast.Materialise()
		return false
	}
	k := c.counts.class(ex.Label)
	c.counts.classes[k].add(tally{1, 1}, +1)
	c.fast.Count(k, ex.Text)
	return true
}

// flush completes the Counts. Features keep their IDs.
func (c *counter) flush() {
	if c.fast != nil {
		c.fast.Flush(len(c.counts.classes))
	}
}

// mergeCounters returns the sum of what counters have learned.
func mergeCounters(counters []*counter) (*Counts, error) {
	var (
		sharing []*counter
		groups  [][]*counter // each with the same term IDs
		wg      sync.WaitGroup
	)
	// Counters that share an n-gram dictionary have the same term IDs, and are merged row by row.
	// Any other is added by the names of its terms.
	for _, c := range counters {
		if c.fast != nil && c.fast.SharesNGrams() {
			sharing = append(sharing, c)
		} else {
			groups = append(groups, []*counter{c})
		}
	}
	if len(sharing) > 0 {
		groups = append(groups, sharing)
	}
	for _, group := range groups {
		wg.Go(func() { mergeAlike(group) })
	}
	wg.Wait()
	total := groups[0][0].counts
	for i, group := range groups {
		if i > 0 {
			if err := total.Add(group[0].counts); err != nil {
				return nil, err
			}
		}
		groups[i] = nil
	}
	return total, nil
}

// mergeAlike completes the Counts of the first of some counters with what all of them have learned.
// If there are several counters, they share term IDs.
func mergeAlike(counters []*counter) {
	if counters[0].fast == nil {
		return // a single one, which is complete
	}
	first := counters[0].counts
	fast, classes := make([]*fastcount.Counter, len(counters)), make([][]int, len(counters))
	for j, c := range counters {
		fast[j] = c.fast
		for _, cl := range c.counts.classes {
			k := first.class(cl.label)
			classes[j] = append(classes[j], k)
			if j > 0 {
				first.classes[k].add(cl.tally, +1)
			}
		}
	}
	fastcount.Merge(fast, classes)
}
