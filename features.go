package bayes

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"bayes/feature"
	"bayes/internal/intern"
	"bayes/internal/sparse"
	"bayes/text"
)

// An extractor turns documents into features. It reuses its memory from document to document, so
// that extracting allocates nothing once it has grown. It is for one goroutine.
type extractor struct {
	space *Space
	x     features
	joint []float64 // scratch of predictions
	logP  []float64
	order []int32
}

func newExtractor(s *Space) *extractor { return &extractor{space: s} }

// features are the features of a document: a bag for each block that the document has, the main
// text's first. They are valid until the next extraction.
type features struct {
	bags  []bag
	n     int             // how many bags are in use
	index map[blockID]int // where the bags after the first few are
}

// few is up to how many bags a linear search beats a map.
const few = 16

// of returns the bag of a block, or nil if the document lacks it.
func (x *features) of(id blockID) *bag {
	for i := range x.bags[:min(x.n, few)] {
		if x.bags[i].id == id {
			return &x.bags[i]
		}
	}
	if i, ok := x.index[id]; ok {
		return &x.bags[i]
	}
	return nil
}

// clear empties x.
func (x *features) clear() {
	x.n = 0
	clear(x.index)
}

// len returns how many features there are.
func (x *features) len() int {
	n := 0
	for i := range x.bags[:x.n] {
		n += len(x.bags[i].terms)
	}
	return n
}

// next returns an unused bag, for a block that x lacks.
func (x *features) next(id blockID) *bag {
	if x.n == len(x.bags) {
		x.bags = append(x.bags, bag{})
	}
	if x.n == few && x.index == nil {
		x.index = make(map[blockID]int)
	}
	if x.n >= few {
		x.index[id] = x.n
	}
	b := &x.bags[x.n]
	x.n++
	b.id = id
	b.names = b.names[:0]
	return b
}

// A bag holds the features of one block: a hash table with open addressing, since a Go map costs
// more to clear and to fill for each document than the look-ups themselves.
type bag struct {
	id    blockID
	terms []term      // distinct, in order of first appearance; of a number or a category a single one
	slots []uint32    // 1 + the index in terms, and 0 where free; their number is a power of 2
	buf   text.Buffer // the analyzed text, which has the names of its terms
	names []byte      // the names of the other terms

	batch sparse.Batch // is scratch of scoring
}

// A term is a feature of a document. If id is 0, it is known by its key and name. Otherwise it is
// row id-1 of the block's table, as the terms of a [Corpus] are.
type term struct {
	key   intern.Key
	name  []byte
	value float64
	id    int32
}

// extract returns the features of d. Values of [Term] with one name add up; of other attributes of
// one kind and name the first that is not missing counts.
func (e *extractor) extract(d Document) *features {
	e.x.clear()
	if e.x.bags == nil {
		e.x.bags = make([]bag, 0, 1+min(len(d.Attrs), few))
	}
	main := e.x.next(blockID{})
	a := e.space.analyzer()
	a.Analyze(&main.buf, d.Text)
	main.reset(main.buf.Len() + len(d.Attrs))
	main.addTokens(e.space)
	for i := range d.Attrs {
		e.attribute(&d.Attrs[i])
	}
	e.x.bags[0].finish(e.space) // not main: adding attributes may have moved the bags
	return &e.x
}

// maxNumber is the largest number that counts, so that no square overflows. A
// larger one, or none at all (NaN), is missing.
const maxNumber = 1e150

// attribute adds one attribute of a document.
func (e *extractor) attribute(a *Attr) {
	if a.kind != textAttr && a.kind != categoryAttr && !(math.Abs(a.num) <= maxNumber) {
		return
	}
	// Terms that were counted elsewhere belong to the main text.
	if a.kind == termAttr {
		e.x.bags[0].addTerm(e.space, a.Name, a.num)
		return
	}
	// Of several attributes with one name the first counts.
	id := blockID{a.kind, a.Name}
	if e.x.of(id) != nil {
		return
	}
	b := e.x.next(id)
	switch a.kind {
	case textAttr:
		e.space.analyzer().Analyze(&b.buf, a.str)
		b.reset(b.buf.Len())
		b.addTokens(e.space)
		b.finish(e.space)
	case numberAttr:
		b.reset(1)
		b.addNamed(a.Name, a.num)
	case categoryAttr:
		b.reset(1)
		b.addNamed(a.str, 1)
	}
}

