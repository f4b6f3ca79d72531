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
	"slices"

	"bayes/internal/parallel"
)

// Rows are the rows of a sparse matrix, one after the other.
type Rows struct {
	Start    []int // row i reaches from Start[i] up to Start[i+1]; so it is one longer than there are rows
	Feature  []int32
	Value    []float32
	Features int // how many there are
}

// Len returns how many rows there are.
func (x *Rows) Len() int { return len(x.Start) - 1 }

// Row returns the features of row i, each of them once and in any order, and their values.
func (x *Rows) Row(i int) (features []int32, values []float32) {
	return x.Feature[x.Start[i]:x.Start[i+1]], x.Value[x.Start[i]:x.Start[i+1]]
}

// A Problem is what machines are to be fitted to. All its numbers are finite.
type Problem struct {
	*Rows
	Class   []int32   // by row
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
	shared  shared
	blocks  []*block
}

// New returns machines whose weights are zero. It copies the rows, 8 bytes a value. Machines take
// 4 bytes a feature that several rows have, or 32 for each eight classes, and 8 bytes a row and class.
// Of the problem only the scores that are given may change from now on, between one fit and the next.
func New(p *Problem) *Solver {
	s := &Solver{problem: p, shared: share(p)}
	machines := Machines(p.Classes)
	for first := 0; first < machines; first += width {
		s.blocks = append(s.blocks, newBlock(&s.shared, first, min(width, machines-first)))
	}
	return s
}

// Fit moves the machines to the optimum, and returns how many passes that took at most. Blocks of
// machines are independent of each other, so the result is the same on any number of cores.
func (s *Solver) Fit(o Options) (passes int) {
	passes, _ = s.FitContext(context.Background(), o)
	return passes
}

// FitContext is Fit, which ends after the pass during which ctx is done, and then returns the
// context's error. The machines are as near to the optimum as they have got; a second call goes on.
func (s *Solver) FitContext(ctx context.Context, o Options) (passes int, err error) {
	took := make([]int, len(s.blocks))
	parallel.For(len(s.blocks), 1, func(from, to int) {
		for i := from; i < to; i++ {
			f := fitter{block: s.blocks[i], problem: s.problem, rows: &s.shared, options: o}
			took[i] = f.fit(ctx)
		}
	})
	return slices.Max(took), ctx.Err()
}

// Weights sets weights, by machine, to those of a feature.
func (s *Solver) Weights(weights []float32, feature int) {
	place := int(s.shared.places[feature])
	for _, b := range s.blocks {
		to := weights[b.first : b.first+b.n]
		switch behind := place - s.shared.features; {
		case behind < 0:
			for k, w := range b.weights[place*b.stride():][:b.n] {
				to[k] = float32(float64(w) * b.scale[k])
			}
		case behind < len(s.shared.private):
			own := s.shared.private[behind]
			row := int(s.shared.rows[own.row].row)
			for k := range to {
				to[k] = float32(b.alpha[int(own.row)*b.n+k] * s.problem.target(row, b.first+k) * float64(own.value) * b.scale[k])
			}
		default:
			clear(to)
		}
	}
}

// Bias returns the bias of a machine.
func (s *Solver) Bias(machine int) float64 {
	b, k := s.blocks[machine/width], machine%width
	return b.bias[k] * b.scale[k]
}

// shared are the rows of a problem that have a weight, as far as several of them have the same
// features. These are numbered from the most frequent to the rarest, so that those whose weights are
// needed all the time are neighbours.
//
// The weight of a feature that one row alone has is that row's variable times the value, so it is
// not kept while machines are fitted: its square adds to the row's own factor. In texts more than
// half of the features are of this kind.
type shared struct {
	rows     []row
	all      cells     // of one row after the other
	features int       // how many are numbered
	places   []int32   // by feature of the problem: its number, or else that in private behind these, if it is there
	private  []private // by place behind those of features
}

// A row has what a pass wants to know of a row at once.
type row struct {
	start  int     // its first value
	length int32   // how many values it has
	row    int32   // which one of the problem it is
	weight float64 // its weight
	square float64 // the square of the length of its shared features and a bias of value 1
	own    float64 // the square of the length of others
}

// A private feature is one that a single row has.
type private struct {
	row   int32 // of shared
	value float32
}

// cells returns the shared features of a row and their values.
func (x *shared) cells(r *row) cells {
	return x.all[r.start : r.start+int(r.length)]
}

// share returns the rows of a problem.
func share(p *Problem) shared {
	x := shared{places: make([]int32, p.Features)}
	for i := range p.Len() {
		if p.weight(i) > 0 {
			x.rows = append(x.rows, row{row: int32(i), weight: p.weight(i)})
			features, _ := p.Row(i)
			for _, f := range features {
				x.places[f]++
			}
		}
	}
	x.number()
	parallel.For(len(x.rows), 256, func(from, to int) {
		for i := from; i < to; i++ {
			r := &x.rows[i]
			features, _ := p.Row(int(r.row))
			for _, f := range features {
				if int(x.places[f]) < x.features {
					r.length++
				}
			}
		}
	})
	start := 0
	for i := range x.rows {
		x.rows[i].start = start
		start += int(x.rows[i].length)
	}
	x.all = make(cells, start)
	parallel.For(len(x.rows), 256, func(from, to int) {
		for i := from; i < to; i++ {
			x.copyRow(p, i)
		}
	})
	return x
}

// number makes places, which are frequencies, what they are to be.
func (x *shared) number() {
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

// copyRow copies the values of row i.
func (x *shared) copyRow(p *Problem, i int) {
	r := &x.rows[i]
	to, square, own := r.start, 1.0, 0.0
	features, values := p.Row(int(r.row))
	for j, f := range features {
		place, v := int(x.places[f]), float64(values[j])
		if place < x.features {
			x.all[to] = cell{int32(place), values[j]}
			to++
			square += v * v
		} else {
			x.private[place-x.features] = private{int32(i), values[j]}
			own += v * v
		}
	}
	r.square, r.own = square, own
}
