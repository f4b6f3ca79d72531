package sweep

import (
	"slices"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
	"bayes/internal/sparse"
)

// A Scorer scores documents one after the other, for one goroutine.
type Scorer struct {
	*Grid
	groups []*groupScorer

	counted terms   // of the document: those that exist without the example that is left out
	present terms   // those of counted that are present, once each
	length  float64 // Σ v over all features that exist, if an example is left out
	batch   batch

	left leftOut
}

// leftOut is the example that a Scorer leaves out.
type leftOut struct {
	class    int        // in sorted order; -1 if no example is left out
	weight   float64    // of the example
	vanishes bool       // whether the class does not exist without the example
	gone     [2]float64 // how many features only this example has: not present and present in it

	cells   []sparse.Cell // the document's sparse rows without the example
	dense   []float64     // its dense rows without the example
	weights []float64     // N(c) without the example, by class ID
}

// terms are some terms of a document. If the value v of a term is a small whole number,
// its n + α is multiplied v times. For the others, v·ln(n + α) is added.
type terms struct {
	dense       [maxTimes + 1][]int32 // places of dense rows, by v
	most        int                   // the largest v of these
	denseOthers []int32
	denseValues []float64 // v

	sparse       []factor
	sparseOthers []factor
	sparseValues []float64 // v

	value       float64   // Σ v
	sparseValue float64   // Σ v of all but the dense
	had         []float64 // Σ v of all but the dense that a class has, by class ID
}

