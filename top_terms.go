package bayes

import (
	"cmp"
	"slices"
	"strings"

	"bayes/internal/bags"
	"bayes/internal/intern"
)

// TermStats are what a model knows of one feature in one class.
type TermStats struct {
	Feature string // as [Counts.Features] names it
	Class   string
	Number  bool    // whether it is a number
	Moments Moments // of the feature in the class
	LogProb float64 // what one occurrence adds to the score of the class; of a number, 0
	LogOdds float64 // LogProb less its mean over the other classes; with a single class, 0
}

// TopTerms returns the n terms and categories that tell most of a class, strongest first: those
// with the largest share of the class times log-odds, so that they are both frequent in the
// class and rare elsewhere. It returns nil if there is no such class.
func (m *Model) TopTerms(class string, n int) []TermStats {
	k := slices.Index(m.labels(), class)
	if k < 0 {
		return nil
	}
	var all []TermStats
	for _, part := range m.parts {
		l, ok := part.(weighted)
		if !ok {
			continue
		}
		// Rows are by feature, so the terms of one class are found by reading all cells.
		s, weights := l.data(), make([]float64, len(m.labels()))
		for i, row := range s.rows.All() {
			for _, c := range row {
				if s.sortedIndex[c.Class] == k {
					stats := TermStats{Feature: s.id.feature(string(s.index.Bytes(i))), Class: class, Moments: public(c.Moments)}
					l.weights(weights, i)
					stats.weigh(weights, k)
					all = append(all, stats)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b TermStats) int {
		return cmp.Or(cmp.Compare(b.Moments.Sum*b.LogOdds, a.Moments.Sum*a.LogOdds), cmp.Compare(a.Feature, b.Feature))
	})
	return all[:min(n, len(all))]
}

// weigh sets what class k has of the weights of a feature.
func (t *TermStats) weigh(weights []float64, k int) {
	t.LogProb = weights[k]
	if len(weights) == 1 {
		return
	}
	var others float64
	for j, w := range weights {
		if j != k {
			others += w
		}
	}
	t.LogOdds = t.LogProb - others/float64(len(weights)-1)
}

// Values returns the values that m knows of a category, and how many examples have each.
func (m *Model) Values(category string) map[string]int64 {
	values := make(map[string]int64)
	for _, part := range m.parts {
		if s := part.data(); s.id == (blockID{categoryAttr, category}) && s.index != nil {
			for i, row := range s.rows.All() {
				for _, c := range row {
					values[string(s.index.Bytes(i))] += c.Moments.Examples
				}
			}
		}
	}
	return values
}

// Term returns what the model knows of a feature, by class, and whether it knows it at all. The
// feature is named as [Counts.Features] names it.
func (m *Model) Term(feature string) ([]TermStats, bool) {
	for _, part := range m.parts {
		s := part.data()
		if s.index == nil { // a frozen model's
			continue
		}
		// A feature is named by its block and its name. A number has no further name.
		name, ok := strings.CutPrefix(feature, s.id.feature(""))
		f := bags.Term{Key: intern.KeyOf([]byte(name)), Name: []byte(name)}
		i, known := s.lookup(f)
		number := s.id.kind == numberAttr
		if !ok || number && name != "" || !number && !known {
			continue
		}
		var list []TermStats
		l, isWeighted := part.(weighted)
		weights := make([]float64, len(s.classes))
		if isWeighted {
			l.weights(weights, i)
		}
		for k, label := range s.classes {
			stats := TermStats{Feature: feature, Class: label, Number: number, Moments: s.moments(f, k)}
			if isWeighted {
				stats.weigh(weights, k)
			}
			list = append(list, stats)
		}
		return list, true
	}
	return nil, false
}
