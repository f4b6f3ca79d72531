package sweep

import (
	"math"

	"bayes/internal/doubledouble"
	"bayes/internal/vecmath"
)

// oneVersusRest scores by half the sum of the log-odds of the prior, and of what multinomial and
// complement score:
//
//	Σ v · (ln(T(t,c) + α) - ln(T(t,¬c) + α)) - Σ v · (ln(T(c) + α·|V|) - ln(T(¬c) + α·|V|))
type oneVersusRest struct {
	own  *multinomial
	not  *complement
	odds []float64 // of the prior, halved, by class and α, if no example is left out
}

func newOneVersusRest(g *Grid, of *group) *oneVersusRest {
	return &oneVersusRest{own: newMultinomial(g, of), not: newComplement(g, of, false)}
}

// HalfLogOdds returns half of ln P(c) - ln(1 - P(c)), given ln P(c) of all classes. It takes 1 - P(c)
// for the sum of the others, with 32 digits, since one class may have nearly all. A class without
// others has odds that decide nothing: zero.
func HalfLogOdds(logP []float64) []float64 {
	var all doubledouble.Sum
	for _, l := range logP {
		all.Add(math.Exp(l))
	}
	odds := make([]float64, len(logP))
	for k, l := range logP {
		others := all
		others.Add(-math.Exp(l))
		if rest := others.Float(); rest > 0 {
			odds[k] = (l - math.Log(rest)) / 2
		}
	}
	return odds
}

func (m *oneVersusRest) joint(s *groupScorer) {
	if s.left.class < 0 {
		copy(s.scores, m.odds)
	} else {
		logPrior := make([]float64, len(s.IDs))
		for k := range logPrior {
			logPrior[k] = s.of(k)[0]
		}
		fillRows(s.scores, HalfLogOdds(logPrior))
	}
	// Of terms of sparse rows, v·(ln α - ln(T(t) + α)) is left out in every class: it is all that
	// classes have that lack the term. The quotients for those that have it are of three products.
	x := &s.counted
	s.multiply(x, countOthers)
	s.swapDivisors()
	s.multiply(x, countSum)
	s.multiplySparse(x, countAll)
	vecmath.Divide(s.products, s.exponents, s.divisors, s.divisorExponents)
	vecmath.LogSplit(s.products, s.exponents)
	s.addOthers(-1, x, countOthers)
	s.addOthers(+1, x, countSum)
	s.addOthers(+1, x, countAll)
	s.addProducts(.5)
	for k, id := range s.IDs {
		s.add(k, -x.had[id]/2, s.logAlphas)
	}
	s.addTotals(-.5, m.own.totals, m.own.logTotals, func(k int) bool { return k == s.left.class })
	s.addTotals(+.5, m.not.others, m.not.logOthers, func(k int) bool { return k != s.left.class })
}
