package bayes

import (
	"slices"

	"bayes/internal/intern"
	"bayes/internal/memory"
	"bayes/internal/rows"
)

// A sweeper scores documents one after the other, for one goroutine.
type sweeper struct {
	*sweep
	scorers []*scorer

	counted terms      // of the document, those that exist without the example that is left out
	present terms      // those of them that are present, once each
	length  float64    // Σ v of all, if an example is left out
	gone    [2]float64 // how many exist no more, of those not present and of those present

	entries     []entry   // of the document, if it came as a bag
	stage       stage     // of its terms
	own         int       // the class of the example that is left out, -1 if none is
	weight      float64   // and its weight
	vanishes    bool      // whether the class has no other example, and is not declared
	left        []cell    // the document's sparse rows without it
	leftDense   []float64 // and its dense ones
	leftWeights []float64 // N(c), by the number of a class, without it
}

// Terms are terms of a document. Those whose value v is a small whole number are
// multiplied v times; of the others v logarithms are added.
type terms struct {
	dense       [maxTimes + 1][]int32 // where dense rows are, by v
	most        int                   // the largest v of these
	denseOthers []int32
	denseValues []float64 // v

	sparse       []rows.Factor
	sparseOthers []rows.Factor
	sparseValues []float64 // v

	value       float64   // Σ v
	sparseValue float64   // Σ v of all but the dense
	had         []float64 // Σ v of all but the dense that a class has, by its number
}

// A stage is what is known of the terms that are entered together.
type stage struct {
	numbers, dense, rest [intern.Stage]int32
	values               [intern.Stage]float64
	cells                [intern.Stage][]cell
}

func (t *terms) clear() {
	for i := range t.most + 1 {
		t.dense[i] = t.dense[i][:0]
	}
	t.most = 0
	t.denseOthers, t.denseValues = t.denseOthers[:0], t.denseValues[:0]
	t.sparse, t.sparseOthers, t.sparseValues = t.sparse[:0], t.sparseOthers[:0], t.sparseValues[:0]
	t.value, t.sparseValue = 0, 0
	clear(t.had)
}

// addDense adds a term of value v, which is multiplied if times, that value as a small
// whole number, is not zero, given where its row is.
func (t *terms) addDense(row int32, v float64, times int) {
	t.value += v
	if times == 0 {
		t.denseOthers, t.denseValues = append(t.denseOthers, row), append(t.denseValues, v)
		return
	}
	t.most = max(t.most, times)
	t.dense[times] = append(t.dense[times], row)
}

// addSparse does the same with a term of a sparse row.
func (t *terms) addSparse(f rows.Factor, v float64, times int) {
	t.value += v
	t.sparseValue += v
	for i := range f.Cells {
		t.had[f.Cells[i].Class] += v
	}
	if times == 0 {
		t.sparseOthers, t.sparseValues = append(t.sparseOthers, f), append(t.sparseValues, v)
		return
	}
	f.Times = times
	t.sparse = append(t.sparse, f)
}

// timesOf returns v if it is a whole number from 1 to most, and else 0.
func timesOf(v float64, most int) int {
	if times := int(v); times > 0 && times <= most && float64(times) == v {
		return times
	}
	return 0
}

func (s *sweep) sweeper() *sweeper {
	w, numbers := &sweeper{sweep: s, own: -1, leftWeights: s.weights}, len(s.position)
	w.counted.had, w.present.had = make([]float64, numbers), make([]float64, numbers)
	for _, g := range s.groups {
		n := len(g.alphas)
		w.scorers = append(w.scorers, &scorer{
			sweeper: w, swept: g, scores: make([]float64, len(s.classes)*n),
			products: make([]float64, numbers*n), exponents: make([]int64, numbers*n),
			divisors: make([]float64, numbers*n), divisorExponents: make([]int64, numbers*n),
			ones: slices.Repeat([]float64{1}, numbers*n),
		})
	}
	return w
}

// predict scores the document that was entered last.
func (w *sweeper) predict() {
	for _, g := range w.scorers {
		g.predict()
	}
}

// enterBag enters what of x models have a number for.
func (w *sweeper) enterBag(x *bag) {
	w.entries = w.entries[:0]
	for i := range x.terms {
		t := &x.terms[i]
		number := int(t.number) - 1
		if t.number == 0 {
			n, ok := w.index.Lookup(t.key, t.name)
			if !ok {
				continue
			}
			number = n
		}
		w.entries = append(w.entries, entry{number: int32(number + 1), value: t.value})
	}
	w.enter(w.entries)
}

// enter finds the terms of a document whose features exist.
func (w *sweeper) enter(list []entry) {
	w.counted.clear()
	w.present.clear()
	w.length, w.gone = 0, [2]float64{}
	w.left, w.leftDense = w.left[:0], w.leftDense[:0]
	for part := range slices.Chunk(list, intern.Stage) {
		w.enterAll(part)
	}
}

