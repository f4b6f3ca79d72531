// Package intervals cuts the values of a number where they tell most of the class (Fayyad and Irani 1993,
// "Multi-interval discretization of continuous-valued attributes").
package intervals

import (
	"math"
	"sort"
)

// A Value is a value of a number, and its weight in each class.
type Value struct {
	V      float64
	Weight []float64
}

// Cut returns the cuts that are worth making among values, which rise.
func Cut(values []Value) []float64 { return appendCuts(nil, values) }

func appendCuts(cuts []float64, values []Value) []float64 {
	at, ok := bestCut(values)
	if !ok {
		return cuts
	}
	cuts = appendCuts(cuts, values[:at])
	cuts = append(cuts, Middle(values[at-1].V, values[at].V))
	return appendCuts(cuts, values[at:])
}

// Middle returns a number above a and at most b.
func Middle(a, b float64) float64 {
	if m := a/2 + b/2; m > a {
		return m
	}
	return b
}

// bestCut returns before which of the values the best cut is, and whether it is worth making.
func bestCut(values []Value) (at int, ok bool) {
	if len(values) < 2 {
		return 0, false
	}
	all := make([]float64, len(values[0].Weight))
	for _, v := range values {
		for k, w := range v.Weight {
			all[k] += w
		}
	}
	// Move one value after the other from the right half to the left, and keep the cut of least
	// entropy and what it costs to write down.
	n, entropy, classes := information(all)
	left, right := make([]float64, len(all)), append([]float64(nil), all...)
	least, price := math.Inf(1), 0.0
	for i, v := range values[:len(values)-1] {
		for k, w := range v.Weight {
			left[k] += w
			right[k] -= w
		}
		n1, e1, k1 := information(left)
		n2, e2, k2 := information(right)
		if e := (n1*e1 + n2*e2) / n; e < least {
			least, at = e, i+1
			price = math.Log2(math.Pow(3, classes)-2) - (classes*entropy - k1*e1 - k2*e2)
		}
	}
	return at, n > 1 && entropy-least > (math.Log2(n-1)+price)/n
}

// information returns the weight of a distribution over classes, its entropy in bits, and how
// many classes it has.
func information(weights []float64) (n, entropy, classes float64) {
	for _, w := range weights {
		n += w
	}
	for _, w := range weights {
		if w > 1e-9 {
			classes++
			entropy -= w / n * math.Log2(w/n)
		}
	}
	return n, entropy, classes
}

// Of returns the number of the interval that v is in, which is below the first cut that is larger.
func Of(v float64, cuts []float64) int {
	return sort.Search(len(cuts), func(i int) bool { return cuts[i] > v })
}

// Count returns the weight of values by interval and class, and by class alone. There is at least one value.
func Count(values []Value, cuts []float64) (bins [][]float64, totals []float64) {
	totals = make([]float64, len(values[0].Weight))
	for range len(cuts) + 1 {
		bins = append(bins, make([]float64, len(totals)))
	}
	for _, v := range values {
		for k, w := range v.Weight {
			bins[Of(v.V, cuts)][k] += w
			totals[k] += w
		}
	}
	return bins, totals
}
