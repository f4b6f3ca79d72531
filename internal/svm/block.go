package svm

import (
	"context"
	"math"
	"math/rand/v2"

	"bayes/internal/prefetch"
)

// width is how many machines are fitted in the same passes.
const width = 8

// A block is up to width machines.
type block struct {
	first, n int       // the machines
	weights  []float32 // by feature and machine; of one machine by feature
	bias     [width]float64
	alpha    []float64      // by row and machine: the dual variables
	scale    [width]float64 // what each machine is multiplied by: 1 at the optimum
}

func newBlock(rows *matrix, first, n int) *block {
	b := &block{first: first, n: n}
	b.weights, b.alpha = make([]float32, rows.features*b.stride()), make([]float64, len(rows.rows)*n)
	return b
}

// stride is how far the weights of one feature are from those of the next.
func (b *block) stride() int {
	if b.n == 1 {
		return 1
	}
	return width
}

// A fitter fits the machines of a block.
type fitter struct {
	*block
	problem *Problem
	rows    *matrix
	options Options
}

// progress is what a pass has come to.
type progress struct {
	most, least float64 // the largest and the least gradient of the dual, projected, or 0
	gain        float64 // by how much the dual objective is better
	sum         float64 // of the variables; at the optimum half of it is the objective, without a base
}

// stalled is a gain, as a share of the objective, that is but rounding to float32.
const stalled = 1e-12

// relaxation is how far a variable moves, where 1 is where its gradient would be zero: further than
// that, so fewer passes are needed (Mangasarian and Musicant 1999, "Successive overrelaxation for
// support vector machines"; every number below 2 leads to the optimum).
const relaxation = 1.4

// fit passes over the examples until each machine is at its optimum.
//
// The weights are sums of many moves in float32. So, once nothing moves, they are made anew from
// the variables, and it is looked whether that holds.
func (f *fitter) fit(ctx context.Context) (passes int) {
	all := len(f.rows.rows)
	active := make([]int32, all)
	for i := range active {
		active[i] = int32(i)
	}
	// Rows whose variables are zero and will hardly move are passed over until the others have
	// settled, as liblinear does.
	limit := math.Inf(1)
	random := rand.New(rand.NewPCG(1, uint64(f.first)))
	settled := false
	for passes < f.options.Passes && ctx.Err() == nil {
		passes++
		random.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
		left, p := f.pass(active, limit)
		active = active[:left]
		switch {
		case p.most-p.least > f.options.Tolerance && p.gain > stalled*p.sum:
			settled = false
			if limit = p.most; limit <= 0 {
				limit = math.Inf(1)
			}
		case settled && left == all:
			for k := range f.scale {
				f.scale[k] = 1
			}
			return passes
		default:
			f.rebuild()
			settled = true
			active, limit = active[:all], math.Inf(1)
		}
	}
	f.rebuild()
	f.shorten()
	return passes
}

// rebuild makes the weights anew from the variables, without the errors of many small moves.
func (f *fitter) rebuild() {
	clear(f.weights)
	f.bias = [width]float64{}
	var moves [width]float32
	for i := range f.rows.rows {
		row, moved := &f.rows.rows[i], false
		for k, alpha := range f.alpha[i*f.n:][:f.n] {
			move := alpha * f.problem.target(int(row.row), f.first+k)
			f.bias[k] += move
			moves[k] = float32(move)
			moved = moved || alpha != 0
		}
		if moved {
			f.add(row.cells, &moves)
		}
	}
}

