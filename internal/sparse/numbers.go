package sparse

import (
	"math"

	"bayes/internal/doubledouble"
	"bayes/internal/wire"
)

// Numbers are the sums kept of one number in one class, in twice float64's
// precision, so that a variance far smaller than the mean survives them.
type Numbers struct {
	Sum, Squares           doubledouble.Number // of weight · v, weight · v²
	PlainSum, PlainSquares doubledouble.Number // of v, v², whatever the weight
}

// NumberOf returns the sums of one value and its weight.
func NumberOf(v, w float64) Numbers {
	x := doubledouble.Of(v)
	square := x.Mul(x)
	return Numbers{x.Mul(doubledouble.Of(w)), square.Mul(doubledouble.Of(w)), x, square}
}

// Add adds sign times o.
func (n *Numbers) Add(o Numbers, sign float64) {
	if sign < 0 {
		o = Numbers{o.Sum.Neg(), o.Squares.Neg(), o.PlainSum.Neg(), o.PlainSquares.Neg()}
	}
	n.Sum = n.Sum.Add(o.Sum)
	n.Squares = n.Squares.Add(o.Squares)
	n.PlainSum = n.PlainSum.Add(o.PlainSum)
	n.PlainSquares = n.PlainSquares.Add(o.PlainSquares)
}

// Whole reports whether the sums are whole numbers, and so without rounding
// errors.
func (n *Numbers) Whole() bool {
	return Whole(n.Sum.Hi) && Whole(n.Sum.Lo) && Whole(n.Squares.Hi) && Whole(n.Squares.Lo)
}

// Finite reports whether no sum is beyond the largest number.
func (n *Numbers) Finite() bool {
	all := n.Sum.Hi + n.Squares.Hi + n.PlainSum.Hi + n.PlainSquares.Hi
	return !math.IsNaN(all) && !math.IsInf(all, 0)
}

// Spread returns the mean, and the sum of squared distances from it, of numbers of the given
// weight.
func (n *Numbers) Spread(weight float64) (mean, distances float64) {
	return spread(n.Sum, n.Squares, weight)
}

// PlainSpread is Spread of this many numbers, whatever their weight.
func (n *Numbers) PlainSpread(examples int64) (mean, distances float64) {
	return spread(n.PlainSum, n.PlainSquares, float64(examples))
}

func spread(sum, squares doubledouble.Number, weight float64) (mean, distances float64) {
	if weight <= 0 {
		return 0, 0
	}
	average := sum.Div(doubledouble.Of(weight))
	return average.Float(), math.Max(0, squares.Sub(average.Mul(sum)).Float())
}

// Append appends the sums to a section.
func (n *Numbers) Append(b []byte) []byte {
	for _, d := range n.parts() {
		b = wire.AppendNumber(wire.AppendNumber(b, d.Hi), d.Lo)
	}
	return b
}

// Decode reads what Append appended.
func (n *Numbers) Decode(d *wire.Decoder) {
	for _, part := range n.parts() {
		part.Hi, part.Lo = d.Number(), d.Number()
	}
}

func (n *Numbers) parts() [4]*doubledouble.Number {
	return [...]*doubledouble.Number{&n.Sum, &n.Squares, &n.PlainSum, &n.PlainSquares}
}
