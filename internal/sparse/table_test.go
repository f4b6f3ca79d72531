package sparse

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"bayes/internal/intern"
	"bayes/internal/wire"

	"pgregory.net/rapid"
)

// A spot is where a row and a class meet.
type spot struct{ row, class int }

// drawTable returns a table, and what it holds as a map.
func drawTable(t *rapid.T) (*Table, map[spot]Moments) {
	table, want := new(Table), make(map[spot]Moments)
	for range rapid.IntRange(0, 40).Draw(t, "additions") {
		at := spot{rapid.IntRange(0, 6).Draw(t, "row"), rapid.IntRange(0, 5).Draw(t, "class")}
		m := Moments{1, float64(rapid.IntRange(0, 1).Draw(t, "present")), float64(rapid.IntRange(0, 8).Draw(t, "sum")) / 4}
		sign := 1.0
		if rapid.Bool().Draw(t, "subtract") {
			sign = -1
		}
		i := table.Index.Insert(intern.KeyOf([]byte(fmt.Sprint("t", at.row))), []byte(fmt.Sprint("t", at.row)))
		table.Add(i, at.class, m, sign)
		sum := want[at]
		if sum.Add(m, sign); sum.Gone() {
			delete(want, at)
		} else {
			want[at] = sum
		}
	}
	table.Rows = Lengthen(table.Rows, table.Index.Len())
	return table, want
}

// check holds a table to a map.
func check(t *rapid.T, table *Table, want map[spot]Moments) {
	t.Helper()
	got, live, cells := make(map[spot]Moments), 0, make([]int, 6)
	for i, row := range table.Rows {
		if len(row) > 0 {
			live++
		}
		if !slices.IsSortedFunc(row, func(a, b Cell) int { return int(a.Class - b.Class) }) {
			t.Fatalf("row %d: %v", i, row)
		}
		var n int
		if _, err := fmt.Sscanf(string(table.Index.Bytes(i)), "t%d", &n); err != nil {
			t.Fatal(err)
		}
		for _, c := range row {
			got[spot{n, int(c.Class)}] = c.Moments
			cells[c.Class]++
			if table.At(i, int(c.Class)) != c.Moments {
				t.Fatalf("row %d has %v at class %d", i, table.At(i, int(c.Class)), c.Class)
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Fatalf("the table holds %v, want %v", got, want)
	}
	if table.Live != live {
		t.Fatalf("%d rows are live, want %d", table.Live, live)
	}
	for k, n := range cells {
		if table.Has(k) != (n > 0) {
			t.Fatalf("class %d has %d cells, the table says %v", k, n, table.Has(k))
		}
	}
}

// A table is a map from feature and class to moments, and so are its copies.
func TestTableIsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, want := drawTable(t)
		check(t, table, want)
		check(t, table.Clone(), want)
		c := table.Copy()
		check(t, c, want)
		for i := range c.Rows {
			c.Add(i, 0, Moments{1, 1, 1}, +1)
		}
		check(t, table, want) // which the copy shares nothing with but names
	})
}

// What is written is read again, whatever the order of classes in the file.
func TestEncodingRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, want := drawTable(t)
		const classes = 6
		position := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "position")
		rows := table.Sorted()
		b := table.AppendRows(nil, rows, position, classes)
		read := new(Table)
		d := wire.NewDecoder(b, 0)
		if read.DecodeRows(d, classes, int64(len(rows))); d.Err() != nil {
			t.Fatal(d.Err())
		}
		for _, i := range rows {
			name := table.Index.Bytes(i)
			read.Index.Insert(intern.KeyOf(name), name)
		}
		moved := make(map[spot]Moments)
		for at, m := range want {
			moved[spot{at.row, position[at.class]}] = m
		}
		check(t, read, moved)
		if cut := b[:max(0, len(b)-1)]; len(b) > 0 {
			d := wire.NewDecoder(cut, 0)
			if new(Table).DecodeRows(d, classes, int64(len(rows))); d.Err() == nil {
				t.Fatal("rows that are cut short are read without an error")
			}
		}
	})
}

// Parts add what one table would.
func TestAddParallel(t *testing.T) {
	const rows, classes = 10_000, 3
	whole, parts := new(Table), new(Table)
	for i := range rows {
		name := []byte(fmt.Sprint(i))
		whole.Index.Insert(intern.KeyOf(name), name)
		parts.Index.Insert(intern.KeyOf(name), name)
	}
	add := func(t *Table, from, to int) {
		for i := from; i < to; i++ {
			t.Add(i, i%classes, Moments{1, 1, float64(i)}, +1)
		}
	}
	add(whole, 0, rows)
	parts.AddParallel(rows, add)
	if parts.Live != whole.Live || !slices.Equal(parts.Cells, whole.Cells) {
		t.Errorf("parts have %d rows and %v cells, want %d and %v", parts.Live, parts.Cells, whole.Live, whole.Cells)
	}
	for i := range rows {
		if !slices.Equal(parts.Rows[i], whole.Rows[i]) {
			t.Fatalf("row %d is %v, want %v", i, parts.Rows[i], whole.Rows[i])
		}
	}
}
