// Package tfidf has the values that corrections multiply: (1 + ln tf)·idf, where those of a document's
// words have length one together, and those of its subwords too.
package tfidf

import "math"

// Dampened returns 1 + ln v, and below 1, where that would be less, v itself.
func Dampened(v float64) float64 {
	if v > 1 {
		return dampened(v)
	}
	return v
}

func dampened(v float64) float64 {
	if i := int(v); i < len(known) && float64(i) == v {
		return known[i]
	}
	return 1 + math.Log(v)
}

// known are 1 + ln i, since most terms occur a few times at most.
var known = func() (list [64]float64) {
	for i := range list {
		list[i] = 1 + math.Log(float64(i))
	}
	return list
}()

// Value returns the value of a term, before it is divided by a length. It occurs v times, and times is its
// idf; or, of a subword, which counts only weight, the negative of idf / weight.
func Value(v, times, weight float64) float64 {
	if times < 0 {
		v, times = v/weight, -times
	}
	return Dampened(v) * times
}

// Lengths are the squares of the lengths of a document's words and of its subwords.
type Lengths struct {
	Weight          float64 // what a subword counts
	words, subwords float64
}

func (l *Lengths) of(times float64) *float64 {
	if times < 0 {
		return &l.subwords
	}
	return &l.words
}

// Add adds a value, and returns it: see [Value].
func (l *Lengths) Add(v, times float64) float64 {
	v = Value(v, times, l.Weight)
	*l.of(times) += v * v
	return v
}

// Divide returns a value of a term with this times divided by the length that it is part of.
func (l *Lengths) Divide(v, times float64) float64 { return v / Root(*l.of(times)) }

// Root returns the length whose square this is, and 1 if that is zero.
func Root(squared float64) float64 {
	if squared > 0 {
		return math.Sqrt(squared)
	}
	return 1
}
