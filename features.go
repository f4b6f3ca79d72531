package bayes

import (
	"math"
	"slices"
	"strings"

	"bayes/feature"
	"bayes/internal/bags"
)

// An extractor turns documents into features. It reuses its memory from document to document, so
// that extracting allocates nothing once it has grown. It is for one goroutine.
type extractor struct {
	space     *Space
	column    bags.Column // nil unless terms are hashed
	weighting bags.Weighting
	x         features
	joint     []float64 // scratch of predictions
	logP      []float64
	order     []int32
}

func newExtractor(s *Space) *extractor {
	e := &extractor{space: s, weighting: s.weighting()}
	if s.HashBits > 0 {
		e.column = s.column
	}
	return e
}

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
		n += len(x.bags[i].Terms)
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
	b.Drop()
	return b
}

// A bag holds the features of one block.
type bag struct {
	id blockID
	bags.Bag
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
	a.Analyze(&main.Text, d.Text)
	main.Reset(main.Text.Len() + len(d.Attrs))
	main.AddTokens(e.column)
	for i := range d.Attrs {
		e.attribute(&d.Attrs[i])
	}
	e.x.bags[0].Weigh(&e.weighting) // not main: adding attributes may have moved the bags
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
		e.x.bags[0].AddTerm(e.column, a.Name, a.num)
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
		e.space.analyzer().Analyze(&b.Text, a.str)
		b.Reset(b.Text.Len())
		b.AddTokens(e.column)
		b.Weigh(&e.weighting)
	case numberAttr:
		b.Reset(1)
		b.AddNamed(a.Name, a.num)
	case categoryAttr:
		b.Reset(1)
		b.AddNamed(a.str, 1)
	}
}

// named returns features of the main text that the caller has extracted. As in a text, a value of
// zero is none.
func (e *extractor) named(list []feature.Feature) *features {
	e.x.clear()
	b := e.x.next(blockID{})
	b.Reset(len(list))
	for _, f := range list {
		if f.Value != 0 {
			b.AddNamed(f.Name, f.Value)
		}
	}
	return &e.x
}

// AppendFeatures appends the features of d to dst, sorted by name.
func (s *Space) AppendFeatures(dst []feature.Feature, d Document) []feature.Feature {
	start := len(dst)
	dst = newExtractor(s).extract(d).appendTo(dst)
	slices.SortFunc(dst[start:], func(a, b feature.Feature) int { return strings.Compare(a.Name, b.Name) })
	return dst
}

func (x *features) appendTo(dst []feature.Feature) []feature.Feature {
	for _, b := range x.bags[:x.n] {
		for _, f := range b.Terms {
			dst = append(dst, feature.Feature{Name: b.id.feature(string(f.Name)), Value: f.Value})
		}
	}
	return dst
}
