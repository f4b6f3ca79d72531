package eval

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"bayes/internal/decision"
)

// pseudoPositives is how many examples that labels about as frequent have on average are added to those that a label has,
// where its cutoff is chosen; and about as frequent is a factor of 2^spreadOctaves. Both were chosen by cross-validation on
// the training part of Reuters-21578.
const pseudoPositives, spreadOctaves = 15, 1.5

// Cutoffs returns the log-odds from which on each label is given, in the form that [bayes.Calibrated] has them, those
// of the best F1 on the examples tested, or, with a MissCost, of the least cost.
//
// A rare label has too few examples to tell: the best cutoff for them is often that of one document, and best by
// chance (Yang 2001, "A study of thresholding strategies for text categorization"). So each label has some examples
// more, which are as those of labels are on average that are about as frequent: with TP(l,t) of PP(l,t) documents at or
// above a cutoff t rightly given label l, which P(l) examples have,
//
//	F1(l,t) = 2·(TP(l,t) + a·n(t)) / (PP(l,t) + a·m(t) + P(l) + a),  a = 15,
//	n(t) = Σ w(k)·TP(k,t) / Σ w(k)·P(k),  m(t) = Σ w(k)·PP(k,t) / Σ w(k)·P(k),
//
// over all labels k that examples have, where w(k) is the normal density of the binary logarithm of P(k) around that of P(l),
// with a standard deviation of 1.5; both are rounded to quarters.
//
// The cutoff of the empty label is how far below its cutoff the nearest label may be to be given to a document that has
// reached none: that of the best micro F1, or the least cost. Where no such label is worth it, there is none.
func (s *SetScores) Cutoffs() map[string]float64 {
	return s.cutoffs(func(int) bool { return true })
}

// cutoffs returns those of the examples of some of those tested.
func (s *SetScores) cutoffs(of func(i int) bool) map[string]float64 {
	c := s.cutoffCurves(of)
	if len(c.grid) == 0 {
		return nil // no example has a label
	}
	average := c.averages()
	chosen := make([]float64, len(s.Classes))
	for k := range chosen {
		best, most := 0, math.Inf(-1)
		for g, like := range average[octave(c.actual[k])] {
			own := c.given[k][g]
			worth := s.worth(own.both+pseudoPositives*like.both, own.predicted+pseudoPositives*like.predicted, c.actual[k]+pseudoPositives)
			if worth > most {
				best, most = g, worth
			}
		}
		chosen[k] = c.grid[best]
	}
	// The scores of other documents lie between those of these: a cutoff is halfway to the next score below.
	below := slices.Repeat([]float64{math.Inf(-1)}, len(chosen))
	for i := range s.each(of) {
		for k, odds := range s.LogOdds(i) {
			if odds < chosen[k] {
				below[k] = max(below[k], odds)
			}
		}
	}
	cutoffs := make(map[string]float64)
	for k, label := range s.Classes {
		if !math.IsInf(below[k], 0) {
			chosen[k] = chosen[k]/2 + below[k]/2
		}
		cutoffs[label] = round(chosen[k], 6)
	}
	if beyond, ok := s.nearest(of, cutoffs); ok {
		cutoffs[""] = round(beyond, 6)
	}
	return cutoffs
}

// worth returns F1, or with a MissCost less than no cost, given how many labels are given rightly, how many are given, and how
// many examples have.
func (s *SetScores) worth(both, given, actual float64) float64 {
	if s.MissCost == 0 {
		return ratio(2*both, given+actual)
	}
	return (both - given) + s.MissCost*(both-actual)
}

// nearest returns how far below its cutoff the nearest label of a document is to be given if none reaches its own, and whether
// one is.
func (s *SetScores) nearest(of func(i int) bool, cutoffs map[string]float64) (beyond float64, ok bool) {
	type near struct {
		beyond float64
		right  bool
	}
	cutoffs = maps.Clone(cutoffs)
	cutoffs[""] = math.Inf(-1) // however far it is
	rule := decision.New(decision.Settings{Cutoffs: cutoffs}, s.Classes)
	var list []near
	var both, given, actual float64 // labels: see worth
	for i := range s.each(of) {
		odds, before := s.LogOdds(i), given
		actual += float64(len(s.Truth[i]))
		for k, v := range odds {
			if v >= rule.LabelCutoff(k) {
				if given++; slices.Contains(s.Truth[i], k) {
					both++
				}
			}
		}
		if best := rule.Nearest(odds); given == before && best != decision.None {
			list = append(list, near{odds[best] - rule.LabelCutoff(best), slices.Contains(s.Truth[i], best)})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Compare(b.beyond, a.beyond) })
	most := s.worth(both, given, actual)
	for n, l := range list {
		if given++; l.right {
			both++
		}
		last, worth := n+1 == len(list), s.worth(both, given, actual)
		if !last && l.beyond-list[n+1].beyond < 1e-5 || worth <= most { // what is closer, rounding does not part
			continue
		}
		most, ok = worth, true
		if beyond = l.beyond - 1; !last { // the unit is a margin's
			beyond = l.beyond/2 + list[n+1].beyond/2
		}
	}
	return beyond, ok
}

// each yields the examples that were tested of some.
func (s *SetScores) each(of func(i int) bool) func(yield func(i int) bool) {
	return func(yield func(i int) bool) {
		for i, f := range s.Fold {
			if f >= 0 && of(i) && !yield(i) {
				return
			}
		}
	}
}
