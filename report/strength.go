package report

import (
	"math"
	"strconv"

	"bayes"
)

// A scale says how strongly log-odds are coloured: it is the largest of those that
// are shown together, so that where all are small the largest still stand out.
type scale float64

// cover makes sure that v is not beyond the scale. Infinities are beyond any.
func (s *scale) cover(v float64) {
	if !math.IsInf(v, 0) && math.Abs(v) > float64(*s) {
		*s = scale(math.Abs(v))
	}
}

// level returns how strong v is, from 0 to 5.
func (s scale) level(v float64) int {
	switch {
	case math.IsNaN(v) || v == 0:
		return 0
	case math.Abs(v) >= float64(s):
		return 5
	}
	return int(math.Round(5 * math.Abs(v) / float64(s)))
}

// class returns the CSS classes of evidence for a class, or against it.
func (s scale) class(v float64) string {
	if v < 0 {
		return "against s" + strconv.Itoa(s.level(v))
	}
	return "for s" + strconv.Itoa(s.level(v))
}

// A stretch is a part of a text with its colour. Without a Class it has none.
type stretch struct{ Text, Class, Title string }

// highlighted returns the main text of an explanation with its terms coloured, and
// the scale of the colours. Neighbours of no colour are joined.
func highlighted(text string, ex *bayes.Explanation) ([]stretch, scale) {
	var s scale
	for _, f := range ex.Features {
		s.cover(f.LogOdds)
	}
	var list []stretch
	for _, part := range ex.Highlights(text) {
		if s.level(part.LogOdds) > 0 {
			list = append(list, stretch{part.Text, s.class(part.LogOdds), signed(part.LogOdds)})
		} else if n := len(list); n > 0 && list[n-1].Class == "" {
			list[n-1].Text += part.Text
		} else {
			list = append(list, stretch{Text: part.Text})
		}
	}
	return list, s
}
