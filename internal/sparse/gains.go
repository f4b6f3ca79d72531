package sparse

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// Gains keep what the cells of rows weigh, once a row has been read. Rows may be put and read by
// many goroutines at once.
type Gains struct {
	classes int
	pages   []atomic.Pointer[gainsPage]
}

// A page is made when a row of it is put, so that a matrix takes little memory if little of it is
// read.
const pageRows = 128

type gainsPage [pageRows]atomic.Pointer[float64]

// A GainsRow is a row of weights. It is one piece of memory, so that a single cache miss finds it:
// what it adds to every class, the number of cells, their gains, and the classes of the cells, two to a
// number. Of a row that at least half of the classes have, the gains of all classes take less
// memory; then the number of cells is ofAll.
type GainsRow struct{ first *float64 }

const ofAll = math.MaxUint32

// NewGains returns room for n rows.
func NewGains(n, classes int) *Gains {
	return &Gains{classes: classes, pages: make([]atomic.Pointer[gainsPage], (n+pageRows-1)/pageRows)}
}

// Rows sets rows to those of these numbers, and reads the first number of each, so that the
// processor waits for many at once. A row that was not put, or has a negative number, does not
// exist.
func (g *Gains) Rows(rows []GainsRow, numbers []int32) (touched float64) {
	rows = rows[:len(numbers)]
	for j, i := range numbers {
		rows[j].first = nil
		if i < 0 {
			continue
		}
		if page := g.pages[i/pageRows].Load(); page != nil {
			if first := page[i%pageRows].Load(); first != nil {
				touched += *first
				rows[j].first = first
			}
		}
	}
	return touched
}

// Exists reports whether the row was put.
func (r GainsRow) Exists() bool { return r.first != nil }

// AddRows adds, for each row that exists, its value times its gains to the scores of all classes. It
// returns the sum of these values, and that of the values times what each row adds to every class.
func AddRows(scores []float64, rows []GainsRow, values []float64) (n, unseen float64) {
	values = values[:len(rows)]
	if len(scores) == 2 { // the sums of two classes stay in registers
		var a, b float64
		for j, r := range rows {
			if r.first == nil {
				continue
			}
			v, row := values[j], (*[4]float64)(unsafe.Pointer(r.first))
			n += v
			unseen += v * row[0]
			a += v * row[2]
			b += v * row[3]
		}
		scores[0] += a
		scores[1] += b
		return n, unseen
	}
	for j, r := range rows {
		if r.first == nil {
			continue
		}
		v := values[j]
		n += v
		unseen += v * *r.first
		cells := *(*uint64)(unsafe.Add(unsafe.Pointer(r.first), 8))
		if cells == ofAll {
			gains := unsafe.Slice((*float64)(unsafe.Add(unsafe.Pointer(r.first), 16)), len(scores))
			for k := range scores {
				scores[k] += v * gains[k]
			}
			continue
		}
		gains, classes := r.cells(int(cells))
		for j, k := range classes {
			scores[k] += v * gains[j]
		}
	}
	return n, unseen
}

// Row returns a row whose cells have these gains, by cell. position is the place of each class ID
// among the scores. What all adds to the score of each class, if it is not nil, is part of the row
// too.
func (g *Gains) Row(row []Cell, position []int, gains, all []float64, unseen float64) GainsRow {
	n := len(row)
	var list []float64
	if all != nil || 2*n >= g.classes || g.classes == 2 {
		list = make([]float64, 2+g.classes)
		list[1] = math.Float64frombits(ofAll)
		copy(list[2:], all)
		for j, v := range gains {
			list[2+position[row[j].Class]] += v
		}
	} else {
		list = make([]float64, 2+max(1, n+(n+1)/2)) // no pointer leads beyond it, even without a cell
		list[1] = math.Float64frombits(uint64(n))
		copy(list[2:], gains)
		_, classes := GainsRow{&list[0]}.cells(n)
		for j := range classes {
			classes[j] = int32(position[row[j].Class])
		}
	}
	list[0] = unseen
	return GainsRow{&list[0]}
}

// Put keeps row i, and returns it.
func (g *Gains) Put(i int, r GainsRow) GainsRow {
	at := &g.pages[i/pageRows]
	page := at.Load()
	if page == nil {
		at.CompareAndSwap(nil, new(gainsPage))
		page = at.Load()
	}
	page[i%pageRows].Store(r.first)
	return r
}

// cells returns the gains of n cells and their classes.
func (r GainsRow) cells(n int) ([]float64, []int32) {
	first := unsafe.Add(unsafe.Pointer(r.first), 16)
	return unsafe.Slice((*float64)(first), n), unsafe.Slice((*int32)(unsafe.Add(first, 8*n)), n)
}
