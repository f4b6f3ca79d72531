package sparse

import (
	"iter"
	"slices"

	"bayes/internal/prefetch"
)

// Rows are the rows of a matrix, which do not change: see [Table.Snapshot]. They lie side by side, until
// some have changed: then they are the leaves of a tree of four levels, so that two snapshots share all
// but the nodes above the rows that differ.
type Rows struct {
	flat     [][]Cell // nil if there is a tree
	branches []*rowBranch
	n        int
}

const (
	rowsOfPage    = 8
	pagesOfNode   = 16
	nodesOfBranch = 16
	rowsOfNode    = rowsOfPage * pagesOfNode
	rowsOfBranch  = rowsOfNode * nodesOfBranch
)

type (
	rowBranch [nodesOfBranch]*rowNode
	rowNode   [pagesOfNode]*rowPage
	rowPage   [rowsOfPage][]Cell
)

// RowsOf returns the rows in list, which must not change.
func RowsOf(list [][]Cell) Rows { return Rows{flat: list, n: len(list)} }

// tree returns r as a tree.
func (r *Rows) tree() Rows {
	if r.flat == nil {
		return *r
	}
	t := Rows{n: r.n}
	nodes := make([]rowNode, (r.n+rowsOfNode-1)/rowsOfNode)
	for i := range nodes {
		if i%nodesOfBranch == 0 {
			t.branches = append(t.branches, new(rowBranch))
		}
		t.branches[i/nodesOfBranch][i%nodesOfBranch] = &nodes[i]
		for p := range nodes[i] {
			if part := r.flat[min(r.n, i*rowsOfNode+p*rowsOfPage):]; len(part) >= rowsOfPage {
				nodes[i][p] = (*rowPage)(part)
			} else if len(part) > 0 {
				nodes[i][p] = new(rowPage)
				copy(nodes[i][p][:], part)
			}
		}
	}
	return t
}

// Len returns how many rows there are.
func (r *Rows) Len() int { return r.n }

// At returns row i.
func (r *Rows) At(i int) []Cell {
	if r.flat != nil {
		return r.flat[i]
	}
	return r.page(i)[i%rowsOfPage]
}

// page returns the page of row i of a tree.
func (r *Rows) page(i int) *rowPage {
	return r.branches[i/rowsOfBranch][i/rowsOfNode%nodesOfBranch][i/rowsOfPage%pagesOfNode]
}

// beside returns the rows beside row i, that among them, and the number of the first. It asks for
// their cells.
func (r *Rows) beside(i int) (from int, rows [][]Cell) {
	from = i / rowsOfPage * rowsOfPage
	to := min(from+rowsOfPage, r.n)
	if r.flat != nil {
		rows = r.flat[from:to]
	} else {
		rows = r.page(i)[:to-from]
	}
	prefetch.First(rows)
	return from, rows
}

// prefetch asks for the cells of row i.
func (r *Rows) prefetch(i int) {
	if r.flat != nil {
		prefetch.First(r.flat[i:][:1])
		return
	}
	prefetch.First(r.page(i)[i%rowsOfPage:][:1])
}

// All yields the rows and their numbers.
func (r *Rows) All() iter.Seq2[int, []Cell] {
	return func(yield func(int, []Cell) bool) {
		for i, part := range r.Parts() {
			for j, row := range part {
				if !yield(i+j, row) {
					return
				}
			}
		}
	}
}

// Parts yields the rows, some at a time, and the number of the first of them.
func (r *Rows) Parts() iter.Seq2[int, [][]Cell] {
	return func(yield func(int, [][]Cell) bool) {
		for from := 0; from < r.n; from += rowsOfPage {
			if !yield(r.beside(from)) {
				return
			}
		}
	}
}

// List returns all rows side by side. They must not be changed.
func (r *Rows) List() [][]Cell {
	if r.flat != nil {
		return r.flat
	}
	list := make([][]Cell, 0, r.n)
	for _, part := range r.Parts() {
		list = append(list, part...)
	}
	return list
}

