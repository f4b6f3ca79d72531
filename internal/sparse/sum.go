package sparse

import (
	"cmp"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
)

// AddTable adds sign times o to t, on all cores. number has the class here of each class of o.
func (t *Table) AddTable(o *Table, number []int, sign float64) {
	places := t.places(o)
	t.AddParallel(len(o.Rows), func(part *Table, from, to int) {
		var scratch []Cell
		for at := from; at < to; at += intern.Batch {
			end := min(at+intern.Batch, to)
			prefetch.Elements(part.Rows, places[at:end])
			for i := at; i < end; i++ {
				if len(o.Rows[i]) > 0 {
					scratch = part.addRow(int(places[i]), o.Rows[i], number, sign, scratch)
				}
			}
		}
	})
}

// places returns the row of t for each row of o that is not empty, and adds the names that t
// lacks.
func (t *Table) places(o *Table) []int32 {
	if o.Live == o.Index.Len() {
		return t.Index.InsertAll(&o.Index)
	}
	places := make([]int32, len(o.Rows))
	for i, row := range o.Rows {
		if len(row) > 0 {
			places[i] = int32(t.Index.Insert(o.Index.Key(i), o.Index.Bytes(i)))
		}
	}
	return places
}

// addRow adds sign times a row of another table to row i. It uses scratch, and returns it.
func (t *Table) addRow(i int, row []Cell, number []int, sign float64, scratch []Cell) []Cell {
	scratch = scratch[:0]
	for _, c := range row {
		c.Class = int32(number[c.Class])
		scratch = append(scratch, c)
	}
	byClass := func(a, b Cell) int { return cmp.Compare(a.Class, b.Class) }
	if !slices.IsSortedFunc(scratch, byClass) {
		slices.SortStableFunc(scratch, byClass)
	}
	t.Reserve(i, len(row))
	for j := 1; j < len(scratch); j++ {
		if scratch[j-1].Class == scratch[j].Class { // between two cells of one class nothing may be left
			for _, c := range row {
				t.Add(i, number[c.Class], c.Moments, sign)
			}
			return scratch
		}
	}
	t.AddCells(i, scratch, sign)
	return scratch
}

// Split deals the rows of t out to n tables by a hash of their names, which is the same on every
// machine.
func (t *Table) Split(n int) []*Table {
	parts := make([]*Table, n)
	lists := make([][]int32, n) // the rows of each
	sizes := make([]int, n)     // of their names
	for j := range lists {
		lists[j] = make([]int32, 0, t.Live/n+t.Live/(8*n)+8)
	}
	for i, row := range t.Rows {
		if len(row) > 0 {
			name := t.Index.Bytes(i)
			j := hash(name) % uint32(n)
			lists[j] = append(lists[j], int32(i))
			sizes[j] += len(name)
		}
	}
	for j, list := range lists {
		p := &Table{Rows: make([][]Cell, 0, len(list)), Live: len(list)}
		parts[j] = p
		p.Index.Extend(len(list), sizes[j], func(add func(b []byte)) {
			for _, i := range list {
				add(t.Index.Bytes(int(i)))
				row := t.Rows[i]
				p.Rows = append(p.Rows, append(p.Allocate(len(row)), row...))
				for _, c := range row {
					p.CountCells(int(c.Class), +1)
				}
			}
		})
	}
	return parts
}

// hash returns the 32-bit FNV-1a hash of b.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
