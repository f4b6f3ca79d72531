package eval

import (
	"slices"

	"bayes/internal/nearest"
	"bayes/internal/parallel"
)

// pooledTexts is how many examples are the nearest of each; those that have each other remain. With 50, 100 and 400 names of classes have as much of 20news, to 0.002 (docs/labels-tried.md).
const pooledTexts = 20

// findPooled finds for each of the others that are searched those of them that are nearest to it, and it to them.
func (m *mixture) findPooled(pool *parallel.Pool, v *nearest.Vectors, others []int) {
	lists := make([][]nearest.Neighbour, len(others))
	pool.Part(len(others), chunk, func(from, to int) {
		sums := make([]float64, len(others))
		for n := from; n < to; n++ {
			lists[n] = v.To(m.labelled+n, pooledTexts, sums)
		}
	})
	nearest.Mutual(lists)
	m.pooled = make([][]nearest.Neighbour, m.Len()-m.labelled)
	for n, list := range lists {
		for at := range list {
			list[at].Text = int32(others[list[at].Text] - m.labelled)
		}
		m.pooled[others[n]-m.labelled] = slices.Clone(list) // of what is needed alone
	}
}

// meanOfNeighbours sets mean to the probabilities that the model has for the neighbours of an example without a label, by how near they are. It reports whether it has any.
func (e *emState) meanOfNeighbours(mean []float64, i int) bool {
	clear(mean)
	for _, near := range e.pooled[i-e.labelled] {
		for k, p := range e.logPOf(e.labelled + int(near.Text)) {
			mean[k] += near.Near * p
		}
	}
	sum := 0.0 // of how near those are that some class is possible for
	for _, v := range mean {
		sum += v
	}
	if sum == 0 {
		return false
	}
	for k := range mean {
		mean[k] /= sum
	}
	return true
}

// pooledPart returns which part of the shares of an example is the mean of its neighbours': 2I - 1 or 0, with Moran's I (Moran 1950, "Notes on continuous stochastic phenomena"), the correlation of the probabilities that the model has for each class of an example with the mean of those
// of its neighbours, over all classes. Where neighbours are mostly of one class, as messages about the same event are, a model that is wrong about one is right about most of them: that gains 0.02 of 20news with 44 to 87 labels, 0.005 of agnews with 12, and loses 0.005 of livedoor with 12. Where that does not matter for their classes, as in questions and
// reviews, to pool them loses up to 0.03 of mr, nsmc and trec; I is below or little above a half there, and 0.57 to 0.86 of 20news, agnews, ucinews and livedoor (docs/labels-tried.md). It is a step of what Zhou et al. 2004, "Learning with local and global consistency", repeat.
func (e *emState) pooledPart(pool *parallel.Pool) float64 {
	if e.pooled == nil {
		return 0
	}
	type sums struct {
		examples, own, near float64
		of                  []float64 // by class
	}
	// The sums of each chunk of examples that have neighbours, added up in their order, so that they do not depend on the number of workers.
	others := e.Len() - e.labelled
	parts := make([]sums, (others+chunk-1)/chunk)
	pool.Part(others, chunk, func(from, to int) {
		s, mean := &parts[from/chunk], make([]float64, len(e.number))
		s.of = make([]float64, len(e.number))
		for i := e.labelled + from; i < e.labelled+to; i++ {
			if !e.meanOfNeighbours(mean, i) {
				continue
			}
			s.examples++
			for k, p := range e.logPOf(i) {
				s.of[k] += p
				s.own += p * p
				s.near += p * mean[k]
			}
		}
	})
	all := sums{of: make([]float64, len(e.number))}
	for _, s := range parts {
		all.examples += s.examples
		all.own += s.own
		all.near += s.near
		for k, p := range s.of {
			all.of[k] += p
		}
	}
	// What examples and their neighbours agree in, beside what they would agree in by chance, as a part of what examples agree with themselves in.
	chance := 0.0
	for _, p := range all.of {
		chance += p * p / all.examples
	}
	correlation := (all.near - chance) / (all.own - chance)
	if !(correlation > .5) { // or there are no neighbours, or all examples are alike
		return 0
	}
	return min(1, 2*correlation-1)
}
