package rows

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows are added as they are one by one, bit for bit, with vectors and without.
func TestAdd(t *testing.T) {
	defer use(hasVectors)
	for _, vectors := range kinds() {
		use(vectors)
		r := rand.New(rand.NewPCG(1, 2))
		numbers := func(n int) []float64 {
			list := make([]float64, n)
			for i := range list {
				list[i] = r.NormFloat64()
			}
			return list
		}
		const height = 7
		for width := range 60 {
			for n := range 20 {
				acc, matrix, base := numbers(height*width), numbers(height*width), numbers(width)
				cells := make([]Cell, n)
				for i := range cells {
					cells[i] = Cell{r.Int32N(height), r.Int32N(height)}
				}
				v := r.NormFloat64()
				want := slices.Clone(acc)
				for _, c := range cells {
					for i := range width {
						product := v * (matrix[int(c.From)*width+i] - base[i])
						want[int(c.To)*width+i] += float64(product)
					}
				}
				if Add(acc, matrix, base, cells, v); !slices.Equal(acc, want) {
					t.Fatalf("vectors %v, %d rows of %d columns:\n%v, want\n%v", vectors, n, width, acc, want)
				}
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	defer use(hasVectors)
	const height, width = 20, 20
	matrix, acc := make([]float64, height*width), make([]float64, height*width)
	cells := make([]Cell, height)
	for i := range cells {
		cells[i] = Cell{int32(i), int32(height - 1 - i)}
	}
	for _, vectors := range kinds() {
		b.Run(fmt.Sprintf("vectors=%v", vectors), func(b *testing.B) {
			use(vectors)
			for b.Loop() {
				Add(acc, matrix, matrix[:width], cells, 1)
			}
		})
	}
}

// kinds are the ways to add on this machine: without vectors, and with them.
func kinds() []bool {
	if hasVectors {
		return []bool{false, true}
	}
	return []bool{false}
}
