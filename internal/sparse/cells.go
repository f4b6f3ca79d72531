package sparse

import "slices"

// AddCells adds sign times cells to row i. The cells are in the order of
// classes, and may have a class several times. Adding them one by one moves half of the row
// for each class that is new to it, so that a row of all classes would take time in
// proportion to their square: many cells are merged instead, unless there are snapshots to look
// after.
func (t *Table) AddCells(i int, cells []Cell, sign float64) {
	const few = 4 // are added faster one by one
	if len(cells) <= few || t.readers != nil {
		for _, c := range cells {
			t.Add(i, int(c.Class), c.Moments, sign)
		}
		return
	}
	t.Rows = Lengthen(t.Rows, i+1)
	row := t.widened(i, cells)
	// Now each class has its cell.
	at, gone := 0, false
	for _, c := range cells {
		at += skip(row[at:], c.Class)
		row[at].Moments.Add(c.Moments, sign)
		gone = gone || row[at].Gone()
	}
	if gone {
		row = slices.DeleteFunc(row, func(c Cell) bool {
			if c.Gone() {
				t.CountCells(int(c.Class), -1)
			}
			return c.Gone()
		})
		if len(row) == 0 {
			t.Live--
		}
	}
	t.Rows[i] = row
}

// widened returns row i with an empty cell for each class of cells that it lacks. It is filled
// from its end, where nothing is overwritten that is still to be read.
func (t *Table) widened(i int, cells []Cell) []Cell {
	row := t.Rows[i]
	n, added := len(row), missing(row, cells)
	if added == 0 {
		return row
	}
	if n+added > cap(row) {
		t.Reserve(i, max(n+added, 2*n))
		row = t.Rows[i]
	}
	row = row[:n+added]
	from, to := n-1, len(row) // the last cell that is not yet moved, and the first that is
	for j := len(cells) - 1; j >= 0; j-- {
		class := cells[j].Class
		if to < len(row) && row[to].Class == class {
			continue // several of one class
		}
		for from >= 0 && row[from].Class > class {
			to--
			row[to] = row[from]
			from--
		}
		to--
		if from >= 0 && row[from].Class == class {
			row[to] = row[from]
			from--
		} else {
			row[to] = Cell{Class: class}
			t.CountCells(int(class), +1)
		}
	}
	if n == 0 {
		t.Live++
	}
	return row
}

// missing returns how many classes of cells row lacks.
func missing(row, cells []Cell) (n int) {
	at := 0
	for j, c := range cells {
		if j > 0 && c.Class == cells[j-1].Class {
			continue
		}
		if at += skip(row[at:], c.Class); at == len(row) || row[at].Class != c.Class {
			n++
		}
	}
	return n
}

// skip returns how many cells of row come before a class. It looks twice as far each time, since
// the next class is near where the cells are many.
func skip(row []Cell, class int32) int {
	far := 1
	for far < len(row) && row[far].Class < class {
		far *= 2
	}
	return firstFrom(row, class, far/2, min(far, len(row)))
}
