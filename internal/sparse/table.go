package sparse

import (
	"slices"
	"sync"

	"bayes/internal/intern"
)

// A Table is a sparse matrix of moments: a row for each feature, with a cell for each class
// that has the feature. A cell whose last example is subtracted is removed. A feature
// whose row is empty does not exist, though it may have a name.
type Table struct {
	Index intern.Table // the features' names; a name's number is that of its row
	Rows  [][]Cell     // by feature; cells are in the order of classes
	Live  int          // how many rows are not empty
	Cells []int        // how many cells each class has; may be shorter than there are classes

	// Arena is memory that rows are allocated from, so that a million rows are not a million
	// allocations.
	Arena []Cell
	grown int // the size of the last arena

	mu      sync.Mutex // held while a snapshot is taken, which leaves the cells as they are
	readers *readers   // nil before the first snapshot
}

// Add adds sign times m to the cell of row i and a class.
func (t *Table) Add(i, class int, m Moments, sign float64) {
	t.Rows = Lengthen(t.Rows, i+1)
	t.change(i)
	row := t.Rows[i]
	at, ok := search(row, int32(class), len(t.Cells))
	if !ok {
		if len(row) == 0 {
			t.Live++
		}
		row = t.insert(row, at, int32(class))
		t.Rows[i] = row
		t.CountCells(class, +1)
	}
	old := row[at].Moments
	row[at].Moments.Add(m, sign)
	gone := row[at].Gone()
	if t.readers != nil && t.readers.totals != nil {
		left := row[at].Moments
		if gone {
			left = Moments{}
		}
		t.readers.totals.replace(class, old, left)
	}
	if gone {
		t.Rows[i] = slices.Delete(row, at, at+1)
		t.CountCells(class, -1)
		if len(row) == 1 {
			t.Live--
		}
	}
}

// AddParallel calls add for parts of 0 to n, on all cores. Each call adds to the rows of t,
// through a table of its own; no two calls add to the same row, and all rows are named in
// the index already.
func (t *Table) AddParallel(n int, add func(t *Table, from, to int)) {
	const size = 1 << 12
	if n <= size {
		add(t, 0, n)
		return
	}
	t.forget()
	t.Rows = Lengthen(t.Rows, t.Index.Len())
	parts := make([]*Table, (n+size-1)/size)
	var wg sync.WaitGroup
	for j := range parts {
		parts[j] = &Table{Rows: t.Rows, Cells: make([]int, len(t.Cells))}
		wg.Go(func() { add(parts[j], j*size, min((j+1)*size, n)) })
	}
	wg.Wait()
	for _, part := range parts {
		t.CountPart(part)
	}
}

// CountPart adds the numbers of rows and cells that were added to rows of t through part.
func (t *Table) CountPart(part *Table) {
	t.Live += part.Live
	for k, n := range part.Cells {
		if n != 0 {
			t.CountCells(k, n)
		}
	}
}

// CountCells adds n to the number of cells of a class.
func (t *Table) CountCells(class, n int) {
	for class >= len(t.Cells) {
		t.Cells = append(t.Cells, 0)
	}
	t.Cells[class] += n
}

// Has reports whether a class has a cell.
func (t *Table) Has(class int) bool { return class < len(t.Cells) && t.Cells[class] > 0 }

// At returns what a class has counted of row i.
func (t *Table) At(i, class int) Moments {
	if i >= len(t.Rows) {
		return Moments{}
	}
	if at, ok := search(t.Rows[i], int32(class), len(t.Cells)); ok {
		return t.Rows[i][at].Moments
	}
	return Moments{}
}

// search returns where the cell of a class is in row, or would be. There are at most as
// many classes before it as classes with a smaller ID, and as many cells missing as the row
// lacks classes, which bounds the search from both sides.
func search(row []Cell, class int32, classes int) (int, bool) {
	lo, hi := max(0, min(len(row), int(class)-(classes-len(row)))), min(len(row), int(class)+1)
	lo = firstFrom(row, class, lo, hi)
	return lo, lo < len(row) && row[lo].Class == class
}

// firstFrom returns the first of row[lo:hi] whose class is not before a class, or hi.
func firstFrom(row []Cell, class int32, lo, hi int) int {
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if row[mid].Class < class {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// insert makes room for a class at index at of row.
func (t *Table) insert(row []Cell, at int, class int32) []Cell {
	if len(row) == cap(row) {
		row = append(t.Allocate(max(1, 2*len(row))), row...)
	}
	row = row[:len(row)+1]
	copy(row[at+1:], row[at:])
	row[at] = Cell{Class: class}
	return row
}

// Reserve makes room for n cells in row i.
func (t *Table) Reserve(i, n int) {
	t.Rows = Lengthen(t.Rows, i+1)
	t.change(i)
	if row := t.Rows[i]; n > cap(row) {
		t.Rows[i] = append(t.Allocate(n), row...)
	}
}

// Allocate returns an empty row with room for n cells. Rows that snapshots share are copied when they
// change: there, an arena is small, since one row that is still read keeps all of it.
func (t *Table) Allocate(n int) []Cell {
	const smallest = 16
	largest := 1024
	if t.readers != nil {
		largest = 64
	}
	if n > len(t.Arena) {
		if n > largest/4 {
			return make([]Cell, 0, n)
		}
		t.grown = min(max(smallest, 2*t.grown, n), largest)
		t.Arena = make([]Cell, t.grown)
	}
	row := t.Arena[:0:n]
	t.Arena = t.Arena[n:]
	return row
}

// Sorted returns the numbers of the rows that are not empty, sorted by name.
func (t *Table) Sorted() []int {
	order := make([]int, 0, t.Live)
	for i, row := range t.Rows {
		if len(row) > 0 {
			order = append(order, i)
		}
	}
	t.Index.Sort(order)
	return order
}

// Empty returns a table of no cells that shares the index of t. It must be given no new
// names.
func (t *Table) Empty() *Table {
	return &Table{Index: t.Index, Rows: make([][]Cell, len(t.Rows))}
}

// Copy returns a copy of t that shares the index of t. It must be given no new names.
func (t *Table) Copy() *Table {
	c := t.Empty()
	c.Live, c.Cells = t.Live, slices.Clone(t.Cells)
	for i, row := range t.Rows {
		c.Rows[i] = append(c.Allocate(len(row)), row...)
	}
	return c
}

// Clone returns a copy of t, with an index of its own, without the empty rows.
func (t *Table) Clone() *Table {
	c := &Table{Rows: make([][]Cell, 0, t.Live), Live: t.Live, Cells: slices.Clone(t.Cells)}
	if t.Live == len(t.Rows) {
		c.Index = t.Index.Clone()
	}
	for i, row := range t.Rows {
		if len(row) == 0 {
			continue
		}
		if t.Live != len(t.Rows) {
			c.Index.Insert(t.Index.Key(i), t.Index.Bytes(i))
		}
		c.Rows = append(c.Rows, append(c.Allocate(len(row)), row...))
	}
	return c
}