// A batch is memory for terms that are entered together.
type batch struct {
	rows, dense, rest [intern.Batch]int32
	values            [intern.Batch]float64
	cells             [intern.Batch][]sparse.Cell
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

// addDense adds a term of value v whose dense row is given by its place. The term is
// multiplied if times, which is v as a small whole number, is not zero.
func (t *terms) addDense(row int32, v float64, times int) {
	t.value += v
	if times == 0 {
		t.denseOthers, t.denseValues = append(t.denseOthers, row), append(t.denseValues, v)
		return
	}
	t.most = max(t.most, times)
	t.dense[times] = append(t.dense[times], row)
}

// addSparse adds a term of value v whose row is sparse.
func (t *terms) addSparse(f factor, v float64, times int) {
	t.value += v
	t.sparseValue += v
	for i := range f.cells {
		t.had[f.cells[i].Class] += v
	}
	if times == 0 {
		t.sparseOthers, t.sparseValues = append(t.sparseOthers, f), append(t.sparseValues, v)
		return
	}
	f.times = times
	t.sparse = append(t.sparse, f)
}

// timesOf returns v if it is a whole number from 1 to most, and else 0.
func timesOf(v float64, most int) int {
	if times := int(v); times > 0 && times <= most && float64(times) == v {
		return times
	}
	return 0
}

// Scorer returns a Scorer for one goroutine. No group may be added after it.
func (g *Grid) Scorer() *Scorer {
	s := &Scorer{Grid: g, left: leftOut{class: -1, weights: g.weights}}
	ids := len(g.Sorted)
	s.counted.had, s.present.had = make([]float64, ids), make([]float64, ids)
	for _, of := range g.groups {
		n := len(of.alphas)
		s.groups = append(s.groups, &groupScorer{
			Scorer: s, group: of, scores: make([]float64, len(g.IDs)*n),
			products: make([]float64, ids*n), exponents: make([]int64, ids*n),
			divisors: make([]float64, ids*n), divisorExponents: make([]int64, ids*n),
			ones: slices.Repeat([]float64{1}, ids*n),
		})
	}
	return s
}

// LeaveOut makes the next document be scored as if one example had not been counted: the
// document itself, with a weight, in a class given in sorted order. The class vanishes if
// it does not exist without the example.
func (s *Scorer) LeaveOut(class int, weight float64, vanishes bool) {
	l := &s.left
	l.class, l.weight, l.vanishes = class, weight, vanishes
	l.weights = append(l.weights[:0:0], s.weights...)
	// Twice, since the Bernoulli model counts the example's terms among those that the class
	// lacks.
	l.weights[s.IDs[class]] -= 2 * weight
}

// Enter enters a document by its features. It skips those that do not exist.
func (s *Scorer) Enter(features []sparse.Entry) {
	s.counted.clear()
	s.present.clear()
	s.length, s.left.gone = 0, [2]float64{}
	s.left.cells, s.left.dense = s.left.cells[:0], s.left.dense[:0]
	for part := range slices.Chunk(features, intern.Batch) {
		s.enterBatch(part)
	}
}

// enterBatch enters at most intern.Batch features. It prefetches the rows of all before it
// reads any.
func (s *Scorer) enterBatch(features []sparse.Entry) {
	b := &s.batch
	for j := range features {
		b.rows[j] = features[j].Number - 1
	}
	prefetch.Elements(s.dense, b.rows[:len(features)])
	// Dense rows that no example is left out of are ready; all others need a closer look.
	dense, rest := 0, 0
	for j, i := range b.rows[:len(features)] {
		if i < 0 || int(i) >= len(s.dense) {
			continue
		}
		if row := s.dense[i]; row >= 0 && s.left.class < 0 {
			s.enterDense(row, features[j].Value)
			b.dense[dense] = row
			dense++
			continue
		}
		b.rest[rest], b.values[rest] = i, features[j].Value
		rest++
	}
	prefetch.Elements(s.matrix, b.dense[:dense])
	prefetch.Elements(s.Rows, b.rest[:rest])
	prefetch.Elements(s.all, b.rest[:rest])
	for j, i := range b.rest[:rest] {
		b.cells[j] = s.Rows[i]
	}
	prefetch.First(b.cells[:rest])
	for j, i := range b.rest[:rest] {
		s.enterTerm(int(i), b.cells[j], b.values[j])
	}
}

// enterDense enters a feature of value v by the place of its dense row.
func (s *Scorer) enterDense(row int32, v float64) {
	s.counted.addDense(row, v, timesOf(v, s.maxTimes))
	if v > s.Threshold {
		s.present.addDense(row, 1, 1)
	}
}

// enterTerm enters feature i, of the given cells, with value v.
func (s *Scorer) enterTerm(i int, cells []sparse.Cell, v float64) {
	// A feature that no example has, unless it is declared, does not exist.
	dense := s.dense[i] >= 0
	if !dense && len(cells) == 0 && !s.Declared {
		return
	}
	s.length += v
	// Nor does one that only the example that is left out has.
	if s.onlyHere(i) {
		if v > s.Threshold {
			s.left.gone[1]++
		} else {
			s.left.gone[0]++
		}
		return
	}
	if dense {
		s.enterDense(s.leaveDense(i, v), v)
		return
	}
	f := factor{cells: cells, all: s.all[i]}
	if s.left.class >= 0 {
		f = s.leaveSparse(f, v)
	}
	s.counted.addSparse(f, v, timesOf(v, s.maxTimes))
	if v > s.Threshold {
		s.present.addSparse(f, 1, 1)
	}
}

// onlyHere reports whether only the example that is left out has feature i: without it the
// feature does not exist.
func (s *Scorer) onlyHere(i int) bool {
	return s.left.class >= 0 && !s.Declared && len(s.Rows[i]) == 1 && s.Rows[i][0].Examples == 1
}

// leaveSparse returns f without the example that is left out, in which it has value v.
func (s *Scorer) leaveSparse(f factor, v float64) factor {
	l := &s.left
	from := len(l.cells)
	l.cells = append(l.cells, f.cells...)
	f.cells, f.all = l.cells[from:], 0
	for j := range f.cells {
		c := &f.cells[j]
		if s.Sorted[c.Class] == l.class {
			c.Examples--
			c.Sum -= float64(l.weight * v)
			if v > s.Threshold {
				c.Present -= l.weight
			}
			if c.Examples == 0 { // whatever rounding leaves
				c.Present, c.Sum = 0, 0
			}
		}
		f.all += c.Sum
	}
	return f
}

// leaveDense copies the dense row of feature i to left.dense without the example that is
// left out, in which the feature has value v, and returns the place of the copy. The
// example's class has an Absent of one less, which agrees with left.weights.
func (s *Scorer) leaveDense(i int, v float64) int32 {
	l := &s.left
	from := len(l.dense)
	l.dense = append(l.dense, s.denseRow(i)...)
	classes, own := len(s.Sorted), s.IDs[l.class]
	of := func(c count) []float64 { return l.dense[from:][int(c)*classes:][:classes] }
	sub := func(n *float64, v float64) { *n = max(*n-float64(l.weight*v), 0) }
	sums := of(countSum)
	sub(&sums[own], v)
	if v > s.Threshold {
		sub(&of(countPresent)[own], 1)
	}
	if !sparse.Whole(sums[own]) && s.lastOfClass(i, own) { // whatever rounding leaves
		sums[own], of(countPresent)[own] = 0, 0
	}
	// T(t) is summed anew: a difference would keep the rounding of the sum with the example.
	all := 0.0
	for _, sum := range sums {
		all += sum
	}
	for id, sum := range sums {
		if id != own {
			of(countOthers)[id] = max(all-sum, 0)
		}
	}
	sub(&of(countAbsent)[own], 1)
	return int32(from)
}

// lastOfClass reports whether a single example of a class, given by its ID, has feature i.
func (g *Grid) lastOfClass(i, id int) bool {
	return slices.ContainsFunc(g.Rows[i], func(c sparse.Cell) bool { return int(c.Class) == id && c.Examples == 1 })
}
