package correction

import "sync/atomic"

// A Row is what is known of a feature beside what naive Bayes says.
type Row struct {
	Times   float64   // what a value is multiplied by: see internal/tfidf
	Weights []float32 // its corrections by machine; nil if it has none
}

// Rows keep what is known of features once it was read. They may be used by many goroutines at once.
type Rows struct {
	pages []atomic.Pointer[page]
	row   func(i int) *Row
}

type page [128]atomic.Pointer[Row]

// NewRows returns Rows of n features, which row makes.
func NewRows(n int, row func(i int) *Row) *Rows {
	return &Rows{make([]atomic.Pointer[page], (n+len(page{})-1)/len(page{})), row}
}

// At returns the row of feature i.
func (r *Rows) At(i int) *Row {
	at := &r.pages[i/len(page{})]
	p := at.Load()
	if p == nil {
		at.CompareAndSwap(nil, new(page))
		p = at.Load()
	}
	row := p[i%len(page{})].Load()
	if row == nil {
		row = r.row(i)
		p[i%len(page{})].Store(row)
	}
	return row
}
