// Package svm fits linear support vector machines with a squared hinge loss, one class against the
// rest, by dual coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan 2008, "A dual
// coordinate descent method for large-scale linear SVM"). For each class k it finds the weights w
// and the bias b that make
//
//	½(|w|² + b²) + C Σ_i weight_i · max(0, 1 - y_i (w·x_i + b + base_ik))²
//
// least, where y_i is 1 for the examples of the class and -1 for the rest, and base_ik is a score
// that is given. Of two classes it finds one machine, of the second against the first. It is what
// liblinear finds (-s 1 -B 1), or scikit-learn's LinearSVC by default.
//
// An example has a variable α for each machine, from 0 up, and w is the sum of α·y·x over the
// examples. A pass goes through the examples in a random order that is always the same, and moves
// each variable to, or rather beyond, where the dual objective is best.
//
// All machines of up to eight classes are fitted in the same passes over the examples, with their
// weights of a feature side by side: what takes time is to fetch the weights of a feature from
// memory, and that is done once for all of them.
package svm

import (
	"context"
	"math"
	"slices"

	"bayes/internal/parallel"
	"bayes/internal/prefetch"
)

// A Cell is a feature of a row and its value, side by side, so that a row is in one place.
type Cell struct {
	Feature int32
	Value   float32
}

// Rows are the rows of a sparse matrix. A row has each of its features once, in any order.
type Rows struct {
	Row      [][]Cell
	Features int // how many there are
}

// Len returns how many rows there are.
func (x *Rows) Len() int { return len(x.Row) }

// A Problem is what machines are to be fitted to. All its numbers are finite.
type Problem struct {
	*Rows
	Class   []int32   // by row
	Sets    [][]int32 // by row, in place of Class: the classes it is of, if it may be of several; nil if not
	Classes int       // at least 2
	Weight  []float64 // by row, not negative; nil if all are 1
	Base    []float32 // by row and machine: scores that are given; nil if there are none
}

// weight returns the weight of row i.
func (p *Problem) weight(i int) float64 {
	if p.Weight == nil {
		return 1
	}
	return p.Weight[i]
}

// target returns 1 if row i is of the class of a machine, and else -1.
func (p *Problem) target(i, machine int) float64 {
	if p.Classes == 2 {
		machine = 1
	}
	if p.Sets != nil {
		if slices.Contains(p.Sets[i], int32(machine)) {
			return 1
		}
		return -1
	}
	if int(p.Class[i]) == machine {
		return 1
	}
	return -1
}

