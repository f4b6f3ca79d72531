package weightfile

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"bayes/internal/modelfile"
	"bayes/internal/wire"
)

// A Cell is what a term adds to one class beside what it adds to every class.
type Cell struct {
	Class int
	Gain  float64
}

// Rows are the weights of terms. Classes without a cell of a term share what they have:
//
//	weight(t, c) = scale(c)·unseen(t) + bias(c) + gain(t, c)
//
// where the gain is zero in each class that has no cell of t.
type Rows struct {
	bias, scale []float64 // by class
	scaled      bool      // whether a scale may be other than 1
	unseen      []float64 // by term
	ends        []int     // of each term in cells
	cells       []Cell
	prune       float64
	byBias      []int  // classes in rising order of bias
	in          []bool // by class; false between calls
}

// NewRows returns Rows without a term. A nil scale is 1 in every class. With a prune above 0, terms
// are left out whose weights differ by no more than that between the classes.
func NewRows(bias, scale []float64, prune float64) *Rows {
	r := &Rows{bias: bias, scale: scale, scaled: scale != nil, prune: prune, in: make([]bool, len(bias))}
	if !r.scaled {
		r.scale = slices.Repeat([]float64{1}, len(bias))
	}
	for k := range bias {
		r.byBias = append(r.byBias, k)
	}
	slices.SortFunc(r.byBias, func(a, b int) int { return cmp.Compare(bias[a], bias[b]) })
	return r
}

// Add adds a term, whose cells are summed by class, unless it is left out. The error is that a weight
// is not finite.
func (r *Rows) Add(cells []Cell, unseen float64) (kept bool, err error) {
	slices.SortStableFunc(cells, func(a, b Cell) int { return a.Class - b.Class })
	n := 0
	for i, c := range cells {
		if i > 0 && c.Class == cells[n-1].Class {
			cells[n-1].Gain += c.Gain
			continue
		}
		cells[n] = c
		n++
	}
	cells = cells[:n]
	all := unseen
	for _, c := range cells {
		all += c.Gain
	}
	switch {
	case !Finite(all):
		return false, errNotFinite
	case r.prune > 0 && !r.differ(cells, unseen, r.prune):
		return false, nil
	}
	r.cells = append(r.cells, cells...)
	r.unseen, r.ends = append(r.unseen, unseen), append(r.ends, len(r.cells))
	return true, nil
}

// differ reports whether the weights of a term differ by more than most between the classes. If all
// scales are 1, it looks at no more classes than the term has cells, and two.
func (r *Rows) differ(cells []Cell, unseen, most float64) bool {
	least, largest := math.Inf(1), math.Inf(-1)
	weigh := func(k int, gain float64) {
		w := r.scale[k]*unseen + r.bias[k] + gain
		least, largest = min(least, w), max(largest, w)
	}
	for _, c := range cells {
		weigh(c.Class, c.Gain)
		r.in[c.Class] = true
	}
	// Of the classes without a cell, those of the least and the largest bias have the least and the
	// largest weight.
	rest := r.byBias
	for len(rest) > 0 && r.in[rest[0]] {
		rest = rest[1:]
	}
	for len(rest) > 0 && r.in[rest[len(rest)-1]] {
		rest = rest[:len(rest)-1]
	}
	if !r.scaled && len(rest) > 0 {
		weigh(rest[0], 0)
		rest = rest[len(rest)-1:]
	}
	for _, k := range rest {
		if largest-least > most {
			break
		}
		if !r.in[k] {
			weigh(k, 0)
		}
	}
	for _, c := range cells {
		r.in[c.Class] = false
	}
	return largest-least > most
}

// of returns the cells of a term.
func (r *Rows) of(number int) []Cell {
	start := 0
	if number > 0 {
		start = r.ends[number-1]
	}
	return r.cells[start:r.ends[number]]
}

// A layout says how many bytes rows of gains take. A row has what its term adds to every class,
// and then the number of the class and the gain of each cell; or, if that takes no more bytes, the
// gains of all classes.
type layout struct {
	classes int
	class   int // bytes of the number of a class
	gain    int // bytes of a gain
}

func newLayout(classes, bits int) layout {
	l := layout{classes: classes, class: bytesOf(classes - 1), gain: 4}
	if bits == 8 {
		l.gain = 1
	}
	return l
}

// bytesOf returns how many bytes numbers from 0 to n take.
func bytesOf(n int) int { return max(1, (bits.Len(uint(n))+7)/8) }

// cell returns how many bytes a cell takes.
func (l layout) cell() int { return l.class + l.gain }

// ofAll returns how many bytes a row with the gains of all classes takes.
func (l layout) ofAll() int { return l.gain * (1 + l.classes) }

