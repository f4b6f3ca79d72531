package correction

import "math"

// Lengths are the squared lengths of a document's words and of its subwords.
type Lengths struct{ words, subwords float64 }

func (n *Lengths) of(subword bool) *float64 {
	if subword {
		return &n.subwords
	}
	return &n.words
}

// Add adds a value, and returns it.
func (n *Lengths) Add(subword bool, v float64) float64 {
	*n.of(subword) += v * v
	return v
}

// Divide returns v divided by the length that it is part of.
func (n *Lengths) Divide(subword bool, v float64) float64 {
	if squared := *n.of(subword); squared > 0 {
		return v / math.Sqrt(squared)
	}
	return v
}

// Dampened returns 1 + ln v, and below 1, where that would be less, v itself.
func Dampened(v float64) float64 {
	if v <= 1 {
		return v
	}
	return 1 + math.Log(v)
}
