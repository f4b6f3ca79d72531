// Package bags has bags of words: the distinct terms of a document, and their values.
//
// A bag is a hash table with open addressing, since a Go map costs more to clear and to fill for each
// document than the look-ups themselves.
package bags

import (
	"bytes"
	"math"
	"slices"

	"bayes/feature"
	"bayes/internal/intern"
	"bayes/internal/sparse"
	"bayes/text"
)

// A Bag holds the features of one group: the terms of a text, or a single one of a number or a category.
type Bag struct {
	Terms []Term       // distinct, in order of first appearance
	Text  text.Buffer  // the analyzed text, which has the names of its terms
	Batch sparse.Batch // is scratch of scoring

	slots []uint32 // 1 + the index in Terms, and 0 where free; their number is a power of 2
	names []byte   // the names of terms that Text lacks
}

// A Term is a feature of a document. If ID is 0, it is known by its key and name. Otherwise it is
// row ID-1 of a table.
type Term struct {
	Key   intern.Key
	Name  []byte
	Value float64
	ID    int32
}

// Drop makes the names of terms that Text lacks room for others.
func (b *Bag) Drop() { b.names = b.names[:0] }

// Reset empties b and makes room for n terms.
func (b *Bag) Reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(b.slots) < size {
		b.slots = make([]uint32, size)
	}
	b.slots = b.slots[:size]
	clear(b.slots)
	b.Terms = b.Terms[:0]
}

// A Column appends the name of the column that a term is hashed to.
type Column func(dst, term []byte) []byte

// AddTokens adds the tokens of Text, each as its column if that is not nil.
func (b *Bag) AddTokens(column Column) {
	for i := range b.Text.Len() {
		t := b.Text.Term(i)
		if column != nil {
			b.addColumn(column, t, 1)
		} else {
			b.add(intern.KeyOf(t), t, 1)
		}
	}
}

// AddTerm adds v to the value of a term that is none of Text, or of its column.
func (b *Bag) AddTerm(column Column, name string, v float64) {
	if column != nil {
		b.addColumn(column, []byte(name), v)
	} else {
		b.AddNamed(name, v)
	}
}

func (b *Bag) addColumn(column Column, term []byte, v float64) {
	start := len(b.names)
	b.names = column(b.names, term)
	t := b.names[start:]
	b.add(intern.KeyOf(t), t, v)
}

// AddNamed adds v to the value of the term called name.
func (b *Bag) AddNamed(name string, v float64) {
	start := len(b.names)
	b.names = append(b.names, name...)
	t := b.names[start:]
	b.add(intern.KeyOf(t), t, v)
}

// add adds v to the value of the term t, whose key is k, and adds the term if b lacks it.
func (b *Bag) add(k intern.Key, t []byte, v float64) {
	mask := uint64(len(b.slots) - 1)
	i := k.Hash() & mask
	for ; b.slots[i] != 0; i = (i + 1) & mask {
		if f := &b.Terms[b.slots[i]-1]; f.Key == k && (k.Exact() || bytes.Equal(f.Name, t)) {
			f.Value += v
			return
		}
	}
	n := len(b.Terms)
	b.Terms = slices.Grow(b.Terms, 1)[:n+1]
	f := &b.Terms[n] // set field by field: a literal would be built elsewhere first and copied
	f.Key, f.Name, f.Value, f.ID = k, t, v, 0
	b.slots[i] = uint32(n + 1)
}

// A Weighting says how values come of how often terms occur.
type Weighting struct {
	Binary, Log   bool         // 1 for any number above 0; 1 + ln of it
	IDF           *feature.IDF // by which they are multiplied; nil for none
	SubwordWeight float64      // and those of subwords by this
	Norm          feature.Norm // "" for none
}

// Weigh works out the values of a text's terms from how often they occur, and drops those that are
// zero.
func (b *Bag) Weigh(w *Weighting) {
	kept := 0
	for i := range b.Terms {
		t := &b.Terms[i]
		t.Value = w.value(t)
		if w.SubwordWeight != 1 && text.IsSubword(t.Name) {
			t.Value *= w.SubwordWeight
		}
		if t.Value == 0 {
			continue
		}
		if kept < i {
			b.Terms[kept] = *t
		}
		kept++
	}
	b.Terms = b.Terms[:kept]
	if w.Norm != "" {
		b.Scale(w.Norm)
	}
}

// value returns that of a term that occurs t.Value times.
func (w *Weighting) value(t *Term) float64 {
	v := t.Value
	if w.Binary && v > 0 {
		v = 1
	}
	if w.Log && v > 0 {
		v = 1 + math.Log(v)
	}
	if w.IDF != nil {
		v *= w.IDF.Weight(t.Name)
	}
	return v
}

// Scale divides the values by their length.
func (b *Bag) Scale(n feature.Norm) {
	var length float64
	for _, t := range b.Terms {
		if n == feature.L1 {
			length += math.Abs(t.Value)
		} else {
			length += t.Value * t.Value
		}
	}
	if n == feature.L2 {
		length = math.Sqrt(length)
	}
	for i := range b.Terms {
		b.Terms[i].Value /= length
	}
}
