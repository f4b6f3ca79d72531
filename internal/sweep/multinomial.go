package sweep

// multinomial scores by Σ v·ln(T(t,c) + α) - Σ v · ln(T(c) + α·|V|). Of terms of sparse
// rows v·ln α is left out in every class: it is all that classes have that lack the term.
type multinomial struct {
	totals    []float64 // T(c)
	logTotals []float64 // ln(T(c) + α·|V|), by class, then by α
}

func newMultinomial(g *Grid, of *group) *multinomial {
	return &multinomial{g.Totals, of.logTotals(g.Totals, g.Size)}
}

func (m *multinomial) joint(s *groupScorer) {
	x := &s.counted
	s.addSum(x, countSum)
	for k, id := range s.IDs {
		s.add(k, -x.had[id], s.logAlphas)
	}
	s.addTotals(-1, m.totals, m.logTotals, func(k int) bool { return k == s.left.class })
}
