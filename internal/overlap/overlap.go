// Package overlap adds up what covers the places of a text.
package overlap

import (
	"cmp"
	"math"
	"slices"
)

// A Cover adds a value to what is between two places.
type Cover struct {
	Start, End int
	Value      float64
}

// A Piece is what the same covers lie over, and their sum.
type Piece struct {
	Start, End int
	Sum        float64
}

// Cut cuts what is between 0 and n where covers begin and end. Infinities of both signs make 0.
func Cut(n int, covers []Cover) []Piece {
	var ends []end
	for _, c := range covers {
		if c.Start < c.End && c.End <= n {
			ends = append(ends, end{c.Start, +1, c.Value}, end{c.End, -1, c.Value})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.at, b.at) })
	var (
		list []Piece
		over sum
		from int
	)
	for _, e := range append(ends, end{at: n}) {
		if e.at > from {
			list = append(list, Piece{from, e.at, over.value()})
			from = e.at
		}
		over.add(e)
	}
	return list
}

// An end is where a cover begins, with sign 1, or ends, with sign -1.
type end struct {
	at, sign int
	value    float64
}

// A sum is that of what covers a place. Infinite ones are counted apart, so that they can
// be taken out again.
type sum struct {
	covers, plus, minus int
	finite              float64
}

func (s *sum) add(e end) {
	s.covers += e.sign
	switch {
	case math.IsInf(e.value, 1):
		s.plus += e.sign
	case math.IsInf(e.value, -1):
		s.minus += e.sign
	default:
		s.finite += float64(e.sign) * e.value
	}
	if s.covers == 0 {
		s.finite = 0 // rounding may have left a remainder
	}
}

func (s *sum) value() float64 {
	switch {
	case s.plus > 0 && s.minus > 0:
		return 0
	case s.plus > 0:
		return math.Inf(1)
	case s.minus > 0:
		return math.Inf(-1)
	}
	return s.finite
}