// Machines returns how many machines are fitted for a number of classes.
func Machines(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// Single reports whether the machines for a number of classes are fitted on one core.
func Single(classes int) bool { return Machines(classes) <= width }

// Bytes returns how much memory the machines take for as many classes, features and rows, at most.
func Bytes(classes, features, rows int) int64 {
	machines := Machines(classes)
	if machines == 1 {
		return int64(features)*4 + int64(rows)*8
	}
	blocks := (machines + width - 1) / width
	return int64(blocks)*int64(features)*4*width + int64(machines)*int64(rows)*8
}

// Options say how machines are fitted.
type Options struct {
	Strength float64 // C, above 0

	// Tolerance is how far the derivatives of the dual objective may be from those of the optimum;
	// their unit is a margin's, 1. With texts, 0.1 finds an objective that is within some 1e-4 of
	// the least, as a share, 0.01 within 1e-7, and 1e-4 within 1e-11. Below that, or at 0, a fit
	// ends where rounding to float32 keeps passes from making anything better.
	Tolerance float64

	// Passes is how many passes over the examples there are at most. A machine that has not got to
	// its optimum by then is shortened to where its own objective is least, so it is never worse
	// than none. That takes 20 to 40 passes for texts and a strength of 1, and many more for strengths
	// or weights by which examples must be right that cannot all be.
	Passes int
}

// A Solver holds machines while they are fitted, which may be done with one strength after another:
// each begins where the last has ended.
type Solver struct {
	problem *Problem
	matrix  *matrix
	blocks  []*block // none before the first fit
}

// New returns machines whose weights are zero. The rows are its own from now on: it numbers their
// features anew in place. Machines take 4 bytes a feature that several rows have, or 32 for each eight
// classes, and 8 bytes a row and class: see [Bytes].
func New(p *Problem) *Solver {
	return &Solver{problem: p, matrix: newMatrix(p)}
}

// Again returns machines whose weights are zero, for the same rows and other scores that are given.
// Several may be fitted at the same time.
func (s *Solver) Again(base []float32) *Solver {
	p := *s.problem
	p.Base = base
	return &Solver{problem: &p, matrix: s.matrix}
}

// Scale multiplies the values of each feature by its scale. So that they stay as large as they are, in the
// mean of their squares, it multiplies all scales by a number first; if there is none, it changes nothing
// and returns false. Machines for the rows must be made anew.
func (s *Solver) Scale(scale []float32) bool { return s.matrix.scale(scale) }

// Fit moves the machines to the optimum, and returns how many passes that took at most. Blocks of
// machines are independent of each other, so the result is the same on any number of cores.
func (s *Solver) Fit(o Options) (passes int) {
	passes, _ = s.FitContext(context.Background(), o)
	return passes
}

// FitContext is Fit, which ends after the pass during which ctx is done, and then returns the
// context's error. The machines are as near to the optimum as they have got; a second call goes on.
func (s *Solver) FitContext(ctx context.Context, o Options) (passes int, err error) {
	machines := Machines(s.problem.Classes)
	for first := len(s.blocks) * width; first < machines; first += width {
		s.blocks = append(s.blocks, newBlock(s.matrix, first, min(width, machines-first)))
	}
	took := make([]int, len(s.blocks))
	parallel.For(len(s.blocks), 1, func(from, to int) {
		for i := from; i < to; i++ {
			f := fitter{block: s.blocks[i], problem: s.problem, rows: s.matrix, options: o}
			took[i] = f.fit(ctx)
		}
	})
	return slices.Max(took), ctx.Err()
}

// Weights sets weights, by machine, to those of a feature, once machines are fitted.
func (s *Solver) Weights(weights []float32, feature int) {
	for _, b := range s.blocks {
		to := weights[b.first : b.first+b.n]
		own, shared := s.of(b, s.matrix.places[feature])
		for k := range to {
			if to[k] = 0; shared != nil {
				to[k] = float32(float64(shared[k]) * b.scale[k])
			} else if own != nil {
				to[k] = s.private(b, own, k)
			}
		}
	}
}

// A Value is that of a feature, in float64.
type Value struct {
	Feature int32
	Value   float64
}

// Score sets sums, by machine, to the sums of values times the weights of their features, each of them times
// the scale of its feature, if there are scales, once machines are fitted.
func (s *Solver) Score(sums []float64, values []Value, scale []float32) {
	clear(sums)
	var places [scoreBatch]int32
	for batch := range slices.Chunk(values, scoreBatch) {
		for j, v := range batch {
			places[j] = s.matrix.places[v.Feature]
		}
		for _, b := range s.blocks {
			prefetch.Rows(b.weights, b.stride(), places[:len(batch)])
			s.score(sums[b.first:b.first+b.n], b, batch, &places, scale)
		}
	}
}

// scoreBatch is how many weights are asked for at once.
const scoreBatch = 32

// score adds to sums what a batch of values says, given the places of their features.
func (s *Solver) score(sums []float64, b *block, batch []Value, places *[scoreBatch]int32, scale []float32) {
	var all [width]float64
	copy(all[:], sums)
	for j, v := range batch {
		by := float32(1)
		if scale != nil {
			by = scale[v.Feature]
		}
		own, shared := s.of(b, places[j])
		for k, w := range shared {
			all[k] += v.Value * float64(float32(float64(w)*b.scale[k])*by)
		}
		if own != nil {
			for k := range b.n {
				all[k] += v.Value * float64(s.private(b, own, k)*by)
			}
		}
	}
	copy(sums, all[:])
}

// of returns the weights of the feature at a place that several rows have, before they are scaled, or where the one is that
// a single row has; neither if no row has it.
func (s *Solver) of(b *block, place int32) (own *private, shared []float32) {
	at := int(place)
	if at < s.matrix.features {
		return nil, b.weights[at*b.stride():][:b.n]
	}
	if at -= s.matrix.features; at < len(s.matrix.private) {
		return &s.matrix.private[at], nil
	}
	return nil, nil
}

// private returns the weight in machine k of a block of a feature that a single row has.
func (s *Solver) private(b *block, own *private, k int) float32 {
	row := int(s.matrix.rows[own.row].row)
	return float32(b.alpha[int(own.row)*b.n+k] * s.problem.target(row, b.first+k) * float64(own.value) * b.scale[k])
}

// Bias returns the bias of a machine, once it is fitted.
func (s *Solver) Bias(machine int) float64 {
	b, k := s.blocks[machine/width], machine%width
	return b.bias[k] * b.scale[k]
}

// A matrix are the rows of a problem that have a weight. Features that several of them have are
// numbered from the most frequent to the rarest, so that those whose weights are needed all the time
// are neighbours, and stand first in their rows.
//
// The weight of a feature that one row alone has is that row's variable times the value, so it is
// not kept while machines are fitted: its square adds to the row's own factor. In texts more than
// half of the features are of this kind.
type matrix struct {
	rows     []row
	features int       // how many several rows have
	places   []int32   // by feature of the problem: its number, or else that in private behind these, if it is there
	private  []private // by place behind those of features
}

// A row has what a pass wants to know of a row at once.
type row struct {
	cells  cells   // of the features that several rows have
	own    float64 // the square of the length of others
	weight float64 // its weight
	square float64 // the square of the length of its cells and a bias of value 1
	row    int32   // which one of the problem it is
	others int32   // how many cells of other features follow
}

// A private feature is one that a single row has.
type private struct {
	row   int32 // of the matrix
	value float32
}

// newMatrix returns the rows of a problem, which it takes.
func newMatrix(p *Problem) *matrix {
	x := &matrix{places: make([]int32, p.Features)}
	for i, cells := range p.Row {
		if p.weight(i) > 0 {
			x.rows = append(x.rows, row{row: int32(i), weight: p.weight(i), cells: cells})
		}
	}
	x.count()
	x.number()
	parallel.For(len(x.rows), 256, func(from, to int) {
		var others []Cell
		for i := from; i < to; i++ {
			others = x.arrange(i, others)
			x.measure(i)
		}
	})
	return x
}

// count sets places to how many rows have each feature. Two cores count half of the rows each; more would take more
// memory than they save time.
func (x *matrix) count() {
	halves := [2][]row{x.rows[:len(x.rows)/2], x.rows[len(x.rows)/2:]}
	counts := [2][]int32{x.places, make([]int32, len(x.places))}
	parallel.For(len(halves), 1, func(from, to int) {
		for i := from; i < to; i++ {
			for r := range halves[i] {
				for _, c := range halves[i][r].cells {
					counts[i][c.Feature]++
				}
			}
		}
	})
	for f, n := range counts[1] {
		x.places[f] += n
	}
}

// number makes places, which are frequencies, what they are to be.
func (x *matrix) number() {
	most := int32(1)
	for _, n := range x.places {
		most = max(most, n)
	}
	next := make([]int32, most+1) // by frequency
	for _, n := range x.places {
		next[n]++
	}
	x.private = make([]private, next[1])
	first := int32(0)
	for n := most; n >= 0; n-- {
		if n == 1 {
			x.features = int(first)
		}
		next[n], first = first, first+next[n]
	}
	for f, n := range x.places {
		x.places[f] = next[n]
		next[n]++
	}
}

// arrange numbers the features of row i, and moves those that it alone has behind the others. It returns
// the memory that it is given for them. Which of the two a feature is nothing predicts, so no branch asks.
func (x *matrix) arrange(i int, others []Cell) []Cell {
	r := &x.rows[i]
	others = slices.Grow(others[:0], len(r.cells))[:len(r.cells)]
	n := 0
	for j, c := range r.cells {
		c.Feature = x.places[c.Feature]
		r.cells[n], others[j-n] = c, c
		n += int(uint32(c.Feature-int32(x.features)) >> 31) // 1 if several rows have it
	}
	r.others = int32(copy(r.cells[n:], others))
	r.cells = r.cells[:n]
	return others
}

// all returns all cells of r.
func (r *row) all() []Cell { return r.cells[:len(r.cells)+int(r.others)] }

// measure sets what is worked out from the values of row i.
func (x *matrix) measure(i int) {
	r := &x.rows[i]
	square, own := 1.0, 0.0
	for _, c := range r.cells {
		square += float64(c.Value) * float64(c.Value)
	}
	for _, c := range r.all()[len(r.cells):] {
		own += float64(c.Value) * float64(c.Value)
		x.private[int(c.Feature)-x.features] = private{int32(i), c.Value}
	}
	r.square, r.own = square, own
}

func (x *matrix) scale(scale []float32) bool {
	byPlace := make([]float32, len(scale))
	for f, place := range x.places {
		byPlace[place] = scale[f]
	}
	var before, after float64
	for i := range x.rows {
		r := &x.rows[i]
		for _, c := range r.all() {
			v, s := float64(c.Value), float64(byPlace[c.Feature])
			before += v * v
			after += v * v * s * s
		}
	}
	if !(after > 0) {
		return false
	}
	unit := float32(math.Sqrt(before / after))
	for f := range scale {
		scale[f] *= unit
		byPlace[x.places[f]] = scale[f]
	}
	parallel.For(len(x.rows), 256, func(from, to int) {
		for i := from; i < to; i++ {
			all := x.rows[i].all()
			for j := range all {
				all[j].Value *= byPlace[all[j].Feature]
			}
			x.measure(i)
		}
	})
	return true
}
