package eval

import (
	"context"
	"math/rand/v2"
	"slices"

	"bayes/internal/nearest"
	"bayes/internal/parallel"
)

const (
	// nearestShare is how much all neighbours of the labelled examples of a class count together, if the class is of mean size, in the model by which the first shares are. Twice as much gains 0.002 on nsmc with three labels a class, and loses 0.007
	// on ucinews with 30 (docs/labels-tried.md).
	nearestShare = 12.0

	// mostNearest is the most that an example without a label counts there, if it is of mean length.
	mostNearest = 0.5

	// nearestAmong is the most examples without a label that are searched, drawn at random: this bounds the memory.
	nearestAmong = 50_000

	// manyLabels is how many labelled examples a class there are from which on no neighbours are sought: they would count less than a hundredth of a labelled one.
	manyLabels = 1000
)

// findNearest finds for each labelled example those without a label that are nearest to it, by their terms and categories. They count for its class in the model by which the first shares are: the few labelled examples have few
// of the words of their classes, and what has none of these goes to the class that has most words. That is a step of label propagation (Zhu and Ghahramani 2002, "Learning from labeled and unlabeled data with label propagation") before EM. With three labels a class it
// gains 0.03 to 0.07 where log-probabilities are not centred, but 0.01 less than nothing on livedoor, and 0.1 on 20news with two to four (docs/labels-tried.md).
func (m *mixture) findNearest(ctx context.Context, workers int) error {
	if m.perClass(m.labelled) >= manyLabels {
		return nil
	}
	searched := make([]int, m.labelled) // the labelled, and then the others among which neighbours are sought
	for i := range searched {
		searched[i] = i
	}
	if others := m.Len() - m.labelled; others <= nearestAmong {
		for i := range others {
			searched = append(searched, m.labelled+i)
		}
	} else {
		for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(others)[:nearestAmong] {
			searched = append(searched, m.labelled+i)
		}
		slices.Sort(searched)
	}
	texts, terms := make([][]nearest.Entry, len(searched)), make(map[uint64]int32)
	pile := make([]int, 0, len(searched)-m.labelled)
	for n, i := range searched {
		for term, v := range m.Values(i) {
			id, ok := terms[term]
			if !ok {
				id = int32(len(terms))
				terms[term] = id
			}
			if v > 0 {
				texts[n] = append(texts[n], nearest.Entry{ID: id, Value: v})
			}
		}
		if n >= m.labelled {
			pile = append(pile, n)
		}
		if n%chunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	pool := parallel.NewPoolOf(ctx, workers)
	v := nearest.NewVectors(pool, texts, len(terms), pile)
	pool.Part(m.labelled, 8, func(from, to int) {
		sums := make([]float64, len(pile))
		for i := from; i < to; i++ {
			m.nearest[i] = v.To(i, sums)
			for at := range m.nearest[i] {
				n := &m.nearest[i][at]
				n.Text = int32(searched[pile[n.Text]])
			}
		}
	})
	return pool.Wait()
}

// spread gives the neighbours of some labelled examples shares in the classes of these. All those of one come to [nearestShare] divided by the number of labelled examples a class, times its weight; each has as much of that as it is near.
func (e *emState) spread(train []int) {
	near := make(map[int32][]float64) // by example and class
	for _, i := range train {
		k, sum := e.classOf(i), 0.0
		for _, n := range e.nearest[i] {
			sum += n.Near
		}
		for _, n := range e.nearest[i] {
			if near[n.Text] == nil {
				near[n.Text] = make([]float64, len(e.classes))
			}
			near[n.Text][k] += e.weights[i] * nearestShare / e.perClass * n.Near / sum
		}
	}
	for i, shares := range near {
		var sum float64
		for _, share := range shares {
			sum += share
		}
		for k, share := range shares {
			if share = roundShare(share * min(1, mostNearest/sum) * e.input.byLength[i]); share > 0 {
				e.class[i], e.weight[i] = append(e.class[i], int32(k)), append(e.weight[i], share)
			}
		}
	}
}
