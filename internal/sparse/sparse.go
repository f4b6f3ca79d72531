// Package sparse holds the matrix of counts: a row for each feature, a cell
// for each class that has the feature.
package sparse

import (
	"math"

	"bayes/internal/doubledouble"
)

// A Cell is what one class has counted of a feature. Rows hold their cells in the order of
// classes.
type Cell struct {
	Class int32
	Moments
}

// Moments are how many examples have a feature, the weight of those in which it is
// present, and the sum of its values.
type Moments struct {
	Examples     int64
	Present, Sum float64
}

// Add adds sign times o.
func (m *Moments) Add(o Moments, sign float64) {
	m.Examples += int64(sign) * o.Examples
	m.Present += sign * o.Present
	m.Sum += sign * o.Sum
}

// Gone reports whether nothing is left of what was counted. A rounding error
// that fractional weights leave behind does not keep a feature in the
// vocabulary. Whole sums are kept even where as many examples were unlearned as
// learned, since those examples need not have been the same ones.
func (m *Moments) Gone() bool {
	return m.Examples == 0 && (!Whole(m.Present) || !Whole(m.Sum) || m.Present == 0 && m.Sum == 0)
}

// Whole reports whether v is a whole number.
func Whole(v float64) bool { return v == math.Trunc(v) }

// RowSum returns the sum of a feature's values in all classes.
func RowSum(row []Cell) float64 {
	var all doubledouble.Sum
	for _, c := range row {
		all.Add(c.Sum)
	}
	return all.Float()
}

// An Entry is a feature of a document that has been analyzed: the number of the feature's
// row in the matrix of a block, and the feature's value.
type Entry struct {
	Number int32 // of the row, plus 1; what is not above zero is no row
	Block  int32
	Value  float64
}
