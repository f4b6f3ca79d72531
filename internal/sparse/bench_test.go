package sparse

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkAdd adds cells to rows in random order, a few to each of 100,000 rows, and compares
// rows from arenas with rows that are appended to, each an allocation of its own.
func BenchmarkAdd(b *testing.B) {
	const rows, cells, classes = 100_000, 300_000, 20
	type spot struct{ row, class int }
	rng := rand.New(rand.NewPCG(1, 2))
	var list []spot
	for range cells {
		list = append(list, spot{rng.IntN(rows), rng.IntN(classes)})
	}
	one := Moments{Examples: 1, Present: 1, Sum: 1}
	b.Run("appended", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table := make([][]Cell, rows)
			for _, s := range list {
				row := table[s.row]
				at, found := slices.BinarySearchFunc(row, s.class, func(c Cell, k int) int { return int(c.Class) - k })
				if !found {
					row = slices.Insert(row, at, Cell{Class: int32(s.class)})
					table[s.row] = row
				}
				row[at].Moments.Add(one, 1)
			}
		}
	})
	b.Run("arenas", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var t Table
			t.Rows = make([][]Cell, rows)
			for _, s := range list {
				t.Add(s.row, s.class, one, 1)
			}
		}
	})
}