// named returns features of the main text that the caller has extracted. As in a text, a value of
// zero is none.
func (e *extractor) named(list []feature.Feature) *features {
	e.x.clear()
	b := e.x.next(blockID{})
	b.reset(len(list))
	for _, f := range list {
		if f.Value != 0 {
			b.addNamed(f.Name, f.Value)
		}
	}
	return &e.x
}

// reset empties b and makes room for n terms.
func (b *bag) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(b.slots) < size {
		b.slots = make([]uint32, size)
	}
	b.slots = b.slots[:size]
	clear(b.slots)
	b.terms = b.terms[:0]
}

// addTokens adds the tokens of the text that was analyzed.
func (b *bag) addTokens(s *Space) {
	if s.HashBits > 0 {
		for i := range b.buf.Len() {
			b.addColumn(s, b.buf.Term(i), 1)
		}
		return
	}
	for i := range b.buf.Len() {
		t := b.buf.Term(i)
		b.add(intern.KeyOf(t), t, 1)
	}
}

// addColumn adds v to the value of the column that term is hashed to.
func (b *bag) addColumn(s *Space, term []byte, v float64) {
	start := len(b.names)
	b.names = s.column(b.names, term)
	t := b.names[start:]
	b.add(intern.KeyOf(t), t, v)
}

// addTerm adds v to the value of a term that was given by [Term], and not cut from a text.
func (b *bag) addTerm(s *Space, name string, v float64) {
	if s.HashBits > 0 {
		b.addColumn(s, []byte(name), v)
		return
	}
	b.addNamed(name, v)
}

// addNamed adds v to the value of the term called name.
func (b *bag) addNamed(name string, v float64) {
	start := len(b.names)
	b.names = append(b.names, name...)
	t := b.names[start:]
	b.add(intern.KeyOf(t), t, v)
}

// add adds v to the value of the term t, whose key is k, and adds the term if b lacks it.
func (b *bag) add(k intern.Key, t []byte, v float64) {
	mask := uint64(len(b.slots) - 1)
	i := k.Hash() & mask
	for ; b.slots[i] != 0; i = (i + 1) & mask {
		if f := &b.terms[b.slots[i]-1]; f.key == k && (k.Exact() || bytes.Equal(f.name, t)) {
			f.value += v
			return
		}
	}
	n := len(b.terms)
	b.terms = slices.Grow(b.terms, 1)[:n+1]
	f := &b.terms[n] // set field by field: a literal would be built elsewhere first and copied
	f.key, f.name, f.value, f.id = k, t, v, 0
	b.slots[i] = uint32(n + 1)
}

// finish works out the values of a text's terms from how often they occur, and drops those that are
// zero.
func (b *bag) finish(s *Space) {
	kept, subword := 0, s.subwordWeight()
	for i := range b.terms {
		t := &b.terms[i]
		t.value = s.weigh(t)
		if subword != 1 && text.IsSubword(t.name) {
			t.value *= subword
		}
		if t.value == 0 {
			continue
		}
		if kept < i {
			b.terms[kept] = *t
		}
		kept++
	}
	b.terms = b.terms[:kept]
	if s.Norm != "" {
		b.scale(s.Norm)
	}
}

// weigh returns the value of a term that occurs t.value times.
func (s *Space) weigh(t *term) float64 {
	v := t.value
	if s.Binary && v > 0 {
		v = 1
	}
	if s.Log && v > 0 {
		v = 1 + math.Log(v)
	}
	if s.IDF != nil {
		v *= s.IDF.Weight(t.name)
	}
	return v
}

// scale divides the terms by their length.
func (b *bag) scale(n feature.Norm) {
	var length float64
	for _, t := range b.terms {
		if n == feature.L1 {
			length += math.Abs(t.value)
		} else {
			length += t.value * t.value
		}
	}
	if n == feature.L2 {
		length = math.Sqrt(length)
	}
	for i := range b.terms {
		b.terms[i].value /= length
	}
}

// AppendFeatures appends the features of d to dst, sorted by name.
func (s *Space) AppendFeatures(dst []feature.Feature, d Document) []feature.Feature {
	x := newExtractor(s).extract(d)
	start := len(dst)
	for _, b := range x.bags[:x.n] {
		for _, f := range b.terms {
			dst = append(dst, feature.Feature{Name: b.id.feature(string(f.name)), Value: f.value})
		}
	}
	slices.SortFunc(dst[start:], func(a, b feature.Feature) int { return strings.Compare(a.Name, b.Name) })
	return dst
}
