package fastcount

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
	"bayes/internal/sparse"
)

// Flush moves what c has counted to its table, whose classes are the IDs below a number.
// Terms keep their numbers.
func (c *Counter) Flush(classes int) {
	c.Materialise()
	same := make([]int, classes)
	for k := range same {
		same[k] = k
	}
	Merge([]*Counter{c}, [][]int{same})
}

// Merge moves what Counters that number their terms alike have counted to the table of the
// first, on as many cores as there are Counters. For each Counter and each class of its
// table, classes has the class of the first one's. Terms of shared n-grams get their names,
// and new numbers in the order of their words. Afterwards the Counters are empty, and must
// not be used again, except a single one that was flushed.
func Merge(counters []*Counter, classes [][]int) {
	n, t := counters[0].Len(), counters[0].table
	var (
		naming, merging sync.WaitGroup
		ordered         chan []int32                            // the terms' numbers in their new order
		overflow        = make([][]overflowCell, len(counters)) // of each Counter
		most            int                                     // classes of the first
	)
	// Terms get their names on one core, while rows are merged on the others.
	if r := counters[0].ngrams; r != nil {
		ordered = make(chan []int32, 1)
		naming.Go(func() { r.materialise(&t.Index, ordered) })
	}
	// Sort what comes in any order by row, so that rows can be merged one after the other.
	for j, c := range counters {
		c.ngrams = nil
		c.sortLog(n)
		c.scratch = nil
		overflow[j] = c.sortedOverflow()
		for _, class := range classes[j] {
			most = max(most, class+1)
		}
	}
	// Each goroutine takes some rows at a time until all are done.
	rows := make([][]sparse.Cell, n, n+n/8)
	prefetch.Populate(rows, 0)
	mergers := make([]*merger, len(counters))
	var next atomic.Int64
	for j := range mergers {
		m := &merger{counters: counters, classes: classes, overflow: overflow, table: sparse.Table{Cells: make([]int, most)}}
		mergers[j] = m
		merging.Go(func() {
			for {
				to := int(next.Add(mergeRows))
				from := to - mergeRows
				if from >= n {
					return
				}
				copy(rows[from:], m.merge(from, min(to, n)))
			}
		})
	}
	merging.Wait()
	t.Rows = rows
	if ordered != nil {
		t.Rows = inOrder(<-ordered, rows)
	}
	naming.Wait()
	for _, m := range mergers {
		t.CountPart(&m.table)
	}
	for _, c := range counters {
		c.dense, c.states, c.overflow, c.log = nil, nil, nil, nil
	}
}

// inOrder returns rows in an order, which names all of them.
func inOrder(order []int32, rows [][]sparse.Cell) [][]sparse.Cell {
	list := make([][]sparse.Cell, len(rows), cap(rows))
	prefetch.Populate(list, 0) // before the garbage collector reads it
	for from := 0; from < len(order); from += intern.Batch {
		batch := order[from:min(from+intern.Batch, len(order))]
		prefetch.Elements(rows, batch)
		for j, i := range batch {
			list[from+j] = rows[i]
		}
	}
	return list
}

// A merger merges rows, for one goroutine.
type merger struct {
	counters []*Counter
	classes  [][]int          // of each Counter, those of the first
	overflow [][]overflowCell // of each Counter
	table    sparse.Table     // of the rows that are being merged
	counted  []countedCell
}

// A countedCell is what a Counter has counted of a row, from the first that is being merged,
// and a class.
type countedCell struct {
	row, class int32
	sparse.Moments
}

// mergeRows is how many rows are merged at a time.
const mergeRows = 1 << 10

// merge returns rows of the first Counter's table, with all that Counters counted elsewhere
// added to them. They are valid until the next call.
func (m *merger) merge(from, to int) [][]sparse.Cell {
	t := &m.table
	t.Rows = slices.Grow(t.Rows[:0], to-from)[:to-from]
	clear(t.Rows)
	if rows := m.counters[0].table.Rows; from < len(rows) {
		copy(t.Rows, rows[from:])
	}
	m.collect(from, to)
	// A row is allocated with room for the cells that it will have. A bit for each class,
	// modulo 64, says how many these are: exactly, or fewer where classes are many.
	var seen [mergeRows]uint64
	for i, row := range t.Rows {
		for j := range row {
			seen[i] |= 1 << (row[j].Class & 63)
		}
	}
	for j := range m.counted {
		f := &m.counted[j]
		seen[f.row] |= 1 << (f.class & 63)
	}
	m.eachLogged(from, to, func(row, class int, _ sparse.Moments) { seen[row-from] |= 1 << (class & 63) })
	for i := range t.Rows {
		t.Reserve(i, bits.OnesCount64(seen[i]))
	}
	for j := range m.counted {
		f := &m.counted[j]
		t.Add(int(f.row), int(f.class), f.Moments, +1)
	}
	m.eachLogged(from, to, func(row, class int, of sparse.Moments) { t.Add(row-from, class, of, +1) })
	return t.Rows
}

// eachLogged calls f for each entry of some rows in the logs and the overflow maps.
func (m *merger) eachLogged(from, to int, f func(row, class int, of sparse.Moments)) {
	for j, c := range m.counters {
		start, _ := slices.BinarySearch(c.log, occurrenceInClass(from)<<32)
		end, _ := slices.BinarySearch(c.log, occurrenceInClass(to)<<32)
		for _, o := range c.log[start:end] {
			row, class, of := o.unpack()
			f(row, m.classes[j][class], c.weighed(row, of))
		}
		list := m.overflow[j]
		start, _ = slices.BinarySearchFunc(list, from, overflowCell.compare)
		end, _ = slices.BinarySearchFunc(list, to, overflowCell.compare)
		for i := range list[start:end] {
			o := &list[start+i]
			f(int(o.term), m.classes[j][o.class], c.weighed(int(o.term), o.Moments))
		}
	}
}

// An overflowCell is an entry of an overflow map.
type overflowCell struct {
	spot
	sparse.Moments
}

func (o overflowCell) compare(row int) int { return cmp.Compare(int(o.term), row) }

// sortedOverflow returns the overflow map by term. The classes of a term come in any order.
func (c *Counter) sortedOverflow() []overflowCell {
	list := make([]overflowCell, 0, len(c.overflow))
	for at, m := range c.overflow {
		list = append(list, overflowCell{at, m})
	}
	slices.SortFunc(list, func(a, b overflowCell) int { return a.compare(int(b.term)) })
	return list
}

// collect collects the entries of some rows in dense and single-class counters, and in the
// tables of all Counters except the first.
func (m *merger) collect(from, to int) {
	m.counted = m.counted[:0]
	for j, c := range m.counters {
		classes := m.classes[j]
		add := func(row, class int, of sparse.Moments) {
			m.counted = append(m.counted, countedCell{int32(row - from), int32(classes[class]), of})
		}
		for class, dense := range c.dense {
			for i := from; i < min(to, len(dense)); i++ {
				if dense[i] > 0 {
					add(i, class, c.weighed(i, dense[i].moments()))
				}
			}
		}
		for i := from; i < min(to, len(c.states)); i++ {
			if s := c.states[i].first; s.denseCounter > 0 {
				add(i, int(s.class), c.weighed(i, s.moments()))
			}
		}
		if rows := c.table.Rows; j > 0 {
			for i := from; i < min(to, len(rows)); i++ {
				for _, cell := range rows[i] {
					add(i, int(cell.Class), cell.Moments)
				}
			}
		}
	}
}
