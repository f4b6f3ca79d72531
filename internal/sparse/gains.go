package sparse

import (
	"math"
	"sync/atomic"
	"unsafe"

	"bayes/internal/intern"
	"bayes/internal/vecmath"
)

// Weights say what a document's features weigh. The weight of the feature of row i in a class is
//
//	scale·unseen(i) + bias + gain
//
// where the gain is zero in each class that has no cell in the row. If unseen is infinite, a class with a
// cell has the weight that it has with an unseen of zero.
type Weights struct {
	Rows     *Rows
	Position []int                                                     // of each class ID among the scores
	Gains    func(gains []float64, i int, row []Cell) (unseen float64) // sets the gain of each cell of row i
	Bias     []float64                                                 // by class
	BiasOf   func(i int) []float64                                     // of row i, in place of Bias; nil if Bias is for all
	Scale    []float64                                                 // by class; nil if all are 1
}

// Gains keep what rows weigh once they were read. They may be used by many goroutines at once.
//
// Where classes are few, a row is the weights of all classes, and rows lie side by side in pages, which
// are read as a whole. Else each row is a piece of memory of its own.
type Gains struct {
	Weights
	classes int
	dense   []atomic.Pointer[float64] // the first weight of each page; the first page is all zero
	put     atomic.Int64              // how many pages were put
	flat    atomic.Pointer[float64]   // the first weight of all rows, in place of pages; a row of zeros comes first
	pages   []atomic.Pointer[gainsPage]
	arena   atomic.Pointer[arena]
}

// A Batch are some features of a document, and what looking them up needs. It is kept, so that it
// need not be cleared or allocated.
type Batch struct {
	Numbers [intern.Batch]int32 // of rows; negative if a feature has none
	Values  [intern.Batch]float64
	rows    [intern.Batch]gainsRow
	gains   []float64
}

// fewClasses is up to how many classes rows are of all classes.
const fewClasses = 8

// A page is made when a row of it is put, so that a matrix takes little memory if little of it is
// read.
const pageRows = 128

type gainsPage [pageRows]atomic.Pointer[float64]

// A gainsRow is a row of weights. It is one piece of memory, so that a single cache miss finds it.
// Where classes are few, it has the weight of each. Else it has what it adds to every class, the number
// of cells, their gains, and the classes of the cells, two to a number. Of a row that at least half of
// the classes have, the gains of all classes take less memory; then the number of cells is ofAll.
type gainsRow struct{ first *float64 }

const ofAll = math.MaxUint32

// NewGains returns Gains that have read no row.
func NewGains(w Weights) *Gains {
	n, g := w.Rows.Len(), &Gains{Weights: w, classes: len(w.Bias)}
	if g.classes <= fewClasses {
		g.dense = make([]atomic.Pointer[float64], 1+(n+rowsOfPage-1)/rowsOfPage)
		g.dense[0].Store(&make([]float64, rowsOfPage*g.classes)[0])
	} else {
		g.pages = make([]atomic.Pointer[gainsPage], (n+pageRows-1)/pageRows)
	}
	return g
}

// Add adds to the scores, for each of the first n features of b, its value times its weights. It leaves
// out what features have in common: it returns the sum of the values, by which each class's bias is
// to be multiplied, and that of the values times unseen, by which its scale is.
func (g *Gains) Add(scores []float64, b *Batch, n int) (sum, unseen float64) {
	numbers, values, rows := b.Numbers[:n], b.Values[:n], b.rows[:n]
	if g.dense != nil {
		if missing, _ := g.denseRows(rows, numbers); missing > 0 {
			for j, i := range numbers {
				if rows[j].first == nil {
					rows[j] = g.readBeside(int(i))
				}
			}
		}
		addDense(scores, rows, values)
		return 0, 0
	}
	if missing, _ := g.rows(rows, numbers); missing > 0 {
		for j, i := range numbers {
			if i >= 0 && rows[j].first == nil {
				rows[j] = g.read(int(i), b)
			}
		}
	}
	return add(scores, rows, values)
}

// rows sets rows to those of these numbers, where negative ones have none, and reads the first
// number of each, so that the processor waits for many at once. It returns how many rows were not read
// yet, and asks for their cells.
func (g *Gains) rows(rows []gainsRow, numbers []int32) (missing int, touched float64) {
	rows = rows[:len(numbers)]
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
		g.Rows.prefetch(int(i))
	}
	return missing, touched
}

// denseRows is rows where classes are few. Negative numbers have rows of zeros, which takes no branch.
func (g *Gains) denseRows(rows []gainsRow, numbers []int32) (missing int, touched float64) {
	rows = rows[:len(numbers)]
	if flat := g.flat.Load(); flat != nil {
		for j, i := range numbers {
			rows[j].first = (*float64)(unsafe.Add(unsafe.Pointer(flat), 8*g.classes*int(i+1)))
			touched += *rows[j].first
		}
		return 0, touched
	}
	for j, i := range numbers {
		page := g.dense[uint32(i+rowsOfPage)/rowsOfPage].Load()
		if page == nil {
			rows[j].first = nil
			missing++
			g.Rows.beside(int(i))
			continue
		}
		rows[j] = g.rowOf(page, i)
		touched += *rows[j].first
	}
	return missing, touched
}

