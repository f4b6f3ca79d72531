package bayes

import (
	"context"
	"slices"
)

// LeaveOneOut predicts each example by each event model fitted to all the others.
// The function visit is called once for each example, by several goroutines at
// once and in no certain order.
//
// For [Multinomial], [Complement] without normalised weights and, where all
// examples count once, [Bernoulli], with [Additive] smoothing from 1e-100 to 1e100
// on text alone and no IDF, no model is fitted: what an example changes is worked
// out from its own features, exactly, so that it costs about as much as predicting.
// Any other event model is fitted anew for each example, which takes time in the
// square of the data.
func (c *Corpus) LeaveOneOut(ctx context.Context, ems []EventModel, visit func(h *Held)) error {
	l := &leaver{Corpus: c, ems: ems}
	if err := l.prepare(); err != nil {
		return err
	}
	all := make([]int, c.Len())
	for i := range all {
		all[i] = i
	}
	p := newPool(ctx)
	p.score(all, func(chunk []int) {
		if err := l.visit(chunk, visit); err != nil {
			p.fail(err)
		}
	})
	return p.wait()
}

// Sweeps reports whether [Corpus.LeaveOneOut] fits no model for em.
func (c *Corpus) Sweeps(em EventModel) bool {
	l := &leaver{Corpus: c, ems: []EventModel{em}}
	return l.prepare() == nil && len(l.rest) == 0
}

// A leaver leaves examples out of a corpus.
type leaver struct {
	*Corpus
	ems    []EventModel
	sweeps []*sweep
	rest   []int // of ems, those that are fitted for each example
}

func (l *leaver) prepare() (err error) {
	l.sweeps, l.rest, err = l.sweepsOf(l.total, l.ems, l.arithmetic)
	return err
}

// arithmetic reports whether what an example changes can be worked out from its own
// features.
func (l *leaver) arithmetic(em EventModel) bool {
	switch m := em.(type) {
	case Selected:
		return false // what is selected depends on the example
	case Complement:
		return !l.idf && !m.Normalize // the norm depends on it
	case Bernoulli:
		return !l.idf && l.weight == nil
	}
	return !l.idf
}

// visit leaves out the examples of a chunk one by one.
func (l *leaver) visit(chunk []int, visit func(*Held)) error {
	var x features
	h := newHeld(len(l.ems), len(l.Classes()))
	sweepers := make([]*sweeper, len(l.sweeps))
	for i, s := range l.sweeps {
		sweepers[i] = s.sweeper()
	}
	var counts *Counts
	if len(l.rest) > 0 {
		counts = l.total.copied()
	}
	for _, i := range chunk {
		h.Example = i
		h.reset()
		if len(sweepers) > 0 {
			l.fill(i, &x, nil)
		}
		for _, w := range sweepers {
			w.leave(w.sums.position[l.labels[i]], l.weightOf(i), l.space.Labels)
			w.predict(&x, h.logP)
		}
		if err := l.refit(i, counts, &x, h); err != nil {
			return err
		}
		visit(h)
	}
	return nil
}

// leave leaves an example of class own out of what is scored next. N(c) is taken as one
// less still, since [bernoulliSweep] counts the example's terms among those it lacks.
func (w *sweeper) leave(own int, weight float64, declared []string) {
	w.own, w.weight = own, weight
	w.leftWeights = append(w.leftWeights[:0:0], w.weights...)
	w.leftWeights[w.order[own]] -= 2 * weight
	w.vanishes = w.examples[own] <= 1 && !slices.Contains(declared, w.classes[own])
}

// refit predicts example i by models that are fitted to all others. Where there
// is no other, every class is impossible.
func (l *leaver) refit(i int, counts *Counts, x *features, h *Held) error {
	if len(l.rest) == 0 || l.Len() == 1 {
		return nil
	}
	plain := l.plain()
	plain.fill(i, x, nil)
	counts.countFeatures(x, l.Label(i), l.weightOf(i), -1)
	left, idf := counts, []float64(nil)
	if l.idf {
		left, idf = l.weighted(counts, func(j int) bool { return j != i }), counts.frequencies()
	}
	l.fill(i, x, idf)
	for _, m := range l.rest {
		model, err := Fit(left, l.ems[m])
		if err != nil {
			return err
		}
		(&single{model, m, l.positions(model.labels())}).predict(x, h.logP)
	}
	counts.shared.Store(false) // the models are gone
	plain.fill(i, x, nil)
	counts.countFeatures(x, l.Label(i), l.weightOf(i), +1)
	return nil
}
