package bayes

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/intern"
	"bayes/internal/memory"
	"bayes/internal/sparse"
)

// sumOf returns what learners have counted, all together.
func sumOf(learners []*learner) (*Counts, error) {
	var (
		sharing []*learner
		groups  [][]*learner // that number their terms alike
		wg      sync.WaitGroup
	)
	for _, l := range learners {
		if l.ngrams != nil {
			sharing = append(sharing, l)
		} else {
			groups = append(groups, []*learner{l})
		}
	}
	if len(sharing) > 0 {
		groups = append(groups, sharing)
	}
	for _, group := range groups {
		wg.Go(func() { collect(group) })
	}
	wg.Wait()
	total := groups[0][0].c
	for i, group := range groups {
		if i > 0 {
			if err := total.Add(group[0].c); err != nil {
				return nil, err
			}
		}
		groups[i] = nil
	}
	return total, nil
}

// flush moves to the table what is not there yet. Terms keep their numbers.
func (l *learner) flush() {
	l.spell()
	collect([]*learner{l})
}

// collect moves what learners have counted, which number their terms alike, to the table
// of the first of them, on as many cores. Terms that have no bytes yet get them, and new
// numbers, in the order of their words.
func collect(learners []*learner) {
	if !learners[0].plain {
		return // all is there
	}
	c, n := learners[0].c, learners[0].rows()
	t := c.blocks[0].table
	var (
		spelling, collecting sync.WaitGroup
		ordered              chan []int32                   // the rows in order, by their numbers so far
		classes              = make([][]int, len(learners)) // of each learner among all
		carriedBy            = make([][]carriedCell, len(learners))
	)
	if g := learners[0].ngrams; g != nil {
		ordered = make(chan []int32, 1)
		spelling.Go(func() { g.spell(&t.Index, ordered) })
	}
	for j, l := range learners {
		for _, cl := range l.c.classes {
			k := c.class(cl.label)
			classes[j] = append(classes[j], k)
			if j > 0 {
				c.classes[k].add(cl.tally, +1)
			}
		}
		l.ngrams = nil
		l.sortPostponed(n)
		l.sorted = nil
		carriedBy[j] = l.allCarried()
	}
	rows := make([][]cell, n, n+n/8)
	memory.Populate(rows, 0)
	collectors := make([]*collector, len(learners))
	var next atomic.Int64
	for j := range collectors {
		w := &collector{learners: learners, classes: classes, carried: carriedBy, table: sparse.Table{Cells: make([]int, len(c.classes))}}
		collectors[j] = w
		collecting.Go(func() {
			for {
				to := int(next.Add(collectRows))
				from := to - collectRows
				if from >= n {
					return
				}
				copy(rows[from:], w.rows(from, min(to, n)))
			}
		})
	}
	collecting.Wait()
	t.Rows = rows
	if ordered != nil {
		t.Rows = inOrderOf(<-ordered, rows)
	}
	spelling.Wait()
	for _, w := range collectors {
		t.CountPart(&w.table)
	}
	for _, l := range learners {
		l.recent, l.states, l.carried, l.postponed = nil, nil, nil, nil
	}
}

// inOrderOf returns rows in an order, which names all of them.
func inOrderOf(order []int32, rows [][]cell) [][]cell {
	list := make([][]cell, len(rows), cap(rows))
	memory.Populate(list, 0) // before the garbage collector reads it
	for from := 0; from < len(order); from += intern.Stage {
		stage := order[from:min(from+intern.Stage, len(order))]
		memory.Prefetch(rows, stage)
		for j, i := range stage {
			list[from+j] = rows[i]
		}
	}
	return list
}

// A collector collects rows.
type collector struct {
	learners []*learner
	classes  [][]int         // of each learner among all
	carried  [][]carriedCell // of each learner
	table    sparse.Table
	found    []found
}

// found is what a learner has of a row and a class.
type found struct {
	row, class int32
	moments
}

// collectRows is how many rows are collected at a time.
const collectRows = 1 << 10

// rows returns rows: to those of the first learner's table is added what learners have
// counted beside them. They are valid until the next call.
func (w *collector) rows(from, to int) [][]cell {
	t := &w.table
	t.Rows = slices.Grow(t.Rows[:0], to-from)[:to-from]
	clear(t.Rows)
	if rows := w.learners[0].c.blocks[0].table.Rows; from < len(rows) {
		copy(t.Rows, rows[from:])
	}
	w.find(from, to)
	var seen [collectRows]uint64 // the classes of each row, modulo 64
	for i, row := range t.Rows {
		for j := range row {
			seen[i] |= 1 << (row[j].Class & 63)
		}
	}
	for j := range w.found {
		f := &w.found[j]
		seen[f.row] |= 1 << (f.class & 63)
	}
	w.eachOther(from, to, func(i, k int, _ moments) { seen[i-from] |= 1 << (k & 63) })
	for i := range t.Rows {
		t.Reserve(i, bits.OnesCount64(seen[i]))
	}
	for j := range w.found {
		f := &w.found[j]
		t.Add(int(f.row), int(f.class), f.moments, +1)
	}
	w.eachOther(from, to, func(i, k int, m moments) { t.Add(i-from, k, m, +1) })
	return t.Rows
}

// eachOther calls f for what learners have carried and postponed of some rows.
func (w *collector) eachOther(from, to int, f func(i, k int, m moments)) {
	for j, l := range w.learners {
		start, _ := slices.BinarySearch(l.postponed, postponed(from)<<32)
		end, _ := slices.BinarySearch(l.postponed, postponed(to)<<32)
		for _, p := range l.postponed[start:end] {
			i, k, m := p.cell()
			f(i, w.classes[j][k], l.weighed(i, m))
		}
		list := w.carried[j]
		start, _ = slices.BinarySearchFunc(list, from, carriedCell.compare)
		end, _ = slices.BinarySearchFunc(list, to, carriedCell.compare)
		for i := range list[start:end] {
			m := &list[start+i]
			f(int(m.term), w.classes[j][m.class], l.weighed(int(m.term), m.moments))
		}
	}
}

// A carriedCell is what a learner has carried of a term and a class.
type carriedCell struct {
	spot
	moments
}

func (c carriedCell) compare(row int) int { return cmp.Compare(int(c.term), row) }

// allCarried returns what l has carried, by term. Of one term, classes come in any order.
func (l *learner) allCarried() []carriedCell {
	list := make([]carriedCell, 0, len(l.carried))
	for at, m := range l.carried {
		list = append(list, carriedCell{at, m})
	}
	slices.SortFunc(list, func(a, b carriedCell) int { return a.compare(int(b.term)) })
	return list
}

// find finds what learners have of some rows, but for the table of the first, and for
// what eachOther yields.
func (w *collector) find(from, to int) {
	w.found = w.found[:0]
	for j, l := range w.learners {
		classes := w.classes[j]
		note := func(i, k int, m moments) {
			w.found = append(w.found, found{int32(i - from), int32(classes[k]), m})
		}
		for k, recent := range l.recent {
			for i := from; i < min(to, len(recent)); i++ {
				if recent[i] > 0 {
					note(i, k, l.weighed(i, recent[i].moments()))
				}
			}
		}
		for i := from; i < min(to, len(l.states)); i++ {
			if r := l.states[i].rare; r.recentMoments > 0 {
				note(i, int(r.class), l.weighed(i, r.moments()))
			}
		}
		if rows := l.c.blocks[0].table.Rows; j > 0 {
			for i := from; i < min(to, len(rows)); i++ {
				for _, cell := range rows[i] {
					note(i, int(cell.Class), cell.Moments)
				}
			}
		}
	}
}
