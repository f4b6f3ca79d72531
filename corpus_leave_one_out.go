package bayes

import (
	"context"
	"errors"
	"math"

	"bayes/internal/parallel"
	"bayes/internal/sweep"
)

// LeaveOneOut predicts each example by each event model fitted to all the others.
// The function visit is called once for each example, by several goroutines at
// once and in no certain order.
//
// For [Multinomial], [OneVersusRest], [Complement] without normalised weights and,
// where all examples count once, [Bernoulli], with [Additive] smoothing from 1e-100 to 1e100
// on text alone and no IDF, no model is fitted: what an example changes is worked
// out from its own features, exactly, so that it costs about as much as predicting.
// Any other event model is fitted anew for each example, which takes time in the
// square of the data.
func (c *Corpus) LeaveOneOut(ctx context.Context, ems []EventModel, visit func(h *HeldOutScores)) error {
	l, err := c.newLeaveOneOut(ems)
	if err != nil {
		return err
	}
	p := parallel.NewPool(ctx)
	p.Part(c.Len(), chunkExamples, func(from, to int) {
		if err := l.visit(from, to, visit); err != nil {
			p.Fail(err)
		}
	})
	return p.Wait()
}

// Refits reports whether [Corpus.LeaveOneOut] fits em anew for each example.
func (c *Corpus) Refits(em EventModel) bool {
	l, err := c.newLeaveOneOut([]EventModel{em})
	return err != nil || len(l.rest) > 0
}

// A leaveOneOut predicts each example of a corpus by all others.
type leaveOneOut struct {
	*fitted          // to all examples
	rest    []*group // the groups that are fitted anew for each example
}

func (c *Corpus) newLeaveOneOut(ems []EventModel) (*leaveOneOut, error) {
	for _, em := range ems {
		if _, ok := unwrapTo[Corrected](em); ok {
			return nil, errors.New("bayes: a correction is learned from all examples at once: want folds, not to leave out one after the other")
		}
	}
	l := &leaveOneOut{fitted: &fitted{Corpus: c, groups: groups(ems)}}
	var err error
	l.grids, l.rest, err = c.gridsOf(c.total, l.groups, new(workspace), c.arithmetic)
	return l, err
}

// arithmetic reports whether the scores of a group without an example can be worked out from the
// example's own features, without fitting the group anew.
func (c *Corpus) arithmetic(g *group) bool {
	switch {
	case c.idf, g.place.reduce != nil: // every weight, or the choice of features, depends on the example
		return false
	case g.place.kind == sweep.NormalizedComplement: // the norm depends on it
		return false
	}
	return g.place.kind != sweep.Bernoulli || c.weight == nil
}

// visit leaves out the examples from one number to below another, one by one.
func (l *leaveOneOut) visit(from, to int, visit func(*HeldOutScores)) error {
	p := l.predictor()
	var counts *Counts
	if len(l.rest) > 0 {
		counts = l.total.cloneWithIDs()
	}
	for i := from; i < to; i++ {
		for _, s := range p.scorers {
			s.leaveOut(s.stats.sortedIndex[l.labels[i]], l.weightOf(i), l.space.Labels)
		}
		p.read(i, l.list[i])
		for _, s := range p.scorers {
			s.Score()
		}
		if err := l.refit(i, counts, p); err != nil {
			return err
		}
		visit(p.held)
	}
	return nil
}

// refit predicts example i by models that are fitted to all others: it takes the example off the counts, fits,
// predicts, and adds it again. Where there is no other example, every class is impossible.
func (l *leaveOneOut) refit(i int, counts *Counts, p *predictor) error {
	if len(l.rest) == 0 || l.Len() == 1 {
		return nil
	}
	x, plain := &p.x, l.plain()
	plain.fill(i, x, nil)
	counts.countFeatures(x, l.Label(i), l.weightOf(i), -1)
	// With inverse document frequencies every value changes, and all others are counted anew.
	left, idf := counts, []float64(nil)
	if l.idf {
		left, idf = l.weighted(counts, func(j int) bool { return j != i }), counts.frequencies()
	}
	l.fill(i, x, idf)
	for _, g := range l.rest {
		columns := p.held.groups[g.number]
		for j := range columns.logP {
			columns.logP[j] = math.Inf(-1)
		}
		for a, em := range g.ems {
			model, err := Fit(left, em)
			if err != nil {
				return err
			}
			p.predict(&fittedModel{Model: model, em: em, column: column{g.number, a}, classes: l.positions(model.labels())}, i, x, idf)
		}
	}
	plain.fill(i, x, nil)
	counts.countFeatures(x, l.Label(i), l.weightOf(i), +1)
	return nil
}