// rowOf returns row i of its page.
func (g *Gains) rowOf(page *float64, i int32) gainsRow {
	return gainsRow{(*float64)(unsafe.Add(unsafe.Pointer(page), uint(8*g.classes)*uint(uint32(i)%rowsOfPage)))}
}

// readBeside reads the rows beside row i, keeps them, and returns that.
func (g *Gains) readBeside(i int) gainsRow {
	from, cells := g.Rows.beside(i)
	page := g.allocate(rowsOfPage * g.classes)
	for j, row := range cells {
		g.set(page[j*g.classes:(j+1)*g.classes], from+j, row)
	}
	g.dense[1+i/rowsOfPage].Store(&page[0])
	const many = 256 // with fewer, the list of pages stays in the nearest cache
	if g.put.Add(1) == int64(max(many, len(g.dense)/8)) {
		g.flatten()
	}
	return g.rowOf(&page[0], int32(i))
}

// flatten reads all rows, side by side, in place of the pages: what was read is more than a few
// documents have.
func (g *Gains) flatten() {
	list := make([]float64, (1+g.Rows.Len())*g.classes)
	for i, row := range g.Rows.All() {
		if i%rowsOfPage == 0 && i+rowsOfPage < g.Rows.Len() {
			g.Rows.beside(i + rowsOfPage)
		}
		g.set(list[(i+1)*g.classes:(i+2)*g.classes], i, row)
	}
	g.flat.Store(&list[0])
	for p := 1; p < len(g.dense); p++ { // who still reads one sets it again
		g.dense[p].Store(nil)
	}
	g.arena.Store(nil)
}

// set sets the weights of row i by class.
func (g *Gains) set(weights []float64, i int, row []Cell) {
	unseen := g.Gains(weights[:len(row)], i, row)
	var gains [fewClasses]float64
	copy(gains[:], weights[:len(row)])
	bias := g.Bias
	if g.BiasOf != nil {
		bias = g.BiasOf(i)
	}
	scale := func(k int) float64 {
		if g.Scale == nil {
			return 1
		}
		return g.Scale[k]
	}
	for k, b := range bias {
		weights[k] = b + unseen*scale(k)
	}
	for j := range row {
		k := g.Position[row[j].Class]
		weights[k] = bias[k] + Finite(unseen)*scale(k) + gains[j]
	}
}

// read reads row i, and keeps it if it takes no more memory than its cells.
func (g *Gains) read(i int, b *Batch) gainsRow {
	row := g.Rows.At(i)
	gains := Reuse(&b.gains, len(row))
	unseen := g.Gains(gains, i, row)
	if g.BiasOf != nil { // a row by all classes, which may be many
		return g.row(row, gains, g.BiasOf(i), unseen)
	}
	at := &g.pages[i/pageRows]
	page := at.Load()
	if page == nil {
		at.CompareAndSwap(nil, new(gainsPage))
		page = at.Load()
	}
	r := g.row(row, gains, nil, unseen)
	page[i%pageRows].Store(r.first)
	return r
}

// row returns a row whose cells have these gains, by cell. What all adds to the score of each class, if
// it is not nil, is part of the row too.
func (g *Gains) row(row []Cell, gains, all []float64, unseen float64) gainsRow {
	n := len(row)
	var list []float64
	if all != nil || 2*n >= g.classes {
		list = g.allocate(2 + g.classes)
		list[1] = math.Float64frombits(ofAll)
		copy(list[2:], all)
		for j, v := range gains {
			list[2+g.Position[row[j].Class]] += v
		}
	} else {
		list = g.allocate(2 + max(1, n+(n+1)/2)) // no pointer leads beyond it, even without a cell
		list[1] = math.Float64frombits(uint64(n))
		copy(list[2:], gains)
		_, classes := gainsRow{&list[0]}.cells(n)
		for j := range classes {
			classes[j] = int32(g.Position[row[j].Class])
		}
	}
	list[0] = unseen
	return gainsRow{&list[0]}
}

// add adds, for each row that exists, its value times its gains to the scores. It returns the sum of
// these values, and that of the values times what each row adds to every class.
func add(scores []float64, rows []gainsRow, values []float64) (n, unseen float64) {
	values = values[:len(rows)]
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
			four := len(scores) / vecmath.Vector * vecmath.Vector
			vecmath.Add(scores[:four], gains, v)
			for k := four; k < len(scores); k++ {
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
func addDense(scores []float64, rows []gainsRow, values []float64) {
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

// cells returns the gains of n cells and their classes.
func (r gainsRow) cells(n int) ([]float64, []int32) {
	first := unsafe.Add(unsafe.Pointer(r.first), 16)
	return unsafe.Slice((*float64)(first), n), unsafe.Slice((*int32)(unsafe.Add(first, 8*n)), n)
}
