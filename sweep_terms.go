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
	length  float64    // Σ v of all
	gone    [2]float64 // how many exist no more, of those not present and of those present

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
		})
	}
	return w
}

func (s *sweep) worker() func(x *features, logP [][]float64) {
	return s.sweeper().predict
}

// predict sets logP[m] of each event model m.
func (w *sweeper) predict(x *features, logP [][]float64) {
	w.enter(&x.bags[0])
	for _, g := range w.scorers {
		g.predict(logP)
	}
}

// enter finds the terms of x whose features exist.
func (w *sweeper) enter(x *bag) {
	w.counted.clear()
	w.present.clear()
	w.length, w.gone = 0, [2]float64{}
	w.left, w.leftDense = w.left[:0], w.leftDense[:0]
	for terms := range slices.Chunk(x.terms, intern.Stage) {
		w.enterAll(terms)
	}
}

// enterAll enters at most a stage of terms. What is known of all of them is asked for
// before any is looked at.
func (w *sweeper) enterAll(terms []term) {
	var numbers [intern.Stage]int32
	for j := range terms {
		t := &terms[j]
		numbers[j] = t.number - 1
		if t.number == 0 {
			if i, ok := w.index.Lookup(t.key, t.name); ok {
				numbers[j] = int32(i)
			}
		}
	}
	memory.Prefetch(w.dense, numbers[:len(terms)])
	memory.Prefetch(w.rows, numbers[:len(terms)])
	memory.Prefetch(w.all, numbers[:len(terms)])
	var cells [intern.Stage][]cell
	for j, i := range numbers[:len(terms)] {
		if i >= 0 && int(i) < len(w.rows) && w.dense[i] < 0 {
			cells[j] = w.rows[i]
		}
	}
	memory.PrefetchFirst(cells[:len(terms)])
	for j, i := range numbers[:len(terms)] {
		if i >= 0 && int(i) < len(w.rows) {
			w.enterTerm(int(i), terms[j].value)
		}
	}
}

// enterTerm enters feature i with value v.
func (w *sweeper) enterTerm(i int, v float64) {
	dense := w.dense[i] >= 0
	if !dense && len(w.rows[i]) == 0 && !w.declared {
		return
	}
	w.length += v
	present := v > w.binarize
	if w.alone(i) {
		w.forget(present)
		return
	}
	times := timesOf(v, w.most)
	if dense {
		row := w.dense[i]
		if w.own >= 0 {
			row = w.leaveDense(i, v)
		}
		w.counted.addDense(row, v, times)
		if present {
			w.present.addDense(row, 1, 1)
		}
		return
	}
	f := rows.Factor{Cells: w.rows[i], All: w.all[i]}
	if w.own >= 0 {
		f = w.leaveSparse(f, v)
	}
	w.counted.addSparse(f, v, times)
	if present {
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
