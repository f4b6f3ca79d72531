package sparse

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// Gains keep what the cells of rows weigh, once a row has been read. Rows may be put and read by
// many goroutines at once.
//
// Where classes are few, a row is the weights of all classes, and rows lie side by side in pages, which
// are put as a whole. Else each row is a piece of memory of its own.
type Gains struct {
	classes int
	dense   []atomic.Pointer[float64] // the first weight of a page, of which the first is all zero
	put     atomic.Int64              // how many of them were put
	flat    atomic.Pointer[float64]   // the first weight of all rows, in the place of pages; a row of zeros comes first
	pages   []atomic.Pointer[gainsPage]
	arena   atomic.Pointer[arena]
}

// FewClasses is up to how many classes rows are of all classes.
const FewClasses = 8

// A page is made when a row of it is put, so that a matrix takes little memory if little of it is
// read.
const pageRows = 128

type gainsPage [pageRows]atomic.Pointer[float64]

// A GainsRow is a row of weights. It is one piece of memory, so that a single cache miss finds it.
// Where classes are few, it has the weight of each. Else it has
// what it adds to every class, the number of cells, their gains, and the classes of the cells, two to a
// number. Of a row that at least half of the classes have, the gains of all classes take less
// memory; then the number of cells is ofAll.
type GainsRow struct{ first *float64 }

const ofAll = math.MaxUint32

// NewGains returns room for n rows.
func NewGains(n, classes int) *Gains {
	g := &Gains{classes: classes}
	if classes <= FewClasses {
		g.dense = make([]atomic.Pointer[float64], 1+(n+rowsOfPage-1)/rowsOfPage)
		g.dense[0].Store(&make([]float64, rowsOfPage*classes)[0])
	} else {
		g.pages = make([]atomic.Pointer[gainsPage], (n+pageRows-1)/pageRows)
	}
	return g
}

// Dense reports whether rows are the weights of all classes.
func (g *Gains) Dense() bool { return g.dense != nil }

// Rows sets rows to those of these numbers, of which negative ones have no row, and reads the first
// number of each, so that the processor waits for many at once. It returns how many rows were not put
// yet, and asks for their cells.
func (g *Gains) Rows(rows []GainsRow, numbers []int32, cells *Rows) (missing int, touched float64) {
	rows = rows[:len(numbers)]
	if g.dense != nil {
		if flat := g.flat.Load(); flat != nil {
			for j, i := range numbers {
				rows[j].first = (*float64)(unsafe.Add(unsafe.Pointer(flat), 8*g.classes*int(i+1)))
				touched += *rows[j].first
			}
			return 0, touched
		}
		for j, i := range numbers { // without a branch for negative numbers, which are of the first page
			page := g.dense[uint32(i+rowsOfPage)/rowsOfPage].Load()
			if page == nil {
				rows[j].first = nil
				missing++
				cells.beside(int(i))
				continue
			}
			rows[j] = g.rowOf(page, i)
			touched += *rows[j].first
		}
		return missing, touched
	}
	for j, i := range numbers {
		rows[j].first = nil
		if i < 0 {
			continue
		}
		if page := g.pages[i/pageRows].Load(); page != nil {
			rows[j].first = page[i%pageRows].Load()
		}
		if rows[j].first != nil {
			touched += *rows[j].first
			continue
		}
		missing++
		cells.prefetch(int(i))
	}
	return missing, touched
}

// rowOf returns row i of its page.
func (g *Gains) rowOf(page *float64, i int32) GainsRow {
	return GainsRow{(*float64)(unsafe.Add(unsafe.Pointer(page), uint(8*g.classes)*uint(uint32(i)%rowsOfPage)))}
}

// PutBeside keeps the rows beside row i, and returns that. set sets the weights of a row of cells. Once
// so many pages are kept that many documents must have been read, all rows are set.
func (g *Gains) PutBeside(i int, rows *Rows, set func(i int, row []Cell, weights []float64)) GainsRow {
	from, cells := rows.beside(i)
	page := g.allocate(rowsOfPage * g.classes)
	for j, row := range cells {
		set(from+j, row, page[j*g.classes:(j+1)*g.classes])
	}
	g.dense[1+i/rowsOfPage].Store(&page[0])
	const many = 256 // with fewer, the list of pages stays in the nearest cache
	if g.put.Add(1) == int64(max(many, len(g.dense)/8)) {
		g.flatten(rows, set)
	}
	return g.rowOf(&page[0], int32(i))
}

// flatten sets all rows, side by side, in the place of the pages.
func (g *Gains) flatten(rows *Rows, set func(i int, row []Cell, weights []float64)) {
	list := make([]float64, (1+rows.Len())*g.classes)
	for i, row := range rows.All() {
		if i%rowsOfPage == 0 && i+rowsOfPage < rows.Len() {
			rows.beside(i + rowsOfPage)
		}
		set(i, row, list[(i+1)*g.classes:(i+2)*g.classes])
	}
	g.flat.Store(&list[0])
	for p := 1; p < len(g.dense); p++ { // who still reads one sets it again
		g.dense[p].Store(nil)
	}
	g.arena.Store(nil)
}

// Exists reports whether the row was put.
func (r GainsRow) Exists() bool { return r.first != nil }

// AddRows adds, for each row that exists, its value times its gains to the scores of all classes. It
// returns the sum of these values, and that of the values times what each row adds to every class.
func (g *Gains) AddRows(scores []float64, rows []GainsRow, values []float64) (n, unseen float64) {
	values = values[:len(rows)]
	if g.dense != nil {
		addDense(scores, rows, values)
		return 0, 0
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

// addDense adds, for each row, its value times its weights to the scores of all classes.
func addDense(scores []float64, rows []GainsRow, values []float64) {
	values = values[:len(rows)]
	if len(scores) == 2 { // the sums of two classes stay in registers
		a, b := scores[0], scores[1]
		for j, r := range rows {
			v, row := values[j], (*[2]float64)(unsafe.Pointer(r.first))
			a += v * row[0]
			b += v * row[1]
		}
		scores[0], scores[1] = a, b
		return
	}
	for j, r := range rows {
		v, row := values[j], unsafe.Slice(r.first, len(scores))
		for k := range scores {
			scores[k] += v * row[k]
		}
	}
}

// Row returns a row whose cells have these gains, by cell. position is the place of each class ID
// among the scores. What all adds to the score of each class, if it is not nil, is part of the row
// too.
func (g *Gains) Row(row []Cell, position []int, gains, all []float64, unseen float64) GainsRow {
	n := len(row)
	var list []float64
	if all != nil || 2*n >= g.classes {
		list = g.allocate(2 + g.classes)
		list[1] = math.Float64frombits(ofAll)
		copy(list[2:], all)
		for j, v := range gains {
			list[2+position[row[j].Class]] += v
		}
	} else {
		list = g.allocate(2 + max(1, n+(n+1)/2)) // no pointer leads beyond it, even without a cell
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

// An arena is memory that many rows are parts of.
type arena struct {
	used atomic.Int64
	list []float64
}

// allocate returns n zeros.
func (g *Gains) allocate(n int) []float64 {
	const least, most = 1 << 9, 1 << 13
	size := least
	for {
		a := g.arena.Load()
		if a != nil {
			if end := int(a.used.Add(int64(n))); end <= len(a.list) {
				return a.list[end-n : end : end]
			}
			size = min(2*len(a.list), most)
		}
		if n > size/4 {
			return make([]float64, n)
		}
		g.arena.CompareAndSwap(a, &arena{list: make([]float64, size)})
	}
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
