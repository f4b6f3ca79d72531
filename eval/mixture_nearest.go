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

	// nearestTexts is how many neighbours a labelled example has.
	nearestTexts = 50

	// nearestAmong is the most examples without a label that are searched, drawn at random: this bounds the memory.
	nearestAmong = 50_000

	// manyLabels is how many labelled examples a class there are from which on no neighbours are sought: they would count less than a hundredth of a labelled one.
	manyLabels = 1000
)

// findNearest finds for each labelled example those without a label that are nearest to it, by their terms and categories, and if their shares are to be pooled, for each of those that are searched the others. Those of labelled examples count for its class in the model by which the first shares are: the few labelled examples have few
// of the words of their classes, and what has none of these goes to the class that has most words. That is a step of label propagation (Zhu and Ghahramani 2002, "Learning from labeled and unlabeled data with label propagation") before EM. With three labels a class it
// gains 0.03 to 0.07 where log-probabilities are not centred, loses 0.01 of livedoor, and gains 0.1 on 20news with two to four (docs/labels-tried.md).
func (m *mixture) findNearest(ctx context.Context, workers int, pooled bool) error {
	if m.perClass(m.labelled) >= manyLabels {
		return nil
	}
	// The texts are the labelled examples and, from there on, the pile: the others that are searched.
	others := m.searched()
	texts, pile := make([][]nearest.Entry, m.labelled+len(others)), make([]int, len(others))
	number := make(map[uint64]int32) // of each term
	for n := range texts {
		i := n
		if n >= m.labelled {
			i, pile[n-m.labelled] = others[n-m.labelled], n
		}
		for term, v := range m.Values(i) {
			id, ok := number[term]
			if !ok {
				id = int32(len(number))
				number[term] = id
			}
			if v > 0 {
				texts[n] = append(texts[n], nearest.Entry{ID: id, Value: v})
			}
		}
		if n%chunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	pool := parallel.NewPoolOf(ctx, workers)
	v := nearest.NewVectors(pool, texts, len(number), pile)
	pool.Part(m.labelled, 8, func(from, to int) {
		sums := make([]float64, len(pile))
		for i := from; i < to; i++ {
			m.nearest[i] = v.To(i, nearestTexts, sums)
			// A neighbour is told by its number in the pile. From here on it is told by that of the example.
			for at := range m.nearest[i] {
				n := &m.nearest[i][at]
				n.Text = int32(others[n.Text])
			}
		}
	})
	if pooled {
		m.findPooled(pool, v, others)
	}
	return pool.Wait()
}

// searched returns the examples without a label among which neighbours are sought: all, or [nearestAmong] that are drawn at random.
func (m *mixture) searched() []int {
	others := make([]int, m.Len()-m.labelled)
	for n := range others {
		others[n] = m.labelled + n
	}
	if len(others) <= nearestAmong {
		return others
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(others), func(a, b int) { others[a], others[b] = others[b], others[a] })
	others = others[:nearestAmong]
	slices.Sort(others)
	return others
}

// spread gives the neighbours of some labelled examples shares in the classes of these. All those of one come to [nearestShare] divided by the number of labelled examples a class, times its weight; each has as much of that as it is near.
func (e *emState) spread(train []int) {
	// How near each example is to the labelled ones of each class, by what these count.
	near := make(map[int32][]float64)
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
	// Shares of an example that is near to many labelled ones are reduced to the most that it may count.
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
