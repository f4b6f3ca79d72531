package eval

import (
	"cmp"
	"math"
	"slices"

	"bayes"
	"bayes/internal/labeltree"
)

// A Level is how good predictions are at one level of a tree of labels: labels are cut to their first parts,
// and the probability of a node is the sum of those of the labels below it.
type Level struct {
	*Tally       // over the labels that are cut
	Level  int   // how many parts labels have at most, from 1
	Cut    int64 // of how many documents the label that was predicted, cut, is right
}

// Levels returns the levels of a tree of labels whose parts are separated so: from the first to that of whole
// labels. A label with fewer parts than a level has stays as it is.
func (t *Tally) Levels(separator string) []Level {
	deepest := 1
	for _, label := range t.labels {
		deepest = max(deepest, labeltree.Level(label, separator))
	}
	var levels []Level
	for n := 1; n <= deepest; n++ {
		cut := func(label string) string { return labeltree.Cut(label, separator, n) }
		l := Level{Tally: t, Level: n}
		if n < deepest {
			l.Tally = t.Relabel(cut)
		}
		for _, r := range t.rows {
			if cut(t.labels[r.truth]) == cut(t.labels[r.best]) {
				l.Cut++
			}
		}
		levels = append(levels, l)
	}
	return levels
}

// Relabel returns the predictions of coarser classes: each label is replaced by what f makes of it, and the
// probability of a class is the sum of those of the labels it replaces. Of equally probable classes that of the
// label that was predicted comes first.
func (t *Tally) Relabel(f func(label string) string) *Tally {
	all, number := new(Tally), make([]int, len(t.labels))
	for k, label := range t.labels {
		number[k] = all.number(f(label))
	}
	for _, r := range t.rows {
		sums := make(map[int]float64)
		for k, p := range t.each(r) {
			sums[number[k]] += p
		}
		if own, _ := t.own(r); t.p(r, int(r.truth)) == 0 { // of very many labels, it is not among those that are kept
			sums[number[r.truth]] += own
		}
		best := number[r.best]
		p := bayes.Prediction{Unsure: r.unsure}
		for k, sum := range sums {
			p.Classes = append(p.Classes, bayes.Prob{Class: all.labels[k], P: sum, LogP: math.Log(sum), LogJoint: math.Log(sum)})
		}
		slices.SortFunc(p.Classes, func(a, b bayes.Prob) int {
			return cmp.Or(cmp.Compare(b.P, a.P), first(b.Class == all.labels[best])-first(a.Class == all.labels[best]), cmp.Compare(a.Class, b.Class))
		})
		all.Observe(p, all.labels[number[r.truth]])
	}
	return all
}

func first(is bool) int {
	if is {
		return 1
	}
	return 0
}
