package bayes

import (
	"bytes"

	"bayes/feature"
	"bayes/internal/intern"
	"bayes/text"
)

// An extractor turns documents into features. It is reused from document to
// document, so that extracting allocates nothing once it has grown; it is for
// one goroutine.
type extractor struct {
	space *Space
	buf   text.Buffer
	names []byte // of the terms that came as attributes
	x     features
}

func newExtractor(s *Space) *extractor { return &extractor{space: s} }

// features are what a document is made of, valid until the next extraction.
type features struct {
	terms []term // distinct, in order of first appearance
	slots []uint32
}

// A term is a feature with its hash.
type term struct {
	hash  uint64
	name  []byte
	value float64
}

// extract returns the features of d.
func (e *extractor) extract(d Document) *features {
	e.space.analyzer().Analyze(&e.buf, d.Text)
	n := e.buf.Len()
	e.x.reset(n + len(d.Attrs))
	for i := range n {
		b := e.buf.Term(i)
		e.x.add(intern.Hash(b), b, 1)
	}
	e.names = e.names[:0]
	for _, a := range d.Attrs {
		if a.kind == termAttr {
			start := len(e.names)
			e.names = append(e.names, a.Name...)
			b := e.names[start:]
			e.x.add(intern.Hash(b), b, a.num)
		}
	}
	e.x.finish(e.space)
	return &e.x
}

// named returns features that have already been extracted.
func (e *extractor) named(list []feature.Feature) *features {
	e.x.reset(len(list))
	for _, f := range list {
		b := []byte(f.Name)
		e.x.add(intern.Hash(b), b, f.Value)
	}
	return &e.x
}

// reset empties x and makes room for n terms.
func (x *features) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(x.slots) < size {
		x.slots = make([]uint32, size)
	}
	x.slots = x.slots[:size]
	clear(x.slots)
	x.terms = x.terms[:0]
}

// add adds v to the value of the term b, whose hash is h.
func (x *features) add(h uint64, b []byte, v float64) {
	mask := uint64(len(x.slots) - 1)
	i := h & mask
	for ; x.slots[i] != 0; i = (i + 1) & mask {
		if t := &x.terms[x.slots[i]-1]; t.hash == h && bytes.Equal(t.name, b) {
			t.value += v
			return
		}
	}
	x.terms = append(x.terms, term{h, b, v})
	x.slots[i] = uint32(len(x.terms))
}

// finish applies what the space does to a document's terms as a whole, and
// drops those that came to zero.
func (x *features) finish(s *Space) {
	kept := x.terms[:0]
	for _, t := range x.terms {
		if s.Binary && t.value > 0 {
			t.value = 1
		}
		if t.value != 0 {
			kept = append(kept, t)
		}
	}
	x.terms = kept
}
