package eval

import (
	"context"
	"slices"

	"bayes/feature"
	"bayes/internal/nearest"
	"bayes/internal/parallel"
)

const (
	// nearestShare is how many labelled examples all that are nearest to those of a class count as, together and with a class of mean size, in the model by which the first shares are.
	// Half and twice as many gain as much with few labels; with 30 a class twice as many gain 0.005 on nsmc and mr, and lose 0.007 on ucinews (docs/labels-tried.md).
	nearestShare = 12.0

	// mostNearest is how much an example without a label counts at most there, if it is of mean length.
	mostNearest = 0.5

	// nearestAmong is among how many examples without a label the nearest are sought, which bounds the memory.
	nearestAmong = 50_000
)

// A neighbour is an example without a label, and how near a labelled one is to it.
type neighbour struct {
	example int
	near    float64
}

// findNearest finds for each labelled example those without a label that are nearest to it, by their terms and categories. In the model by which the first shares are, they count for its class: the few labelled examples have few
// of the words of their classes, and whatever has none of these goes to the class whose words are the most. That is a step of label propagation (Zhu and Ghahramani 2002, "Learning from labeled and unlabeled data with label propagation") before EM, and
// gains 0.03 to 0.07 with three labels a class, and 0.05 to 0.1 on 20news with two to six (docs/labels-tried.md).
func (m *mixture) findNearest(ctx context.Context, workers int) error {
	others := m.Len() - m.labelled
	every := 1 + (others-1)/nearestAmong
	x := nearest.NewIndex(m.labelled + (others+every-1)/every)
	var (
		list []feature.Feature
		from []int // by text of x: the example
		pile []int // texts of x without a label
	)
	for i := 0; i < m.Len(); i++ {
		if i >= m.labelled {
			pile = append(pile, len(from))
		}
		list = slices.DeleteFunc(m.AppendFeatures(list[:0], i), func(f feature.Feature) bool { return !(f.Value > 0) })
		x.Set(len(from), list)
		from = append(from, i)
		if i >= m.labelled {
			i += every - 1
		}
	}
	pool := parallel.NewPoolOf(ctx, workers)
	v := nearest.NewVectors(pool, x, pile)
	pool.Part(m.labelled, 8, func(start, end int) {
		sums := make([]float64, len(pile))
		for i := start; i < end; i++ {
			for _, n := range v.To(i, sums) {
				m.nearest[i] = append(m.nearest[i], neighbour{from[pile[n.Text]], n.Near})
			}
		}
	})
	return pool.Wait()
}

// spread gives the examples nearest to some labelled ones shares in the classes of these: to those of one labelled example [nearestShare] by the number of labelled examples a class, each by how near it is.
func (e *emState) spread(train []int) {
	near := make(map[int][]float64) // by example and class
	for _, i := range train {
		var sum float64
		for _, n := range e.nearest[i] {
			sum += n.near
		}
		for _, n := range e.nearest[i] {
			if near[n.example] == nil {
				near[n.example] = make([]float64, len(e.classes))
			}
			near[n.example][e.classOf(i)] += nearestShare / e.perClass * n.near / sum
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
