package sparse

import (
	"slices"

	"bayes/internal/prefetch"
	"bayes/internal/wire"
)

// Of a row a file holds the number of its cells, and of each cell the number of classes
// since the cell before, the number of examples with two flags, and what differs from that:
//
//	Present, if it is not Examples
//	Sum, if it is not Present
const (
	presentFollows = 1
	sumFollows     = 2
)

// AppendNames appends the names of rows[from:to], which are sorted by name.
func (t *Table) AppendNames(b []byte, rows []int, from, to int) []byte {
	var prev []byte
	if from > 0 {
		prev = t.Index.Bytes(rows[from-1])
	}
	b = slices.Grow(b, 12*(to-from)) // mostly enough
	for _, i := range rows[from:to] {
		name := t.Index.Bytes(i)
		b = wire.AppendName(b, prev, name)
		prev = name
	}
	return b
}

// AppendRows appends the cells of rows. position is the place of each class ID among the
// classes of the file. Rows lie in memory in another order than they are written in, so some
// are prefetched at a time.
func (t *Table) AppendRows(b []byte, rows, position []int, classes int) []byte {
	const stage = 64
	var fetched [stage][]Cell
	sorted := make([]*Moments, classes) // one row, by position
	b = slices.Grow(b, 4*len(rows))     // mostly enough
	for len(rows) > 0 {
		n := min(stage, len(rows))
		for j, i := range rows[:n] {
			fetched[j] = t.Rows[i]
		}
		prefetch.First(fetched[:n])
		for _, row := range fetched[:n] {
			b = wire.AppendUvarint(b, uint64(len(row)))
			if len(row) == 1 {
				b = appendCell(b, position[row[0].Class], &row[0].Moments)
				continue
			}
			b = appendRow(b, row, position, sorted)
		}
		rows = rows[n:]
	}
	return b
}

// appendRow appends the cells of a row in the order of positions. All of sorted is nil
// before and after.
func appendRow(b []byte, row []Cell, position []int, sorted []*Moments) []byte {
	for j := range row {
		sorted[position[row[j].Class]] = &row[j].Moments
	}
	next := 0
	for p, m := range sorted {
		if m != nil {
			b = appendCell(b, p-next, m)
			next = p + 1
			sorted[p] = nil
		}
	}
	return b
}

// appendCell appends a cell, gap classes after the class that would come next.
func appendCell(b []byte, gap int, m *Moments) []byte {
	var flags uint64
	if m.Present != float64(m.Examples) {
		flags |= presentFollows
	}
	if m.Sum != m.Present {
		flags |= sumFollows
	}
	b = wire.AppendUvarint(b, uint64(gap))
	b = wire.AppendUvarint(b, wire.Zigzag(m.Examples)<<2|flags)
	if flags&presentFollows != 0 {
		b = wire.AppendNumber(b, m.Present)
	}
	if flags&sumFollows != 0 {
		b = wire.AppendNumber(b, m.Sum)
	}
	return b
}

// DecodeRows reads rows to the end of d. An error is left in d. It makes room for at most
// hint rows beforehand.
func (t *Table) DecodeRows(d *wire.Decoder, classes int, hint int64) {
	t.Rows = make([][]Cell, 0, max(0, min(hint, int64(d.Len()/3)))) // a row takes three bytes at least
	for d.Len() > 0 {
		n := d.Uvarint()
		if d.Err() == nil && (n == 0 || n > uint64(classes) || n > uint64(d.Len())) {
			d.Fail("a row of %d cells", n)
		}
		row := t.decodeRow(d, n, uint64(classes))
		if d.Err() != nil {
			return
		}
		t.Rows = append(t.Rows, row)
		t.Live++
	}
}

// decodeRow reads a row of n cells.
func (t *Table) decodeRow(d *wire.Decoder, n, classes uint64) []Cell {
	if d.Err() != nil {
		return nil
	}
	row := t.Allocate(int(n))
	next := uint64(0)
	for range n {
		k := next + d.Uvarint()
		m := decodeMoments(d)
		if d.Err() == nil && (k < next || k >= classes || m.Gone()) {
			d.Fail("no valid cell")
		}
		if d.Err() != nil {
			return nil
		}
		row = append(row, Cell{Class: int32(k), Moments: m})
		t.CountCells(int(k), +1)
		next = k + 1
	}
	return row
}

func decodeMoments(d *wire.Decoder) Moments {
	head := d.Uvarint()
	m := Moments{Examples: wire.Unzigzag(head >> 2)}
	m.Present = float64(m.Examples)
	if head&presentFollows != 0 {
		m.Present = d.Number()
	}
	m.Sum = m.Present
	if head&sumFollows != 0 {
		m.Sum = d.Number()
	}
	return m
}
