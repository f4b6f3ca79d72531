package correction

import (
	"math"
	"sync/atomic"
)

// A Row is what is known of a feature beside what naive Bayes says.
type Row struct {
	Times float64 // what a value is multiplied by: see internal/tfidf
	Place int32   // that of its corrections in a [Block], plus 1; zero if it has none, and [Unknown] of what is no feature
}

// Unknown is the place of what is no feature.
const Unknown = -1

// Rows keep what is known of features once it was read. They may be used by many goroutines at once.
type Rows struct {
	pages []atomic.Pointer[page]
	row   func(i int) Row
}

// A page is of this size, as most models read few features; and has no pointers, as others read millions.
type page [128]struct {
	times atomic.Uint64 // its bits; zero until the row is known, and set last
	place atomic.Int32
}

// NewRows returns Rows of n features, which row makes: for equal features equal ones.
func NewRows(n int, row func(i int) Row) *Rows {
	return &Rows{make([]atomic.Pointer[page], (n+len(page{})-1)/len(page{})), row}
}

// At returns the row of feature i.
func (r *Rows) At(i int) Row {
	at := &r.pages[i/len(page{})]
	p := at.Load()
	if p == nil {
		at.CompareAndSwap(nil, new(page))
		p = at.Load()
	}
	kept := &p[i%len(page{})]
	if times := kept.times.Load(); times != 0 {
		return Row{math.Float64frombits(times), kept.place.Load()}
	}
	row := r.row(i)
	kept.place.Store(row.Place)
	kept.times.Store(math.Float64bits(row.Times))
	return row
}