// enterAll enters at most a stage of terms. What is known of all of them is asked for
// before any is looked at.
func (w *sweeper) enterAll(list []entry) {
	b := &w.stage
	for j := range list {
		b.numbers[j] = list[j].number - 1
	}
	memory.Prefetch(w.dense, b.numbers[:len(list)])
	dense, rest := 0, 0 // rest: not dense, or with an example to leave out
	for j, i := range b.numbers[:len(list)] {
		if i < 0 || int(i) >= len(w.dense) {
			continue
		}
		if row := w.dense[i]; row >= 0 && w.own < 0 {
			w.enterDense(row, list[j].value)
			b.dense[dense] = row
			dense++
			continue
		}
		b.rest[rest], b.values[rest] = i, list[j].value
		rest++
	}
	memory.Prefetch(w.matrix, b.dense[:dense])
	memory.Prefetch(w.rows, b.rest[:rest])
	memory.Prefetch(w.all, b.rest[:rest])
	for j, i := range b.rest[:rest] {
		b.cells[j] = w.rows[i]
	}
	memory.PrefetchFirst(b.cells[:rest])
	for j, i := range b.rest[:rest] {
		w.enterTerm(int(i), b.cells[j], b.values[j])
	}
}

// enterDense enters a feature of a dense row with value v.
func (w *sweeper) enterDense(row int32, v float64) {
	w.counted.addDense(row, v, timesOf(v, w.most))
	if v > w.binarize {
		w.present.addDense(row, 1, 1)
	}
}

// enterTerm enters feature i, of the given cells, with value v.
func (w *sweeper) enterTerm(i int, cells []cell, v float64) {
	dense := w.dense[i] >= 0
	if !dense && len(cells) == 0 && !w.declared {
		return
	}
	w.length += v
	if w.alone(i) {
		w.forget(v > w.binarize)
		return
	}
	if dense {
		w.enterDense(w.leaveDense(i, v), v)
		return
	}
	f := rows.Factor{Cells: cells, All: w.all[i]}
	if w.own >= 0 {
		f = w.leaveSparse(f, v)
	}
	w.counted.addSparse(f, v, timesOf(v, w.most))
	if v > w.binarize {
		w.present.addSparse(f, 1, 1)
	}
}

// forget notes a feature that exists no more.
func (w *sweeper) forget(present bool) {
	if present {
		w.gone[1]++
	} else {
		w.gone[0]++
	}
}

// leaveSparse returns f without the example that is left out, in which it has value v.
func (w *sweeper) leaveSparse(f rows.Factor, v float64) rows.Factor {
	from := len(w.left)
	w.left = append(w.left, f.Cells...)
	f.Cells, f.All = w.left[from:], 0
	for j := range f.Cells {
		c := &f.Cells[j]
		if w.position[c.Class] == w.own {
			c.Examples--
			c.Sum -= float64(w.weight * v)
			if v > w.binarize {
				c.Present -= w.weight
			}
			if c.Examples == 0 { // whatever rounding leaves
				c.Present, c.Sum = 0, 0
			}
		}
		f.All += c.Sum
	}
	return f
}

// leaveDense makes the dense row of feature i without that example, likewise, and returns
// where among those it is. Of its own class Absent becomes one less, as with leftWeights.
func (w *sweeper) leaveDense(i int, v float64) int32 {
	from := len(w.leftDense)
	w.leftDense = append(w.leftDense, w.denseRow(i)...)
	classes, own := len(w.position), w.order[w.own]
	count := func(c rows.Count) []float64 { return w.leftDense[from:][int(c)*classes:][:classes] }
	sub := func(n *float64, v float64) { *n = max(*n-float64(w.weight*v), 0) }
	sums := count(rows.Sum)
	sub(&sums[own], v)
	if v > w.binarize {
		sub(&count(rows.Present)[own], 1)
	}
	if !whole(sums[own]) && w.lastOfClass(i, own) { // whatever rounding leaves
		sums[own], count(rows.Present)[own] = 0, 0
	}
	all := 0.0
	for _, sum := range sums {
		all += sum
	}
	for k, sum := range sums {
		if k != own {
			count(rows.Others)[k] = max(all-sum, 0)
		}
	}
	sub(&count(rows.Absent)[own], 1)
	return int32(from)
}

// lastOfClass reports whether one example alone of a class, by its number, has feature i.
func (s *sweep) lastOfClass(i, number int) bool {
	return slices.ContainsFunc(s.rows[i], func(c cell) bool { return int(c.Class) == number && c.Examples == 1 })
}

// alone reports whether the example that is left out is the only one that has
// feature i: without it, the feature is not in the vocabulary.
func (w *sweeper) alone(i int) bool {
	return w.own >= 0 && !w.declared && w.single(i)
}

// single reports whether one example alone has feature i.
func (s *sweep) single(i int) bool { return len(s.rows[i]) == 1 && s.rows[i][0].Examples == 1 }
