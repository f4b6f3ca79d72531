package svm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn returns a problem like one of texts: a feature is the rarer the higher its number, and most
// are in one row. A class has some features more often than others have.
func drawn(rows, length, classes int) *Problem {
	random := rand.New(rand.NewPCG(1, 1))
	p := &Problem{Rows: &Rows{Features: 1 << 20}, Classes: classes}
	// The names of texts come in no order of frequency.
	names := random.Perm(p.Features)
	for i := range rows {
		var row []int32
		class := i % classes
		for range length {
			f := int(math.Pow(float64(p.Features), random.Float64())) - 1
			if random.IntN(4) == 0 {
				f = f/classes*classes + class
			}
			row = append(row, int32(names[min(f, p.Features-1)]))
		}
		slices.Sort(row)
		row = slices.Compact(row)
		var cells []Cell
		for _, f := range row {
			cells = append(cells, Cell{f, float32(1 / math.Sqrt(float64(len(row))))})
		}
		p.Row, p.Class = append(p.Row, cells), append(p.Class, int32(class))
	}
	return p
}

// BenchmarkFit fits machines to what is like 10,000 texts, with vectors and without.
func BenchmarkFit(b *testing.B) {
	defer use(hasVectors)
	for _, classes := range []int{2, 8, 20} {
		p := drawn(10_000, 200, classes)
		for _, vectors := range []bool{false, true} {
			if vectors && !hasVectors {
				continue
			}
			b.Run(fmt.Sprintf("classes=%d/AVX2=%v", classes, vectors), func(b *testing.B) {
				use(vectors)
				for b.Loop() {
					solve(p).Fit(Options{Strength: 1, Tolerance: 1e-2, Passes: 1000})
				}
			})
		}
	}
}
