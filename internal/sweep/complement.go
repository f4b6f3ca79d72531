package sweep

import (
	"math"

	"bayes/internal/doubledouble"
)

// complement scores by Σ v · (ln(T(¬c) + α·|V|) - ln(T(t,¬c) + α)). Without a norm, it leaves
// out what a term of a sparse row adds to classes that lack it, in every class.
type complement struct {
	others    []float64 // T(¬c)
	logOthers []float64 // ln(T(¬c) + α·|V|), by class, then by α
	norm      []float64 // by class, then by α; nil if weights are not normalised
}

func newComplement(g *Grid, of *group, normalize bool) *complement {
	c := &complement{others: Complements(g.Totals, g.Totals)}
	c.logOthers = of.logTotals(c.others, g.Size)
	if normalize {
		c.setNorm(g, of)
	}
	return c
}

// Complements returns what the sum of whole has beyond each of the numbers: of the whole numbers themselves, the sum of
// the others.
func Complements(numbers, whole []float64) []float64 {
	var all doubledouble.Sum
	for _, n := range whole {
		all.Add(n)
	}
	others := make([]float64, len(numbers))
	for k, n := range numbers {
		others[k] = all.Float() - n
	}
	return others
}

// Norm returns the divisor of the weights of a class, given their sum. It is 1 if the sum is
// zero up to rounding, since a single term has weight zero in every class.
func Norm(sum float64) float64 {
	if math.Abs(sum) < 1e-12 {
		return 1
	}
	return sum
}

// setNorm works out the sums of the weights of each class:
//
//	|V|·ln(T(¬c) + α·|V|) - Σ_t ln(T(t,¬c) + α)
//
// The last sum is that of ln(T(t) + α), the same for all classes, corrected for the cells of
// the class.
func (c *complement) setNorm(g *Grid, of *group) {
	common, own := newHistograms(1), newHistograms(len(g.IDs))
	for i, row := range g.Rows {
		if !g.Declared && len(row) == 0 {
			continue
		}
		// As if no class had the term; then replace that for those that have it.
		all := g.all[i]
		common[0].add(all, 1)
		for _, cell := range row {
			k := g.Sorted[cell.Class]
			own[k].add(all-cell.Sum, 1)
			own[k].add(all, -1)
		}
	}
	shared := common[0].sumLogs(of)
	for k := range g.IDs {
		for a, v := range own[k].sumLogs(of) {
			norm := 0.0
			if g.Size > 0 {
				norm = float64(g.Size)*c.logOthers[k*len(of.alphas)+a] - shared[a] - v
			}
			c.norm = append(c.norm, Norm(norm))
		}
	}
}

func (c *complement) joint(s *groupScorer) {
	x := &s.counted
	s.addQuotient(-1, x, countOthers, countAll)
	if c.norm != nil {
		s.addLacking(x)
	}
	s.addTotals(+1, c.others, c.logOthers, func(k int) bool { return k != s.left.class })
	for i, n := range c.norm {
		s.scores[i] /= n
	}
}

// addLacking subtracts Σ v·ln(T(t) + α), over terms of sparse rows, from the scores of all
// classes. It matters where scores are divided by norms that differ.
func (s *groupScorer) addLacking(t *terms) {
	add := func(f *factor, v float64) {
		s.scratch = s.appendLogs(s.scratch[:0], f.all, 1)
		for k := range s.IDs {
			s.add(k, -v, s.scratch)
		}
	}
	for i := range t.sparse {
		add(&t.sparse[i], float64(t.sparse[i].times))
	}
	for i := range t.sparseOthers {
		add(&t.sparseOthers[i], t.sparseValues[i])
	}
}
