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
	Scaling  *Scaling                                                  // of values; nil if there is none
}

// Gains keep what rows weigh once they were read. They may be used by many goroutines at once.
//
// Where classes are few, a row is the weights of all classes, and rows lie side by side in pages, which
// are read as a whole. Else each row is a piece of memory of its own.
type Gains struct {
	Weights
	classes int
	lead    int                       // how many numbers stand before the weights of a row: one with a Scaling, else none
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
	Sums    Sums // of [Gains.Add] with a Scaling
	rows    [intern.Batch]gainsRow
	gains   []float64
	weights []float64
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
	if w.Scaling != nil {
		g.lead = 1
	}
	if g.classes <= fewClasses {
		g.dense = make([]atomic.Pointer[float64], 1+(n+rowsOfPage-1)/rowsOfPage)
		g.dense[0].Store(&make([]float64, rowsOfPage*g.stride())[g.lead])
	} else {
		g.pages = make([]atomic.Pointer[gainsPage], (n+pageRows-1)/pageRows)
	}
	return g
}

// Add adds to the scores, for each of the first n features of b, its value times its weights. It leaves
// out what features have in common: it returns the sum of the values, by which each class's bias is
// to be multiplied, and that of the values times unseen, by which its scale is. With a Scaling it adds to
// the sums of b instead, and the values say how often a feature occurs.
func (g *Gains) Add(scores []float64, b *Batch, n int) (sum, unseen float64) {
	numbers, values, rows := b.Numbers[:n], b.Values[:n], b.rows[:n]
	if g.dense != nil {
		if missing, _ := g.denseRows(rows, numbers); missing > 0 {
			g.readMissing(rows, numbers)
		}
		if g.Scaling != nil {
			g.addScaled(b, rows, values)
			return 0, 0
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
	if g.Scaling != nil {
		g.addScaled(b, rows, values)
		return 0, 0
	}
	return add(scores, rows, values)
}

// readMissing reads the rows that were not read yet, where classes are few.
func (g *Gains) readMissing(rows []gainsRow, numbers []int32) {
	for j, i := range numbers {
		if rows[j].first == nil {
			rows[j] = g.readBeside(int(i))
		}
	}
}

// stride returns how many numbers a row with the weights of all classes takes.
func (g *Gains) stride() int { return g.lead + g.classes }

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
		size := 8 * g.stride()
		for j, i := range numbers {
			rows[j].first = (*float64)(unsafe.Add(unsafe.Pointer(flat), size*int(i+1)))
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
	return gainsRow{(*float64)(unsafe.Add(unsafe.Pointer(page), uint(8*g.stride())*uint(uint32(i)%rowsOfPage)))}
}

// readBeside reads the rows beside row i, keeps them, and returns that.
func (g *Gains) readBeside(i int) gainsRow {
	from, cells := g.Rows.beside(i)
	size := g.stride()
	page := g.allocate(rowsOfPage * size)
	for j, row := range cells {
		g.setRow(page[j*size:(j+1)*size], from+j, row)
	}
	g.dense[1+i/rowsOfPage].Store(&page[g.lead])
	const many = 256 // with fewer, the list of pages stays in the nearest cache
	if g.put.Add(1) == int64(max(many, len(g.dense)/8)) {
		g.flatten()
	}
	return g.rowOf(&page[g.lead], int32(i))
}

// flatten reads all rows, side by side, in place of the pages: what was read is more than a few
// documents have.
func (g *Gains) flatten() {
	size := g.stride()
	list := make([]float64, (1+g.Rows.Len())*size)
	for i, row := range g.Rows.All() {
		if i%rowsOfPage == 0 && i+rowsOfPage < g.Rows.Len() {
			g.Rows.beside(i + rowsOfPage)
		}
		g.setRow(list[(i+1)*size:(i+2)*size], i, row)
	}
	g.flat.Store(&list[g.lead])
	for p := 1; p < len(g.dense); p++ { // who still reads one sets it again
		g.dense[p].Store(nil)
	}
	g.arena.Store(nil)
}

// setRow sets list to what is kept of row i.
func (g *Gains) setRow(list []float64, i int, row []Cell) {
	weights := list[g.lead:]
	g.Set(weights, i, row)
	if g.Scaling != nil {
		list[0] = g.Scaling.Of(i)
		g.Scaling.Extra(weights, i)
	}
}

// Set sets the weights of row i by class, without a Scaling.
func (g *Weights) Set(weights []float64, i int, row []Cell) {
	unseen := g.Gains(weights[:len(row)], i, row)
	var few [fewClasses]float64
	gains := append(few[:0], weights[:len(row)]...)
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

// A row that has a bias of its own is kept if at least one class in these many has a cell. Its weights then take no
// more memory than a few times its cells.
const keptBias = 8

// read reads row i, and keeps it if it takes about as much memory as its cells.
func (g *Gains) read(i int, b *Batch) gainsRow {
	row := g.Rows.At(i)
	gains := Reuse(&b.gains, len(row))
	unseen := g.Gains(gains, i, row)
	var all []float64
	if g.BiasOf != nil {
		if all = g.BiasOf(i); keptBias*len(row) < g.classes {
			return g.row(b, i, row, gains, all, unseen)
		}
	}
	at := &g.pages[i/pageRows]
	page := at.Load()
	if page == nil {
		at.CompareAndSwap(nil, new(gainsPage))
		page = at.Load()
	}
	r := g.row(b, i, row, gains, all, unseen)
	page[i%pageRows].Store(r.first)
	return r
}

// row returns row i, whose cells have these gains, by cell. What all adds to the score of each class, if
// it is not nil, is part of the row too.
func (g *Gains) row(b *Batch, i int, row []Cell, gains, all []float64, unseen float64) gainsRow {
	n := len(row)
	if g.Scaling == nil && all == nil && 2*n < g.classes {
		r, list, classes := g.newRow(n, unseen)
		copy(list, gains)
		for j := range classes {
			classes[j] = int32(g.Position[row[j].Class])
		}
		return r
	}
	weights := Reuse(&b.weights, g.classes)
	clear(weights)
	copy(weights, all)
	for j, v := range gains {
		weights[g.Position[row[j].Class]] += v
	}
	if g.Scaling == nil {
		return g.rowOfAll(weights, unseen)
	}
	g.Scaling.Extra(weights, i)
	n = 0
	for _, v := range weights {
		if v != 0 {
			n++
		}
	}
	var r gainsRow
	if 2*n >= g.classes {
		r = g.rowOfAll(weights, unseen)
	} else {
		var list []float64
		var classes []int32
		r, list, classes = g.newRow(n, unseen)
		n = 0
		for k, v := range weights {
			if v != 0 {
				list[n], classes[n] = v, int32(k)
				n++
			}
		}
	}
	*r.times() = g.Scaling.Of(i)
	return r
}

// newRow returns a row of n cells, and the gains and classes that are to be set.
func (g *Gains) newRow(n int, unseen float64) (r gainsRow, gains []float64, classes []int32) {
	list := g.allocate(g.lead + 2 + max(1, n+(n+1)/2))[g.lead:] // no pointer leads beyond it, even without a cell
	list[0], list[1] = unseen, math.Float64frombits(uint64(n))
	r = gainsRow{&list[0]}
	gains, classes = r.cells(n)
	return r, gains, classes
}

// rowOfAll returns a row with the gains of all classes.
func (g *Gains) rowOfAll(gains []float64, unseen float64) gainsRow {
	list := g.allocate(g.lead + 2 + len(gains))[g.lead:]
	list[0], list[1] = unseen, math.Float64frombits(ofAll)
	copy(list[2:], gains)
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
			r.addAll(scores, v)
			continue
		}
		gains, classes := r.cells(int(cells))
		for j, k := range classes {
			scores[k] += v * gains[j]
		}
	}
	return n, unseen
}

// addAll adds v times the gains of a row that has those of all classes.
func (r gainsRow) addAll(scores []float64, v float64) {
	gains := unsafe.Slice((*float64)(unsafe.Add(unsafe.Pointer(r.first), 16)), len(scores))
	four := len(scores) / vecmath.Vector * vecmath.Vector
	vecmath.Add(scores[:four], gains, v)
	for k := four; k < len(scores); k++ {
		scores[k] += v * gains[k]
	}
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
