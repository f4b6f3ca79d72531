// Package feature turns terms into numbers.
//
// A [Feature] is one named quantity of a document. A [Vocabulary] gives each
// term a column, in the order in which the terms were first seen, as textbooks
// draw a bag of words:
//
//	var v feature.Vocabulary
//	for _, term := range []string{"John", "really", "loves", "this", "movie"} {
//		v.Add(term)
//	}
//	v.Vector(nil, "loves", "movie", "movie") // [0 0 1 0 2]
package feature

import (
	"iter"
	"slices"
)

// A Feature is one named quantity of a document.
type Feature struct {
	Name  string
	Value float64
}

// A Vocabulary numbers terms in the order in which they were first added. The
// zero Vocabulary is empty and ready to use.
type Vocabulary struct {
	terms []string
	index map[string]int
}

// Add returns the index of term, adding it if it is new.
func (v *Vocabulary) Add(term string) int {
	if i, ok := v.index[term]; ok {
		return i
	}
	if v.index == nil {
		v.index = make(map[string]int)
	}
	v.index[term] = len(v.terms)
	v.terms = append(v.terms, term)
	return len(v.terms) - 1
}

// Index returns the index of term, and whether it has one.
func (v *Vocabulary) Index(term string) (int, bool) {
	i, ok := v.index[term]
	return i, ok
}

// Len returns how many terms there are.
func (v *Vocabulary) Len() int { return len(v.terms) }

// All iterates over the terms in order.
func (v *Vocabulary) All() iter.Seq2[int, string] { return slices.All(v.terms) }

// Vector appends the bag of words of terms to dst: how often each term of v
// occurs in them, one number a term of v. Terms that v lacks are left out. Of a
// single term it is the one-hot vector.
func (v *Vocabulary) Vector(dst []float64, terms ...string) []float64 {
	start := len(dst)
	dst = append(dst, make([]float64, len(v.terms))...)
	for _, term := range terms {
		if i, ok := v.index[term]; ok {
			dst[start+i]++
		}
	}
	return dst
}