// shorten sets the scale of each machine with which its objective is least. What is not at its
// optimum may be longer than is good: of two examples that contradict each other and weigh much,
// each pass satisfies the one and then the other.
func (f *fitter) shorten() {
	var (
		scores  [width]float32
		squares = f.lengths()
		margins = make([]float64, len(f.alpha)) // by row and machine: y · score
	)
	for i := range f.rows.rows {
		row := &f.rows.rows[i]
		here := row.cells
		f.scores(&scores, here, here)
		for k, alpha := range f.alpha[i*f.n:][:f.n] {
			margins[i*f.n+k] = f.problem.target(int(row.row), f.first+k)*(float64(scores[k])+f.bias[k]) + alpha*row.own
			squares[k] += alpha * alpha * row.own
		}
	}
	for k := range f.n {
		// slope returns the derivative by the scale, which rises.
		slope := func(by float64) float64 {
			loss := 0.0
			for i := range f.rows.rows {
				row, margin := &f.rows.rows[i], margins[i*f.n+k]
				y, base := f.given(row, k)
				loss += row.weight * max(0, 1-by*margin-y*base) * margin
			}
			return by*squares[k] - 2*f.options.Strength*loss
		}
		if f.scale[k] = 1; slope(1) <= 0 {
			continue
		}
		low, high := 0.0, 1.0
		for range 50 {
			if middle := (low + high) / 2; slope(middle) > 0 {
				high = middle
			} else {
				low = middle
			}
		}
		f.scale[k] = low
	}
}

// lengths returns the squares of the lengths of machines, without features that one row alone has.
func (f *fitter) lengths() (squares [width]float64) {
	stride := f.stride()
	for at := 0; at < len(f.weights); at += stride {
		for k, w := range f.weights[at : at+stride] {
			squares[k] += float64(w) * float64(w)
		}
	}
	for k, b := range f.bias {
		squares[k] += b * b
	}
	return squares
}

// given returns what is known of a row for machine k of the block: which side it belongs to, and
// the score that is given.
func (f *fitter) given(row *row, k int) (y, base float64) {
	k += f.first
	if f.problem.Base != nil {
		base = float64(f.problem.Base[int(row.row)*Machines(f.problem.Classes)+k])
	}
	return f.problem.target(int(row.row), k), base
}

// scores sets scores to what shared features of a row say, and asks memory for a row that is read soon.
func (f *fitter) scores(scores *[width]float32, row, soon cells) {
	if f.n == 1 {
		scores[0] = row.dot(f.weights, soon)
	} else {
		row.dots(scores, f.weights, soon)
	}
}

// add adds a row, times each machine's move, to the weights.
func (f *fitter) add(row cells, moves *[width]float32) {
	if f.n == 1 {
		row.addTo(f.weights, moves[0])
	} else {
		row.addToAll(f.weights, moves)
	}
}

// pass moves the variables of the active rows once. It returns how many of them are left active,
// the others behind them.
func (f *fitter) pass(active []int32, limit float64) (left int, p progress) {
	var scores, moves [width]float32
	left = len(active)
	for at := 0; at < left; {
		i := int(active[at])
		row := &f.rows.rows[i]
		here := row.cells
		soon := here
		if at+2 < left {
			soon = f.rows.rows[active[at+2]].cells
		}
		if at+6 < left {
			j := int(active[at+6])
			prefetch.All(f.rows.rows[j : j+1])
			prefetch.All(f.alpha[j*f.n:][:f.n])
		}
		f.scores(&scores, here, soon)
		diagonal := 1/(2*f.options.Strength*row.weight) + row.own
		second := row.square + diagonal
		idle, moved := true, false
		for k, alpha := range f.alpha[i*f.n:][:f.n] {
			y, base := f.given(row, k)
			gradient := y*(float64(scores[k])+f.bias[k]+base) - 1 + alpha*diagonal
			moves[k] = 0
			projected := gradient
			if alpha == 0 {
				if gradient > limit {
					continue
				}
				projected = min(gradient, 0)
			}
			idle = false
			p.most, p.least, p.sum = max(p.most, projected), min(p.least, projected), p.sum+alpha
			if math.Abs(projected) <= 1e-12 {
				continue
			}
			next := max(0, alpha-relaxation*gradient/second)
			f.alpha[i*f.n+k] = next
			d := next - alpha
			p.gain -= d * (gradient + d*second/2)
			move := d * y
			f.bias[k] += move
			moves[k] = float32(move)
			moved = true
		}
		if moved {
			f.add(here, &moves)
		}
		if idle {
			left--
			active[at], active[left] = active[left], active[at]
		} else {
			at++
		}
	}
	return left, p
}
