package sparse

import "iter"

// Totals are what the cells of each class come to. They are whole numbers, kept up as cells change,
// so they do not depend on the order of the changes.
type Totals struct {
	classes []ClassTotals // by class
	odd     int           // how many cells are not plain
}

// ClassTotals are those of one class.
type ClassTotals struct {
	Sum    int64           // of the sums of its cells
	counts []int32         // how many cells have how many examples
	more   map[int64]int32 // the same, of larger numbers
}

// mostCounts is how long the list of a class's counts may become.
const mostCounts = 1 << 12

// plain reports whether a cell is what examples that count once, and values that are small whole
// numbers, leave.
func (m *Moments) plain() bool {
	return m.Examples > 0 && m.Present == float64(m.Examples) && m.Sum >= 0 && m.Sum <= 1<<31 && Whole(m.Sum)
}

// Totals returns the totals of t, which stay right until t changes. It returns nil where they would
// have to be found by a look at all cells, since t was not changed after a snapshot, and where some
// cells are not plain: those have fractional weights or values, or were unlearned too often.
func (t *Table) Totals() *Totals {
	t.mu.Lock() // several models may be fitted at once
	defer t.mu.Unlock()
	r := t.readers
	if r == nil || r.aliased {
		return nil
	}
	if r.totals == nil {
		r.totals = new(Totals)
		for _, row := range t.Rows {
			for j := range row {
				r.totals.replace(int(row[j].Class), Moments{}, row[j].Moments)
			}
		}
	}
	if r.totals.odd > 0 {
		return nil
	}
	return r.totals
}

// Class returns the totals of a class.
func (t *Totals) Class(k int) *ClassTotals {
	if k < len(t.classes) {
		return &t.classes[k]
	}
	return new(ClassTotals)
}

// replace takes note of a change of a cell. Where there is no cell, moments are zero.
func (t *Totals) replace(class int, old, m Moments) {
	t.count(class, old, -1)
	t.count(class, m, +1)
}

func (t *Totals) count(class int, m Moments, sign int32) {
	switch {
	case m == Moments{}:
		return
	case !m.plain():
		t.odd += int(sign)
		return
	}
	t.classes = Lengthen(t.classes, class+1)
	c := &t.classes[class]
	c.Sum += int64(sign) * int64(m.Sum)
	if n := m.Examples; n < mostCounts {
		c.counts = Lengthen(c.counts, int(n)+1)
		c.counts[n] += sign
		for last := len(c.counts) - 1; last >= 0 && c.counts[last] == 0; last-- {
			c.counts = c.counts[:last]
		}
		return
	} else if c.more == nil {
		c.more = make(map[int64]int32)
	}
	if c.more[m.Examples] += sign; c.more[m.Examples] == 0 {
		delete(c.more, m.Examples)
	}
}

// Most returns the most examples that a cell has.
func (c *ClassTotals) Most() int64 {
	most := int64(len(c.counts) - 1)
	for n := range c.more {
		most = max(most, n)
	}
	return most
}

// Counts yields how many cells have how many examples, in no certain order.
func (c *ClassTotals) Counts() iter.Seq2[int64, int] {
	return func(yield func(examples int64, cells int) bool) {
		for n, cells := range c.counts {
			if cells > 0 && !yield(int64(n), int(cells)) {
				return
			}
		}
		for n, cells := range c.more {
			if !yield(n, int(cells)) {
				return
			}
		}
	}
}
