package sweep

import (
	"math"
	"sync"

	"bayes/internal/vecmath"
)

// bernoulli scores by Σ_V ln(1 - P(t|c)) + Σ_present (ln P(t|c) - ln(1 - P(t|c))). For a term
// of a sparse row, it leaves ln α out in every class.
type bernoulli struct {
	logWeights []float64        // ln(N(c) + α), by class, then by α
	absent     []float64        // Σ_V ln(1 - P(t|c)), by class, then by α
	leftOut    func() []float64 // the same for classes with one example of weight 1 less
}

func newBernoulli(g *Grid, of *group) *bernoulli {
	return &bernoulli{
		of.logTotals(g.Weight, 1), absentSum(g, of, 0),
		sync.OnceValue(func() []float64 { return absentSum(g, of, 1) }),
	}
}

// absentSum returns Σ_V ln(1 - P(t|c)) by class, then by α, where less is subtracted from the
// weight of each class. It takes one logarithm for all equal counts of a class.
//
// The example that is left out is taken for one that lacks every term. The method joint
// corrects that for the terms that the example has.
func absentSum(g *Grid, of *group, less float64) []float64 {
	// Most cells are of a few examples: they are counted in a small table, without a
	// histogram's checks.
	const few = 32
	often := make([]float64, few*len(g.Sorted))
	absent, cells := newHistograms(len(g.IDs)), make([]float64, len(g.IDs))
	add := func(k int, n, often float64) {
		absent[k].add(max(g.Weight[k]-less-n, 0), often)
		cells[k] += often
	}
	// Count the cells by class and N(t,c).
	for _, row := range g.Rows {
		for j := range row {
			c := &row[j]
			if n := int(c.Present); uint(n) < few && float64(n) == c.Present {
				often[few*int(c.Class)+n]++
			} else {
				add(g.Sorted[c.Class], c.Present, 1)
			}
		}
	}
	for k, id := range g.IDs {
		for n, often := range often[few*id:][:few] {
			if often > 0 {
				add(k, float64(n), often)
			}
		}
	}
	// All other terms, for which the class has no cell, are absent from all of its examples.
	// For each term the sum is that of ln(absent + α) - ln(N(c) + 2α).
	var sums []float64
	for k, n := range g.Weight {
		n = max(n-less, 0)
		if cells[k] > 0 {
			absent[k].add(n, -cells[k])
		}
		base := of.appendLogs(nil, n, 1)
		for a, v := range absent[k].sumLogs(of) {
			sums = append(sums, v+float64(g.Size)*(base[a]-math.Log(n+2*of.alphas[a])))
		}
	}
	return sums
}

func (b *bernoulli) joint(s *groupScorer) {
	// Terms that are present. For sparse rows the quotients cover only the classes that have
	// the term. Of α / (N(c) + α) in the others, the denominator is added below, and ln α is
	// left out, and so subtracted where it is not the whole numerator.
	x := &s.present
	s.addQuotient(+1, x, countPresent, countAbsent)
	for k, id := range s.IDs {
		had := x.had[id]
		s.add(k, -had, s.logAlphas)
		if k != s.left.class {
			s.add(k, had-x.sparseValue, b.logWeights[k*len(s.alphas):])
		}
	}
	// All terms, as if they were absent.
	if s.left.class < 0 {
		vecmath.Add(s.scores, b.absent, 1)
		return
	}
	for k, n := range s.Weight {
		absent := b.absent
		if k == s.left.class {
			absent = b.leftOut()
		}
		s.add(k, 1, absent[k*len(s.alphas):])
		s.addGone(k, n)
	}
}

// addGone subtracts, for class k, what absentSum added for the features that only the
// example that is left out has: they do not exist without it. The weight of the class,
// with the example, is n.
func (s *groupScorer) addGone(k int, n float64) {
	if k == s.left.class {
		n--
	}
	for present, gone := range s.left.gone {
		if gone == 0 {
			continue
		}
		absent := n
		if k == s.left.class {
			absent = max(n-float64(present), 0)
		}
		s.addLog(k, -gone, absent, 1)
		s.addLog(k, gone, n, 2)
	}
}
