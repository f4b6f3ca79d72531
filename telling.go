package bayes

import (
	"cmp"
	"slices"
	"strings"

	"bayes/internal/intern"
)

// A Telling is a feature that speaks for a class.
type Telling struct {
	Feature string
	LogOdds float64 // its weight in the class less the mean of its weights in the others
	Moments Moments // in the class
}

// Telling returns the n terms and categories that tell most of a class,
// strongest first: those with the largest share of the class times log-odds, so
// that they are both frequent in the class and rare elsewhere. It returns nil if
// there is no such class.
func (m *Model) Telling(class string, n int) []Telling {
	k := slices.Index(m.labels(), class)
	if k < 0 {
		return nil
	}
	var all []Telling
	for _, part := range m.parts {
		l, ok := part.(weighted)
		if !ok {
			continue
		}
		s := l.data()
		for i, row := range s.rows {
			for _, c := range row {
				if s.position[c.Class] == k {
					all = append(all, Telling{s.id.feature(string(s.index.Bytes(i))), odds(l, i, k), public(c.Moments)})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Telling) int {
		return cmp.Or(cmp.Compare(b.Moments.Sum*b.LogOdds, a.Moments.Sum*a.LogOdds), cmp.Compare(a.Feature, b.Feature))
	})
	return all[:min(n, len(all))]
}

// odds returns the weight of feature i in class k less its mean in the others.
func odds(l weighted, i, k int) float64 {
	classes := len(l.data().classes)
	if classes == 1 {
		return 0
	}
	var others float64
	for j := range classes {
		if j != k {
			others += l.weight(i, j)
		}
	}
	return l.weight(i, k) - others/float64(classes-1)
}

// A TermStat is what a model knows of one feature in one class.
type TermStat struct {
	Class   string
	Moments Moments
	LogProb float64 // what one occurrence adds to the score; of a number, 0
}

// Term returns what the model knows of a feature, by class, and whether it
// knows it at all. The feature is named as [Counts.Features] names it.
func (m *Model) Term(feature string) ([]TermStat, bool) {
	for _, part := range m.parts {
		s := part.data()
		if s.index == nil { // a frozen model's
			continue
		}
		name, ok := strings.CutPrefix(feature, s.id.feature(""))
		f := term{key: intern.KeyOf([]byte(name)), name: []byte(name)}
		i, known := s.lookup(f)
		if s.id.kind == numberAttr {
			ok, known = feature == s.id.name, true
		}
		if !ok || !known {
			continue
		}
		var stats []TermStat
		for k, label := range s.classes {
			stat := TermStat{Class: label, Moments: s.moments(f, k)}
			if l, ok := part.(weighted); ok {
				stat.LogProb = l.weight(i, k)
			}
			stats = append(stats, stat)
		}
		return stats, true
	}
	return nil, false
}
