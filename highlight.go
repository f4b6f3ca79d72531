package bayes

import (
	"cmp"
	"math"
	"slices"
)

// A Span is a part of a text and what it adds to the log-odds.
type Span struct {
	Text    string
	LogOdds float64 // of the terms that cover it
}

// Highlights cuts the main text of the explained document where terms begin and end, so that
//
//	the spans, one after the other = text.
//
// A term that stands in n places adds 1/n of its log-odds to each. Where terms overlap, as
// n-grams do, they add up; infinities of both signs make 0.
func (ex *Explanation) Highlights(text string) []Span {
	var ends []termEnd
	for _, f := range ex.Features {
		share := f.LogOdds / float64(max(1, len(f.Where)))
		for _, t := range f.Where {
			if t.Start < t.End && t.End <= len(text) {
				ends = append(ends, termEnd{t.Start, +1, share}, termEnd{t.End, -1, share})
			}
		}
	}
	// Sweep over the text: between two ends the same terms cover it.
	slices.SortStableFunc(ends, func(a, b termEnd) int { return cmp.Compare(a.at, b.at) })
	var (
		list []Span
		over overlap
		from int
	)
	for _, e := range append(ends, termEnd{at: len(text)}) {
		if e.at > from {
			list = append(list, Span{text[from:e.at], over.logOdds()})
			from = e.at
		}
		over.add(e)
	}
	return list
}

// A termEnd is where a term begins, with sign 1, or ends, with sign -1.
type termEnd struct {
	at      int
	sign    int
	logOdds float64
}

// An overlap is the terms that cover a place. Infinite ones are counted apart, so that they can
// be taken out again.
type overlap struct {
	terms, plus, minus int
	finite             float64
}

func (o *overlap) add(e termEnd) {
	o.terms += e.sign
	switch {
	case math.IsInf(e.logOdds, 1):
		o.plus += e.sign
	case math.IsInf(e.logOdds, -1):
		o.minus += e.sign
	default:
		o.finite += float64(e.sign) * e.logOdds
	}
	if o.terms == 0 {
		o.finite = 0 // rounding may have left a remainder
	}
}

func (o *overlap) logOdds() float64 {
	switch {
	case o.plus > 0 && o.minus > 0:
		return 0
	case o.plus > 0:
		return math.Inf(1)
	case o.minus > 0:
		return math.Inf(-1)
	}
	return o.finite
}
