// Package svm fits linear support vector machines with a squared hinge loss, one class against the
// rest, by dual coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan 2008, "A dual
// coordinate descent method for large-scale linear SVM"). For each class k it finds the weights w
// and the bias b that make
//
//	½(|w|² + b²) + C Σ_i weight_i · max(0, 1 - y_i (w·x_i + b + base_ik))²
//
// least, where y_i is 1 for the examples of the class and -1 for the rest, and base_ik is a score
// that is given. Of two classes it finds one machine, of the second against the first.
//
// All machines of up to eight classes are fitted in the same passes over the examples, with their
// weights of a feature side by side: what takes time is to fetch the weights of a feature from
// memory, and that is done once for all of them.
package svm

import (
	"math"
	"math/rand/v2"
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

// Row returns the features of row i and their values.
func (x *Rows) Row(i int) (features []int32, values []float32) {
	return x.Feature[x.Start[i]:x.Start[i+1]], x.Value[x.Start[i]:x.Start[i+1]]
}

// A Problem is what machines are to be fitted to.
type Problem struct {
	*Rows
	Class   []int32   // by row
	Classes int       // at least 2
	Weight  []float64 // by row, not negative; nil if all are 1
	Base    []float32 // by row and machine: scores that are given; nil if there are none
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
	Strength  float64 // C, above 0
	Tolerance float64 // by how much a margin may at most be off the optimum's
	Passes    int     // at most this many over the examples
}

// A Solver holds machines while they are fitted, which may be done with one strength after another:
// each begins where the last has ended.
type Solver struct {
	problem *Problem
	norms   []float64 // by row: |x|²
	blocks  []*block
}

// width is how many machines are fitted in the same passes.
const width = 8

// A block is up to width machines.
type block struct {
	first, n int       // the machines
	weights  []float32 // by feature and machine; of one machine by feature
	bias     [width]float64
	alpha    []float64 // by row and machine: the dual variables
}

// New returns machines whose weights are zero.
func New(p *Problem) *Solver {
	s := &Solver{problem: p, norms: make([]float64, p.Len())}
	for i := range s.norms {
		_, values := p.Row(i)
		for _, v := range values {
			s.norms[i] += float64(v) * float64(v)
		}
	}
	machines := Machines(p.Classes)
	for first := 0; first < machines; first += width {
		b := &block{first: first, n: min(width, machines-first)}
		b.weights, b.alpha = make([]float32, p.Features*b.stride()), make([]float64, p.Len()*b.n)
		s.blocks = append(s.blocks, b)
	}
	return s
}

// stride is how far the weights of one feature are from those of the next.
func (b *block) stride() int {
	if b.n == 1 {
		return 1
	}
	return width
}

// Fit moves the machines to the optimum, and returns how many passes that took at most. Blocks are
// independent of each other, so the result is the same on any number of cores.
func (s *Solver) Fit(o Options) (passes int) {
	took := make([]int, len(s.blocks))
	parallel.For(len(s.blocks), 1, func(from, to int) {
		for i := from; i < to; i++ {
			took[i] = s.blocks[i].fit(s, &o)
		}
	})
	return slices.Max(took)
}

// Weights sets weights, by machine, to those of a feature.
func (s *Solver) Weights(weights []float32, feature int) {
	for _, b := range s.blocks {
		copy(weights[b.first:b.first+b.n], b.weights[feature*b.stride():])
	}
}

// Bias returns the bias of a machine.
func (s *Solver) Bias(machine int) float64 { return s.blocks[machine/width].bias[machine%width] }

// fit passes over the examples until each machine is at its optimum.
func (b *block) fit(s *Solver, o *Options) (passes int) {
	all := make([]int32, 0, s.problem.Len())
	for i := range s.problem.Len() {
		if s.problem.weight(i) > 0 {
			all = append(all, int32(i))
		}
	}
	// Rows whose variables are zero and will hardly move are passed over until the others have
	// settled, as liblinear does.
	active, limit := slices.Clone(all), math.Inf(1)
	random := rand.New(rand.NewPCG(1, uint64(b.first)))
	for passes = 1; passes <= o.Passes; passes++ {
		random.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
		left, most, least := b.pass(s, o, active, limit)
		active = active[:left]
		if most-least <= o.Tolerance {
			if len(active) == len(all) {
				break
			}
			active, limit = append(active[:0], all...), math.Inf(1)
			continue
		}
		if limit = most; limit <= 0 {
			limit = math.Inf(1)
		}
	}
	return passes
}

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

// pass moves the variables of the active rows once. It returns how many of them are left active,
// the others behind them, and the largest and the least gradient of the dual, projected.
func (b *block) pass(s *Solver, o *Options, active []int32, limit float64) (left int, most, least float64) {
	var (
		p             = s.problem
		scores, moves [width]float32
	)
	most, least, left = math.Inf(-1), math.Inf(1), len(active)
	for at := 0; at < left; {
		i := int(active[at])
		features, values := p.Row(i)
		if b.n == 1 {
			scores[0] = dot(b.weights, features, values)
		} else {
			dots(&scores, b.weights, features, values)
		}
		diagonal := 1 / (2 * o.Strength * p.weight(i))
		idle, moved := true, false
		for k, alpha := range b.alpha[i*b.n:][:b.n] {
			y, base := p.target(i, b.first+k), 0.0
			if p.Base != nil {
				base = float64(p.Base[i*Machines(p.Classes)+b.first+k])
			}
			gradient := y*(float64(scores[k])+b.bias[k]+base) - 1 + alpha*diagonal
			moves[k] = 0
			projected := gradient
			if alpha == 0 {
				if gradient > limit {
					continue
				}
				projected = min(gradient, 0)
			}
			idle = false
			most, least = max(most, projected), min(least, projected)
			if math.Abs(projected) <= 1e-12 {
				continue
			}
			next := max(0, alpha-gradient/(s.norms[i]+1+diagonal))
			b.alpha[i*b.n+k] = next
			move := (next - alpha) * y
			b.bias[k] += move
			moves[k] = float32(move)
			moved = true
		}
		switch {
		case moved && b.n == 1:
			addTo(b.weights, features, values, moves[0])
		case moved:
			addToAll(b.weights, features, values, &moves)
		}
		if idle {
			left--
			active[at], active[left] = active[left], active[at]
		} else {
			at++
		}
	}
	if left == 0 {
		return 0, 0, 0
	}
	return left, most, least
}

// dot returns Σ weights[feature] · value.
func dot(weights []float32, features []int32, values []float32) (s float32) {
	values = values[:len(features)]
	for j, f := range features {
		s += weights[f] * values[j]
	}
	return s
}

// addTo adds v · value to the weight of each feature.
func addTo(weights []float32, features []int32, values []float32, v float32) {
	values = values[:len(features)]
	for j, f := range features {
		weights[f] += v * values[j]
	}
}

// dots is dot for width machines.
func dots(sums *[width]float32, weights []float32, features []int32, values []float32) {
	var a, b, c, d, e, f, g, h float32
	values = values[:len(features)]
	for j, i := range features {
		w, v := (*[width]float32)(weights[int(i)*width:]), values[j]
		a += w[0] * v
		b += w[1] * v
		c += w[2] * v
		d += w[3] * v
		e += w[4] * v
		f += w[5] * v
		g += w[6] * v
		h += w[7] * v
	}
	*sums = [width]float32{a, b, c, d, e, f, g, h}
}

// addToAll is addTo for width machines.
func addToAll(weights []float32, features []int32, values []float32, v *[width]float32) {
	values = values[:len(features)]
	for j, i := range features {
		w, x := (*[width]float32)(weights[int(i)*width:]), values[j]
		w[0] += v[0] * x
		w[1] += v[1] * x
		w[2] += v[2] * x
		w[3] += v[3] * x
		w[4] += v[4] * x
		w[5] += v[5] * x
		w[6] += v[6] * x
		w[7] += v[7] * x
	}
}