// row returns how many bytes a row takes.
func (l layout) row(cells int) int { return min(l.gain+l.cell()*cells, l.ofAll()) }

// starts returns where each row starts, and where the last one ends.
func (r *Rows) starts(l layout) []int {
	starts := make([]int, 1+len(r.ends))
	for i := range r.ends {
		starts[1+i] = starts[i] + l.row(len(r.of(i)))
	}
	return starts
}

// AppendSection appends the section of the gains, or that of the weights of all classes if it takes
// no more bytes.
func (r *Rows) AppendSection(b []byte, bits int) []byte {
	tag, payload := modelfile.Weights, r.appendWeights
	if r.sparse(bits) {
		tag, payload = modelfile.Gains, r.appendGains
	}
	return wire.AppendSection(b, tag, func(b []byte) []byte { return payload(b, bits) })
}

// sparse reports whether appendGains appends fewer bytes than appendWeights.
func (r *Rows) sparse(bits int) bool {
	l := newLayout(len(r.bias), bits)
	starts := r.starts(l)
	all := starts[len(r.ends)]
	gains, weights := 2+16*l.classes+bytesOf(all)*len(starts)+all+padding, 1+l.gain*l.classes*len(r.ends)
	if l.gain == 1 {
		gains, weights = gains+16*(l.classes+1), weights+16*l.classes
	}
	return gains < weights
}

// appendWeights appends the weights of all classes.
func (r *Rows) appendWeights(b []byte, bits int) []byte {
	rows := make([]float64, 0, len(r.bias)*len(r.ends))
	for i, unseen := range r.unseen {
		start := len(rows)
		for k, bias := range r.bias {
			rows = append(rows, r.scale[k]*unseen+bias)
		}
		for _, c := range r.of(i) {
			rows[start+c.Class] += c.Gain
		}
	}
	return appendWeights(b, rows, len(r.bias), bits)
}

// padding is how many zeros there are behind the rows, so that eight bytes can be read from any
// byte of a row.
const padding = 8

// appendGains appends the size of a gain in bits, how many bytes the start of a row takes, and the
// bias and the scale of each class; for 8-bit gains also the least gain of each class and, behind
// these, of what terms add to every class, and their steps; then where each row starts and the last
// one ends, and the rows.
func (r *Rows) appendGains(b []byte, bits int) []byte {
	l := newLayout(len(r.bias), bits)
	starts := r.starts(l)
	bytes := bytesOf(starts[len(r.ends)])
	b = append(b, byte(8*l.gain), byte(bytes))
	b = AppendFloats(AppendFloats(b, r.bias), r.scale)
	put := func(b []byte, _ int, gain float64) []byte {
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(gain)))
	}
	if l.gain == 1 {
		low, step := r.steps()
		b = AppendFloats(AppendFloats(b, low), step)
		put = func(b []byte, k int, gain float64) []byte { return append(b, quantum(gain, low[k], step[k])) }
	}
	for _, start := range starts {
		b = appendNumber(b, start, bytes)
	}
	row := make([]float64, l.classes)
	for i, unseen := range r.unseen {
		b = put(b, l.classes, unseen)
		cells := r.of(i)
		if l.row(len(cells)) < l.ofAll() {
			for _, c := range cells {
				b = put(appendNumber(b, c.Class, l.class), c.Class, c.Gain)
			}
			continue
		}
		clear(row)
		for _, c := range cells {
			row[c.Class] = c.Gain
		}
		for k, gain := range row {
			b = put(b, k, gain)
		}
	}
	return append(b, make([]byte, padding)...)
}

// appendNumber appends the lowest bytes of n.
func appendNumber(b []byte, n, bytes int) []byte {
	for range bytes {
		b = append(b, byte(n))
		n >>= 8
	}
	return b
}

// steps returns the least gain of each class, 0 or less, and a 255th of how far the largest is
// above it; behind these the same of what terms add to every class.
func (r *Rows) steps() (low, step []float64) {
	classes := len(r.bias)
	low, step = make([]float64, classes+1), make([]float64, classes+1)
	high := step
	for _, c := range r.cells {
		low[c.Class], high[c.Class] = min(low[c.Class], c.Gain), max(high[c.Class], c.Gain)
	}
	if len(r.unseen) > 0 {
		low[classes], high[classes] = slices.Min(r.unseen), slices.Max(r.unseen)
	}
	for k := range step {
		step[k] = (high[k] - low[k]) / 255
	}
	return low, step
}

// quantum returns how many steps w is above low.
func quantum(w, low, step float64) byte {
	if step <= 0 {
		return 0
	}
	return byte(min(max(math.Round((w-low)/step), 0), 255))
}
