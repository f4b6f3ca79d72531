package sparse

import (
	"iter"
	"slices"

	"bayes/internal/prefetch"
)

// Rows are the rows of a matrix, which do not change: see [Table.Snapshot]. They are the leaves of a
// tree of three levels, so that two snapshots share all but the nodes above the rows that differ.
type Rows struct {
	nodes []*rowNode
	n     int
	flat  [][]Cell // the rows, if they lie side by side; else nil
}

const (
	rowsOfPage  = 16
	pagesOfNode = 64
	rowsOfNode  = rowsOfPage * pagesOfNode
)

type (
	rowNode [pagesOfNode]*rowPage
	rowPage [rowsOfPage][]Cell
)

// RowsOf returns the rows in list, which must not change.
func RowsOf(list [][]Cell) Rows {
	r := Rows{n: len(list), flat: list}
	for from := 0; from < len(list); from += rowsOfNode {
		node := new(rowNode)
		for p := range node {
			if part := list[min(len(list), from+p*rowsOfPage):]; len(part) >= rowsOfPage {
				node[p] = (*rowPage)(part)
			} else if len(part) > 0 {
				node[p] = new(rowPage)
				copy(node[p][:], part)
			}
		}
		r.nodes = append(r.nodes, node)
	}
	return r
}

// Len returns how many rows there are.
func (r *Rows) Len() int { return r.n }

// At returns row i.
func (r *Rows) At(i int) []Cell {
	return r.nodes[i/rowsOfNode][i/rowsOfPage%pagesOfNode][i%rowsOfPage]
}

// beside returns the rows beside row i, that among them, and the number of the first. It asks for
// their cells.
func (r *Rows) beside(i int) (from int, rows [][]Cell) {
	from = i / rowsOfPage * rowsOfPage
	page := r.nodes[from/rowsOfNode][from/rowsOfPage%pagesOfNode]
	rows = page[:min(rowsOfPage, r.n-from)]
	prefetch.First(rows)
	return from, rows
}

// prefetch asks for the cells of row i.
func (r *Rows) prefetch(i int) {
	page := r.nodes[i/rowsOfNode][i/rowsOfPage%pagesOfNode]
	prefetch.First(page[i%rowsOfPage:][:1])
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
	next := Rows{nodes: slices.Clone(r.rows.nodes), n: len(list)}
	// Rows that are new are in pages that are incomplete in the last snapshot, or not there.
	for from := r.rows.n / rowsOfPage * rowsOfPage; from < next.n; from += rowsOfPage {
		next.renew(&r.rows, list, from)
	}
	for _, i := range r.changed {
		next.renew(&r.rows, list, i)
		r.own[i/64] &^= 1 << (i % 64)
	}
	r.rows, r.changed = next, r.changed[:0]
}

// renew makes the page of row i a copy of that page of list, unless it is one already: the nodes and
// pages of old are shared.
func (r *Rows) renew(old *Rows, list [][]Cell, i int) {
	at := i / rowsOfNode
	if at == len(r.nodes) {
		r.nodes = append(r.nodes, new(rowNode))
	}
	var was *rowNode
	if at < len(old.nodes) {
		was = old.nodes[at]
	}
	if r.nodes[at] == was {
		node := *was
		r.nodes[at] = &node
	}
	p := i / rowsOfPage
	if page := &r.nodes[at][p%pagesOfNode]; *page == nil || was != nil && *page == was[p%pagesOfNode] {
		*page = new(rowPage)
		copy((*page)[:], list[p*rowsOfPage:])
	}
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
