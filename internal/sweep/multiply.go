package sweep

import (
	"slices"
	"unsafe"

	"bayes/internal/sparse"
	"bayes/internal/vecmath"
)

// A count is one of the counts n of a feature in a class, whose n + α is multiplied.
type count int

const (
	countSum     count = iota // T(t,c): the sum of the feature's values
	countOthers               // T(t,¬c): the sum of its values in all other classes
	countPresent              // N(t,c): the weight of the examples that have it
	countAbsent               // N(c) - N(t,c): the weight of those that lack it
	denseCounts               // how many counts a dense row has
	countAll                  // T(t): the sum of its values in all classes; not in dense rows
)

// A factor is a feature of a document whose row is sparse: its cells, T(t), and how often
// the document has it, which is at least once.
type factor struct {
	cells []sparse.Cell
	all   float64
	times int
}

// n returns the count of a cell, given N(c) by class ID.
func (c count) n(f *factor, cell *sparse.Cell, weights []float64) float64 {
	l := c.linear()
	return l.n(f, cell, weights)
}

// fill sets dst, which is by class ID, to the count of each cell.
func (c count) fill(dst []float64, f *factor, weights []float64) {
	l := c.linear()
	for j := range f.cells {
		dst[f.cells[j].Class] = l.n(f, &f.cells[j], weights)
	}
}

// linear says how a count is made of three numbers: a field of the cell, T(t), and N(c) of
// the cell's class, each times a coefficient. One piece of assembly then serves all counts.
type linear struct {
	of, ofAll, ofWeight float64
	field               uintptr // the offset of the cell's field
}

func (l *linear) n(f *factor, cell *sparse.Cell, weights []float64) float64 {
	v := cell.Sum
	if l.field == presentField {
		v = cell.Present
	}
	return max(float64(l.of*v)+float64(l.ofAll*f.all)+float64(l.ofWeight*weights[cell.Class]), 0)
}

const (
	presentField = unsafe.Offsetof(sparse.Cell{}.Present)
	sumField     = unsafe.Offsetof(sparse.Cell{}.Sum)
)

func (c count) linear() linear {
	switch c {
	case countOthers:
		return linear{-1, 1, 0, sumField}
	case countPresent:
		return linear{1, 0, 0, presentField}
	case countAbsent:
		return linear{-1, 0, 1, presentField}
	case countAll:
		return linear{0, 1, 0, sumField}
	}
	return linear{1, 0, 0, sumField}
}

// registers is how many smoothings are multiplied at a time.
const registers = 5 * vecmath.Vector

// BenchmarkMultiply compares the products in Go with those in assembly, which keeps them in
// registers and reads a count once for all smoothings: for twenty smoothings, it is 10
// times as fast for sparse rows, and 20 times as fast for dense ones.

// multiplySparse multiplies products, a matrix by class ID and then by α, for each cell of
// each factor by (n + α)^times. The number of alphas is a multiple of [vecmath.Vector].
func multiplySparse(products, alphas []float64, factors []factor, c count, weights []float64) {
	if len(factors) == 0 {
		return
	}
	if useAVX2 {
		l := c.linear()
		for a := 0; a < len(alphas); a += registers {
			vectors := min(len(alphas)-a, registers) / vecmath.Vector
			multiplySparseAVX2(&products[a], &alphas[a], factors, &weights[0], len(alphas), vectors, l.of, l.ofAll, l.ofWeight, l.field)
		}
		return
	}
	for i := range factors {
		f := &factors[i]
		for j := range f.cells {
			cell := &f.cells[j]
			n, row := c.n(f, cell, weights), products[int(cell.Class)*len(alphas):][:len(alphas)]
			for a, alpha := range alphas {
				for range f.times {
					row[a] *= n + alpha
				}
			}
		}
	}
}

// multiplyDense multiplies products, for each class, by (n + α)^times for rows of matrix. A
// row begins at one of starts and holds a count by class ID. The first runs[0] rows are
// multiplied len(runs) times, the next runs[1] rows once less, and so on. A product of rows
// that are multiplied often is made once,
//
//	x³·y³·z = (x·y)·(x·y)·(x·y·z)
//
// and within a run the factors of two rows are multiplied with each other first, so that
// fewer multiplications wait for the one before.
func multiplyDense(products, alphas, matrix []float64, starts, runs []int32) {
	if len(starts) == 0 {
		return
	}
	if useAVX2 {
		for a := 0; a < len(alphas); a += registers {
			vectors := min(len(alphas)-a, registers) / vecmath.Vector
			multiplyDenseAVX2(&products[a], &alphas[a], len(products)/len(alphas), len(alphas), vectors, &matrix[0], &starts[0], runs)
		}
		return
	}
	for k := range len(products) / len(alphas) {
		row := products[k*len(alphas):][:len(alphas)]
		for a, alpha := range alphas {
			// Each run goes on with the product of the runs before it.
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
