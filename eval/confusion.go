package eval

import (
	"cmp"
	"slices"
)

// Confusion returns how many documents of each true class (rows) were predicted
// as each class (columns), both in the order of [Tally.Labels]. Of many classes most of
// them are never confused: [Tally.Confused] has those that are.
func (t *Tally) Confusion() [][]int64 {
	m := newMatrix(len(t.labels))
	for _, c := range t.cells() {
		m[c.truth][c.best] = c.n
	}
	return m
}

func newMatrix(n int) [][]int64 {
	m := make([][]int64, n)
	for i := range m {
		m[i] = make([]int64, n)
	}
	return m
}

// A Confused is a class and another one that some of its documents were predicted as.
type Confused struct {
	Label, Predicted string
	Documents        int64
}

// Confused returns the pairs of classes that were confused, most often first, and of those
// that were as often in the order of [Tally.Labels].
func (t *Tally) Confused() []Confused {
	var list []Confused
	labels := t.Labels()
	for _, c := range t.cells() {
		if c.truth != c.best {
			list = append(list, Confused{labels[c.truth], labels[c.best], c.n})
		}
	}
	slices.SortStableFunc(list, func(a, b Confused) int { return cmp.Compare(b.Documents, a.Documents) })
	return list
}

// Worst returns the n classes, or as many as there are, that the most documents were wrongly
// predicted of or as, the worst first, and of those that are as bad in the order of
// [Tally.Labels].
func (t *Tally) Worst(n int) []ClassReport {
	type mistaken struct {
		ClassReport
		mistakes int64
	}
	classes, list := t.outcomes(), make([]mistaken, len(t.labels))
	for i, c := range t.Classes() {
		list[i] = mistaken{c, classes[i].actual + classes[i].predicted - 2*classes[i].both}
	}
	slices.SortStableFunc(list, func(a, b mistaken) int { return cmp.Compare(b.mistakes, a.mistakes) })
	worst := make([]ClassReport, min(n, len(list)))
	for i := range worst {
		worst[i] = list[i].ClassReport
	}
	return worst
}

// A cell is one of the confusion matrix that is not zero.
type cell struct {
	truth, best int32 // in the order of Labels
	n           int64
}

// cells returns those of the confusion matrix, row after row.
func (t *Tally) cells() []cell {
	position := t.positions()
	count := make(map[cell]int64)
	for _, r := range t.rows {
		count[cell{truth: int32(position[r.truth]), best: int32(position[r.best])}]++
	}
	list := make([]cell, 0, len(count))
	for c, n := range count {
		list = append(list, cell{c.truth, c.best, n})
	}
	slices.SortFunc(list, func(a, b cell) int { return cmp.Or(cmp.Compare(a.truth, b.truth), cmp.Compare(a.best, b.best)) })
	return list
}

// outcomes returns those of each of Labels.
func (t *Tally) outcomes() outcomes {
	position := t.positions()
	list := make(outcomes, len(position))
	for _, r := range t.rows {
		list.count(position[r.truth], position[r.best], 1)
	}
	return list
}

// count adds n documents of class truth that were predicted as class best.
func (list outcomes) count(truth, best int, n int64) {
	list[truth].actual += n
	list[best].predicted += n
	if truth == best {
		list[truth].both += n
	}
}
