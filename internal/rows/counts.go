package rows

import (
	"math"
	"slices"
	"unsafe"
)

// A Cell is what a class has counted of a feature: an entry of a sparse matrix of
// features and classes.
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
	return m.Examples == 0 && (!whole(m.Present) || !whole(m.Sum) || m.Present == 0 && m.Sum == 0)
}

func whole(v float64) bool { return v == math.Trunc(v) }

// A Count is one of the counts of a feature in a class.
type Count int

const (
	Sum     Count = iota // of its values
	Others               // of its values in all other classes
	Present              // the weight of the examples in which it is present
	Absent               // and of those in which it is not
	Counts               // how many counts a dense row has
	All                  // the sum of its values in all classes, of sparse rows alone
)

// A Factor is a feature of a document that some classes have: its cells, the sum of its
// values in all classes, and how often the document has it, at least once.
type Factor struct {
	Cells []Cell
	All   float64
	Times int
}

// N returns the count of a cell, given the weight of each class.
func (c Count) N(f *Factor, cell *Cell, weights []float64) float64 {
	l := c.linear()
	return l.n(f, cell, weights)
}

// Fill sets dst to the count of each cell, by class.
func (c Count) Fill(dst []float64, f *Factor, weights []float64) {
	l := c.linear()
	for j := range f.Cells {
		dst[f.Cells[j].Class] = l.n(f, &f.Cells[j], weights)
	}
}

// A linear count is a sum of a field of a cell, the sum of all classes and the weight of
// its own class, each so many times.
type linear struct {
	of, ofAll, ofWeight float64
	field               uintptr
}

func (l *linear) n(f *Factor, cell *Cell, weights []float64) float64 {
	v := cell.Sum
	if l.field == presentField {
		v = cell.Present
	}
	return max(float64(l.of*v)+float64(l.ofAll*f.All)+float64(l.ofWeight*weights[cell.Class]), 0)
}

// The fields of a Cell, by their offset.
const (
	presentField = unsafe.Offsetof(Cell{}.Present)
	sumField     = unsafe.Offsetof(Cell{}.Sum)
)

func (c Count) linear() linear {
	switch c {
	case Others:
		return linear{-1, 1, 0, sumField}
	case Present:
		return linear{1, 0, 0, presentField}
	case Absent:
		return linear{-1, 0, 1, presentField}
	case All:
		return linear{0, 1, 0, sumField}
	}
	return linear{1, 0, 0, sumField}
}

// registers is how many columns are multiplied at a time.
const registers = 5 * Vector

// MultiplySparse multiplies products, a matrix by class and then by alpha, for each cell
// of each factor by (n + alpha)^Times, where n is a count of the cell. As many alphas as
// there are must be a multiple of [Vector].
func MultiplySparse(products, alphas []float64, factors []Factor, count Count, weights []float64) {
	if len(factors) == 0 {
		return
	}
	if useAVX2 {
		l := count.linear()
		for a := 0; a < len(alphas); a += registers {
			vectors := min(len(alphas)-a, registers) / Vector
			multiplySparseAVX2(&products[a], &alphas[a], factors, &weights[0], len(alphas), vectors, l.of, l.ofAll, l.ofWeight, l.field)
		}
		return
	}
	for i := range factors {
		f := &factors[i]
		for j := range f.Cells {
			c := &f.Cells[j]
			n, row := count.N(f, c, weights), products[int(c.Class)*len(alphas):][:len(alphas)]
			for a, alpha := range alphas {
				for range f.Times {
					row[a] *= n + alpha
				}
			}
		}
	}
}

// MultiplyDense multiplies likewise, for each class, by (n + alpha)^times for rows of a
// matrix that start at the given places, of which runs[0] are multiplied len(runs) times,
// the next runs[1] once less, and so on. A row holds a count of each class from its
// start on. Products of those that are multiplied often are made once,
//
//	x³·y³·z = (x·y)·(x·y)·(x·y·z)
//
// and the factors of two rows at a time, of a run, are multiplied with each other first.
func MultiplyDense(products, alphas, matrix []float64, starts, runs []int32) {
	if len(starts) == 0 {
		return
	}
	if useAVX2 {
		for a := 0; a < len(alphas); a += registers {
			vectors := min(len(alphas)-a, registers) / Vector
			multiplyDenseAVX2(&products[a], &alphas[a], len(products)/len(alphas), len(alphas), vectors, &matrix[0], &starts[0], runs)
		}
		return
	}
	for k := range len(products) / len(alphas) {
		row := products[k*len(alphas):][:len(alphas)]
		for a, alpha := range alphas {
			product, left := 1.0, starts
			for _, n := range runs {
				for pair := range slices.Chunk(left[:n], 2) {
					factor := matrix[int(pair[0])+k] + alpha
					if len(pair) == 2 {
						factor *= matrix[int(pair[1])+k] + alpha
					}
					product *= factor
				}
				left = left[n:]
				row[a] *= product
			}
		}
	}
}