// readers is what a Table knows of those that read its rows.
type readers struct {
	rows    Rows     // of the last snapshot
	aliased bool     // whether the snapshot's pages are parts of the Table's list of rows
	own     []uint64 // a bit for each row: whether it was copied since the last snapshot
	changed []int    // these rows
	totals  *Totals  // kept up with each change; nil until they are asked for
}

// Snapshot returns the rows of t as they are. They do not change with t: from then
// on each row is copied before it changes, once for each snapshot, so that a snapshot takes time in
// how many rows have changed since the last one. Only the first changes after the first snapshot
// take time in the number of rows.
func (t *Table) Snapshot() Rows {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.readers
	switch {
	case r == nil:
		t.readers = &readers{rows: RowsOf(t.Rows), aliased: true}
	case len(r.changed) > 0 || r.rows.n < len(t.Rows):
		r.update(t.Rows)
	}
	return t.readers.rows
}

// update makes the snapshot that of list.
func (r *readers) update(list [][]Cell) {
	last := r.rows.tree()
	next := Rows{branches: slices.Clone(last.branches), n: len(list)}
	// Rows that are new are in pages that are incomplete in the last snapshot, or not there.
	for from := last.n / rowsOfPage * rowsOfPage; from < next.n; from += rowsOfPage {
		next.renew(&last, list, from)
	}
	for _, i := range r.changed {
		next.renew(&last, list, i)
		r.own[i/64] &^= 1 << (i % 64)
	}
	r.rows, r.changed = next, r.changed[:0]
}

// renew makes the page of row i a copy of that page of list, unless it is one already: what is above
// and beside it is shared with old.
func (r *Rows) renew(old *Rows, list [][]Cell, i int) {
	if page, was := r.own(old, i); *page == was {
		*page = new(rowPage)
		copy((*page)[:], list[i/rowsOfPage*rowsOfPage:])
	}
}

// own returns where r has the page of row i, and that page of old. The nodes above it are copied if
// they are old's.
func (r *Rows) own(old *Rows, i int) (page **rowPage, was *rowPage) {
	var branch *rowBranch
	var node *rowNode
	b, n, p := i/rowsOfBranch, i/rowsOfNode%nodesOfBranch, i/rowsOfPage%pagesOfNode
	if b == len(r.branches) {
		r.branches = append(r.branches, nil)
	}
	if b < len(old.branches) {
		branch = old.branches[b]
		if node = branch[n]; node != nil {
			was = node[p]
		}
	}
	return &unshare(&unshare(&r.branches[b], branch)[n], node)[p], was
}

// unshare makes *p a copy of was, if it is was.
func unshare[T any](p **T, was *T) *T {
	if *p == was {
		*p = new(T)
		if was != nil {
			**p = *was
		}
	}
	return *p
}

// change is called before row i changes.
func (t *Table) change(i int) {
	r := t.readers
	if r == nil {
		return
	}
	if r.aliased {
		t.Rows, r.aliased = slices.Clone(t.Rows), false
	}
	for len(r.own) <= i/64 {
		r.own = append(r.own, 0)
	}
	if bit := uint64(1) << (i % 64); r.own[i/64]&bit == 0 {
		r.own[i/64] |= bit
		r.changed = append(r.changed, i)
		if row := t.Rows[i]; len(row) > 0 {
			t.Rows[i] = append(t.Allocate(len(row)+1), row...)
		}
	}
}

// forget makes t forget its snapshots, by copying all rows.
func (t *Table) forget() {
	if t.readers == nil {
		return
	}
	t.readers = nil
	rows := make([][]Cell, len(t.Rows), cap(t.Rows))
	for i, row := range t.Rows {
		rows[i] = append(t.Allocate(len(row)), row...)
	}
	t.Rows = rows
}
