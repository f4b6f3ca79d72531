package bayes

import (
	"cmp"
	"slices"
)

// A Telling is a feature that speaks for a class.
type Telling struct {
	Feature string
	LogOdds float64 // its weight in the class less the mean of its weights in the others
	Moments Moments // in the class
}

// Telling returns the n features that tell most of a class, strongest first:
// those with the largest share of the class's features times log-odds, so that
// they are both frequent in the class and rare elsewhere. It returns nil if
// there is no such class.
func (m *Model) Telling(class string, n int) []Telling {
	k := slices.Index(m.classes, class)
	if k < 0 {
		return nil
	}
	type scored struct {
		number      int
		score, odds float64
		m           Moments
	}
	var best []scored
	for i, row := range m.sums.rows {
		for _, c := range row {
			if m.sums.position[c.class] == k {
				odds := m.odds(i, k)
				best = append(best, scored{i, c.Sum * odds, odds, c.Moments})
			}
		}
	}
	slices.SortFunc(best, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), slices.Compare(m.sums.index.Bytes(a.number), m.sums.index.Bytes(b.number)))
	})
	var telling []Telling
	for _, s := range best[:min(n, len(best))] {
		telling = append(telling, Telling{string(m.sums.index.Bytes(s.number)), s.odds, s.m})
	}
	return telling
}

// odds returns the weight of feature i in class k less its mean in the others.
func (m *Model) odds(i, k int) float64 {
	if len(m.classes) == 1 {
		return 0
	}
	var others float64
	for j := range m.classes {
		if j != k {
			others += m.terms.weight(i, j)
		}
	}
	return m.terms.weight(i, k) - others/float64(len(m.classes)-1)
}

// A TermStat is what a model knows of one feature in one class.
type TermStat struct {
	Class   string
	Moments Moments
	LogProb float64 // what one occurrence adds to the score
}

// Term returns what the model knows of a feature, by class, and whether it
// knows it at all.
func (m *Model) Term(feature string) ([]TermStat, bool) {
	i, ok := m.sums.find(feature)
	if !ok {
		return nil, false
	}
	var stats []TermStat
	for k, label := range m.classes {
		stats = append(stats, TermStat{label, m.sums.at(i, k), m.terms.weight(i, k)})
	}
	return stats, true
}
