package bayes

import (
	"sync"

	"bayes/internal/sparse"
	"bayes/internal/sweep"
)

// A trainingPart is what remains of a corpus without a fold.
type trainingPart struct {
	counts *Counts
	idf    []float64 // of its terms, if the corpus is weighted by inverse document frequencies
	fold   []int     // by example
	number int       // of the fold
}

// A workspace is memory that is used again from fold to fold, since new memory costs more.
type workspace struct {
	table sparse.Workspace
	grid  sweep.Workspace
}

// borrow calls f with memory that an earlier call has left, if there is any.
func borrow(from *sync.Pool, f func(space *workspace) error) error {
	space, _ := from.Get().(*workspace)
	if space == nil {
		space = new(workspace)
	}
	defer from.Put(space)
	return f(space)
}

// without returns all examples except members, those of fold f, by subtraction. Inverse document
// frequencies do not subtract: where the corpus has them, the rest is weighted anew. What it
// returns must not be changed, and is valid until space is used again.
func (c *Corpus) without(fold []int, f int, members []int, space *workspace) trainingPart {
	counts := c.subtract(members, space)
	if !c.idf {
		return trainingPart{counts, nil, fold, f}
	}
	return trainingPart{c.weighted(counts, func(i int) bool { return fold[i] != f }), counts.frequencies(), fold, f}
}

// subtract returns the counts of all examples except some. One block is subtracted row by row, in
// space, which is fast; of several blocks the examples are unlearned one by one.
func (c *Corpus) subtract(members []int, space *workspace) *Counts {
	if len(c.total.blocks) > 1 {
		counts, plain := c.total.cloneWithIDs(), c.plain()
		var x features
		for _, i := range members {
			plain.fill(i, &x, nil)
			counts.countFeatures(&x, c.Label(i), c.weightOf(i), -1)
		}
		return counts
	}
	counts := c.total.emptyWithClasses(c.total.space)
	copy(counts.classes, c.total.classes)
	for _, i := range members {
		counts.classes[c.labels[i]].add(tally{1, c.weightOf(i)}, -1)
	}
	counts.blocks[0].table = c.total.blocks[0].table.Without(c.examples(), members, len(c.total.classes), &space.table)
	return counts
}

// plain returns c without inverse document frequencies and norm.
func (c *Corpus) plain() *Corpus {
	p := *c
	p.idf, p.norm = false, ""
	return &p
}
