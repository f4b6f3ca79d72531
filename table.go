package bayes

import (
	"slices"
	"sync"

	"bayes/internal/intern"
	"bayes/internal/sparse"
)

// A table holds the moments of features by class: a sparse matrix with a row
// for each feature, which holds the classes that have it.
type table struct {
	index intern.Table
	rows  [][]cell // by number in index; each sorted by class; empty: no such feature
	live  int      // rows that are not empty
	cells []int    // how many cells each class has
	slab  []cell   // where rows are cut from, so that a row is no allocation of its own
	grown int      // the size of the last slab
}

// A cell is the entry of one class in a row. It is dropped when it is gone.
type cell = sparse.Cell

// moments are the [Moments] of a cell, in which nothing is squared.
type moments = sparse.Moments

func public(m moments) Moments { return Moments{m.Examples, m.Present, m.Sum, 0} }

// add adds sign times m to the entry of row i and class k.
func (t *table) add(i, k int, m moments, sign float64) {
	t.rows = sparse.Lengthen(t.rows, i+1)
	row := t.rows[i]
	at, ok := place(row, int32(k), len(t.cells))
	if !ok {
		if len(row) == 0 {
			t.live++
		}
		row = t.insert(row, at, int32(k))
		t.rows[i] = row
		t.tally(k, +1)
	}
	row[at].Moments.Add(m, sign)
	if row[at].Gone() {
		t.rows[i] = slices.Delete(row, at, at+1)
		t.tally(k, -1)
		if len(row) == 1 {
			t.live--
		}
	}
}

// addAll has add add n things, each to rows of its own that the index has, some at a time
// on each core: to tables that have the rows of t.
func (t *table) addAll(n int, add func(t *table, from, to int)) {
	const size = 1 << 12
	t.rows = sparse.Lengthen(t.rows, t.index.Len())
	if n <= size {
		add(t, 0, n)
		return
	}
	parts := make([]*table, (n+size-1)/size)
	var wg sync.WaitGroup
	for j := range parts {
		parts[j] = &table{rows: t.rows, cells: make([]int, len(t.cells))}
		wg.Go(func() { add(parts[j], j*size, min((j+1)*size, n)) })
	}
	wg.Wait()
	for _, part := range parts {
		t.takeIn(part)
	}
}

// takeIn notes how many rows and cells part has more that has been added to rows of t.
func (t *table) takeIn(part *table) {
	t.live += part.live
	for k, n := range part.cells {
		if n != 0 {
			t.tally(k, n)
		}
	}
}

// find gives each term that known knows, of which nil knows all, the number of its
// row, which it makes if need be. The others keep zero.
func (t *table) find(terms []term, known func(*term) bool) {
	for i := range terms {
		if f := &terms[i]; f.number == 0 && (known == nil || known(f)) {
			f.number = int32(t.index.Insert(f.key, f.name) + 1)
		}
	}
}

// tally notes that class k has n more cells.
func (t *table) tally(k, n int) {
	for k >= len(t.cells) {
		t.cells = append(t.cells, 0)
	}
	t.cells[k] += n
}

// has reports whether class k has a cell.
func (t *table) has(k int) bool { return k < len(t.cells) && t.cells[k] > 0 }

// place returns where class k of so many stands in row, or would stand: not beyond
// place k, and not further before it than there are classes missing.
func place(row []cell, k int32, classes int) (int, bool) {
	lo, hi := max(0, min(len(row), int(k)-(classes-len(row)))), min(len(row), int(k)+1)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if row[mid].Class < k {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(row) && row[lo].Class == k
}

// insert makes room for class k at place at of row.
func (t *table) insert(row []cell, at int, k int32) []cell {
	if len(row) == cap(row) {
		row = append(t.cut(max(1, 2*len(row))), row...)
	}
	row = row[:len(row)+1]
	copy(row[at+1:], row[at:])
	row[at] = cell{Class: k}
	return row
}

// reserve makes room for n cells in row i.
func (t *table) reserve(i, n int) {
	t.rows = sparse.Lengthen(t.rows, i+1)
	if row := t.rows[i]; n > cap(row) {
		t.rows[i] = append(t.cut(n), row...)
	}
}

// cut returns an empty row with room for n cells.
func (t *table) cut(n int) []cell {
	const smallest, largest = 16, 1024
	if n > len(t.slab) {
		if n > largest/4 {
			return make([]cell, 0, n)
		}
		t.grown = min(max(smallest, 2*t.grown, n), largest)
		t.slab = make([]cell, t.grown)
	}
	row := t.slab[:0:n]
	t.slab = t.slab[n:]
	return row
}

// at returns the entry of row i and class k.
func (t *table) at(i, k int) moments {
	if i >= len(t.rows) {
		return moments{}
	}
	if at, ok := place(t.rows[i], int32(k), len(t.cells)); ok {
		return t.rows[i][at].Moments
	}
	return moments{}
}

// sorted returns the numbers of the rows that are not empty, by feature.
func (t *table) sorted() []int {
	order := make([]int, 0, t.live)
	for i, row := range t.rows {
		if len(row) > 0 {
			order = append(order, i)
		}
	}
	t.index.Sort(order)
	return order
}

// emptied returns a table without entries that numbers features as t does, and
// must be given no others.
func (t *table) emptied() *table {
	return &table{index: t.index, rows: make([][]cell, len(t.rows))}
}

// copied returns a copy of t that numbers features as t does, and must be given
// no others.
func (t *table) copied() *table {
	c := t.emptied()
	c.live, c.cells = t.live, slices.Clone(t.cells)
	for i, row := range t.rows {
		c.rows[i] = append(c.cut(len(row)), row...)
	}
	return c
}

// clone returns a copy of t without its empty rows.
func (t *table) clone() *table {
	c := &table{rows: make([][]cell, 0, t.live), live: t.live, cells: slices.Clone(t.cells)}
	if t.live == len(t.rows) {
		c.index = t.index.Clone()
	}
	for i, row := range t.rows {
		if len(row) == 0 {
			continue
		}
		if t.live != len(t.rows) {
			c.index.Insert(t.index.Key(i), t.index.Bytes(i))
		}
		c.rows = append(c.rows, append(c.cut(len(row)), row...))
	}
	return c
}
