package feature

import (
	"maps"
	"math"
	"slices"
)

// An IDF weighs terms by how few documents have them. It is frozen: computed
// once from document counts, and then part of the Space that uses it.
type IDF struct{ weights map[string]float64 }

// NewIDF returns the inverse document frequencies of terms, given the
// number of documents, and for each term how many of them have it. Smooth adds a document that has
// every term, as scikit-learn does by default:
//
//	idf(t) = ln((1 + n) / (1 + df(t))) + 1, or unsmoothed ln(n / df(t)) + 1
func NewIDF(documents int64, df map[string]int64, smooth bool) *IDF {
	idf := &IDF{make(map[string]float64, len(df))}
	extra := 0.0
	if smooth {
		extra = 1
	}
	for term, n := range df {
		if n > 0 {
			idf.weights[term] = math.Log((float64(documents)+extra)/(float64(n)+extra)) + 1
		}
	}
	return idf
}

// WeightsIDF returns the IDF with these weights, which it takes over.
func WeightsIDF(weights map[string]float64) *IDF { return &IDF{weights} }

// Weight returns the weight of a term, zero if no document had it.
func (idf *IDF) Weight(term []byte) float64 { return idf.weights[string(term)] }

// Terms returns the terms that have a weight, sorted.
func (idf *IDF) Terms() []string { return slices.Sorted(maps.Keys(idf.weights)) }

// Size returns how many bytes these terms have together; of a nil IDF zero.
func (idf *IDF) Size() (n int) {
	if idf == nil {
		return 0
	}
	for term := range idf.weights {
		n += len(term)
	}
	return n
}

// Equal reports whether idf and o give every term the same weight. Both may be
// nil.
func (idf *IDF) Equal(o *IDF) bool {
	if idf == nil || o == nil {
		return idf == o
	}
	return maps.Equal(idf.weights, o.weights)
}
