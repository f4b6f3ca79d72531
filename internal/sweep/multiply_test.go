package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bayes/internal/sparse"
	"bayes/internal/vecmath"
)

// kinds are the ways to multiply on this machine: without vectors, and with them.
func kinds() []bool {
	if hasVectors {
		return []bool{false, true}
	}
	return []bool{false}
}

// drawn returns features of a document and what classes have counted of them: as
// factors, and as rows of a matrix that start at some places.
func drawn(r *rand.Rand, features, classes int) (factors []factor, matrix []float64, starts []int32) {
	for range features {
		f := factor{times: 1 + r.IntN(3)/2*r.IntN(4)}
		starts = append(starts, int32(len(matrix)))
		row := make([]float64, classes)
		for k := range row {
			if r.IntN(4) > 0 {
				n := 1 + r.IntN(9)
				f.cells = append(f.cells, sparse.Cell{Class: int32(k), Moments: sparse.Moments{Examples: int64(n), Present: float64(n) / 2, Sum: float64(2 * n)}})
				f.all += float64(2 * n)
				row[k] = float64(2 * n)
			}
		}
		factors, matrix = append(factors, f), append(matrix, row...)
	}
	return factors, matrix, starts
}

// Products are those of package math, and the same bit for bit with vectors and without.
func TestMultiply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		checkMultiply(t, r)
	}
}

func FuzzMultiply(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkMultiply(t, rand.New(rand.NewPCG(seed, 0))) })
}

func checkMultiply(t *testing.T, r *rand.Rand) {
	t.Helper()
	features, classes, width := r.IntN(20), 1+r.IntN(6), vecmath.Vector*(1+r.IntN(12))
	factors, matrix, starts := drawn(r, features, classes)
	alphas, weights, products := make([]float64, width), make([]float64, classes), make([]float64, width*classes)
	for i := range alphas {
		alphas[i] = 0.01 + r.Float64()
	}
	for i := range weights {
		weights[i] = float64(r.IntN(20))
	}
	for i := range products {
		products[i] = 1 + r.Float64()
	}
	for _, of := range []count{countSum, countOthers, countPresent, countAbsent, countAll} {
		checkProducts(t, products, func(products []float64, pow func(row, a int, n float64, times int)) {
			if pow == nil {
				multiplySparse(products, alphas, factors, of, weights)
				return
			}
			for _, f := range factors {
				for _, c := range f.cells {
					n := []float64{c.Sum, f.all - c.Sum, c.Present, max(0, weights[c.Class]-c.Present), 0, f.all}[of]
					for a, alpha := range alphas {
						pow(int(c.Class)*width, a, n+alpha, f.times)
					}
				}
			}
		})
	}
	runs := make([]int32, 1+r.IntN(4))
	for range features {
		runs[r.IntN(len(runs))]++
	}
	checkProducts(t, products, func(products []float64, pow func(row, a int, n float64, times int)) {
		if pow == nil {
			multiplyDense(products, alphas, matrix, starts, runs)
			return
		}
		left := starts
		for i, n := range runs {
			for _, start := range left[:n] {
				for k := range classes {
					for a, alpha := range alphas {
						pow(k*width, a, matrix[int(start)+k]+alpha, len(runs)-i)
					}
				}
			}
			left = left[n:]
		}
	})
}

// checkProducts holds what work does to products, with vectors and without, to what it
// says by pow.
func checkProducts(t *testing.T, products []float64, work func(products []float64, pow func(row, a int, n float64, times int))) {
	t.Helper()
	defer use(hasVectors)
	var got []float64
	for _, vectors := range kinds() {
		use(vectors)
		x := slices.Clone(products)
		work(x, nil)
		if vectors && fmt.Sprintf("%x", x) != fmt.Sprintf("%x", got) {
			t.Fatalf("vectors make %v\n   Go makes %v", x, got)
		}
		got = x
	}
	want := slices.Clone(products)
	work(nil, func(row, a int, n float64, times int) { want[row+a] *= math.Pow(n, float64(times)) })
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-13*want[i] {
			t.Fatalf("product %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// BenchmarkMultiply measures what vectors replace, for thirty terms of a document.
func BenchmarkMultiply(b *testing.B) {
	defer use(hasVectors)
	const features, classes, width = 30, 20, 20
	factors, matrix, starts := drawn(rand.New(rand.NewPCG(1, 2)), features, classes)
	products, alphas, weights := make([]float64, classes*width), make([]float64, width), make([]float64, classes)
	for i := range alphas {
		alphas[i] = float64(i+1) / 10
	}
	for _, work := range []struct {
		name string
		do   func()
	}{
		{"sparse", func() { multiplySparse(products, alphas, factors, countSum, weights) }},
		{"dense", func() { multiplyDense(products, alphas, matrix, starts, []int32{2, 3, 5, 20}) }},
	} {
		for _, vectors := range kinds() {
			b.Run(fmt.Sprintf("rows=%s/vectors=%v", work.name, vectors), func(b *testing.B) {
				use(vectors)
				for b.Loop() {
					for i := range products {
						products[i] = 1
					}
					work.do()
				}
			})
		}
	}
}
