package sparse

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A snapshot is what the rows were when it was taken, whatever changes later; its totals are those of
// its cells.
func TestSnapshots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table
		type taken struct {
			rows Rows
			want [][]Cell
		}
		var all []taken
		first := rapid.SampledFrom([]int{1, 31, 32, 33, 100, rowsOfNode - 1, rowsOfNode, rowsOfNode + 40, rowsOfBranch - 1, rowsOfBranch + 40}).Draw(t, "rows")
		for i := range first {
			table.Add(i, i%3, Moments{1, 1, 2}, +1)
		}
		for range rapid.IntRange(1, 6).Draw(t, "snapshots") {
			want := make([][]Cell, len(table.Rows))
			for i, row := range table.Rows {
				want[i] = slices.Clone(row)
			}
			all = append(all, taken{table.Snapshot(), want})
			if totals := table.Totals(); totals != nil {
				checkTotals(t, &table, totals)
			}
			for range rapid.IntRange(0, 20).Draw(t, "changes") {
				i := rapid.IntRange(0, first+70).Draw(t, "row")
				k := rapid.IntRange(0, 4).Draw(t, "class")
				sign := rapid.SampledFrom([]float64{1, 1, 1, -1}).Draw(t, "sign")
				table.Add(i, k, Moments{1, 1, float64(rapid.IntRange(0, 3).Draw(t, "sum"))}, sign)
			}
		}
		for n, s := range all {
			if s.rows.Len() != len(s.want) {
				t.Fatalf("snapshot %d has %d rows, want %d", n, s.rows.Len(), len(s.want))
			}
			list := s.rows.List()
			for i, row := range s.rows.All() {
				if !slices.Equal(row, s.want[i]) || !slices.Equal(s.rows.At(i), row) || !slices.Equal(list[i], row) {
					t.Fatalf("row %d of snapshot %d is %v, want %v", i, n, row, s.want[i])
				}
			}
		}
	})
}

func checkTotals(t *rapid.T, table *Table, totals *Totals) {
	for k := range 5 {
		var sum, most int64
		counts := make(map[int64]int)
		for _, row := range table.Rows {
			for _, c := range row {
				if int(c.Class) == k {
					sum += int64(c.Sum)
					most = max(most, c.Examples)
					counts[c.Examples]++
				}
			}
		}
		of := totals.Class(k)
		for n, cells := range of.Counts() {
			if counts[n] != cells {
				t.Fatalf("class %d has %d cells of %d examples, want %d", k, cells, n, counts[n])
			}
			delete(counts, n)
		}
		if of.Sum != sum || max(0, of.Most()) != most || len(counts) > 0 {
			t.Fatalf("class %d: sum %d, most %d, without %v; want %d and %d", k, of.Sum, of.Most(), counts, sum, most)
		}
	}
}

// Numbers of examples beyond the list are kept too.
func TestTotalsOfManyExamples(t *testing.T) {
	var table Table
	table.Add(0, 0, Moments{1, 1, 1}, +1)
	table.Snapshot()
	for range 3 {
		table.Add(1, 0, Moments{3 * mostCounts, 3 * mostCounts, 0}, +1)
	}
	table.Add(1, 0, Moments{3 * mostCounts, 3 * mostCounts, 0}, -1)
	if most := table.Totals().Class(0).Most(); most != 6*mostCounts {
		t.Errorf("the most examples are %d", most)
	}
	table.Add(1, 0, Moments{6 * mostCounts, 6 * mostCounts, 0}, -1)
	if most := table.Totals().Class(0).Most(); most != 1 {
		t.Errorf("the most examples left are %d", most)
	}
	table.Add(1, 0, Moments{1, 0.5, 0.25}, +1)
	if table.Totals() != nil {
		t.Error("a fraction is among the totals")
	}
	table.Add(1, 0, Moments{1, 0.5, 0.25}, -1)
	if table.Totals() == nil {
		t.Error("without the fraction there are no totals")
	}
}

// However often rows change between snapshots, what is kept is in proportion to the rows there are: a
// copy that is read no more frees its memory, though the rows beside it are rare and stay.
func TestSnapshotsKeepLittle(t *testing.T) {
	const rows, classes, rounds = 20_000, 20, 20_000
	var table Table
	for i := range rows {
		table.Add(i, i%classes, Moments{1, 1, 1}, +1)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		table.Snapshot()
		table.Add(rng.IntN(rows), rng.IntN(classes), Moments{1, 1, 1}, +1) // a rare one
		for i := range 8 {
			table.Add(i, rng.IntN(classes), Moments{1, 1, 1}, +1)
		}
	}
	live := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	table.Snapshot()
	all := live()
	fresh := table.Copy()
	if size := live() - all; all > 16*size {
		t.Errorf("%d bytes are kept, for rows of %d", all, size)
	}
	runtime.KeepAlive(fresh)
	runtime.KeepAlive(&table)
}
