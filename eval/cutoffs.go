package eval

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"bayes/internal/calibration"

	"gonum.org/v1/gonum/floats"
)

// A Cutoff is the log-odds of a label against all others that it takes for a document to be given the
// label. It is chosen so that of the examples held out that are not of the label, at most a share is
// given it. A prediction whose best class is below its cutoff is unsure.
type Cutoff struct {
	Label   string
	LogOdds float64
	MaxFPR  float64 // the share of the others that may be given the label
	Others  int     // examples held out that are not of the label
	Given   int     // and those of them that are given it
	Own     int     // examples held out of the label
	Missed  int     // and those of them that are not given it
}

// Shows reports whether the examples held out are enough to show such a share: of n others, the
// smallest but none is 1/n.
func (c Cutoff) Shows() bool { return c.MaxFPR*float64(c.Others) >= 1 }

// LogOddsByLabel returns the log-odds of cutoffs in the form that [bayes.Calibrated] has them.
func LogOddsByLabel(cutoffs []Cutoff) map[string]float64 {
	odds := make(map[string]float64)
	for _, c := range cutoffs {
		odds[c.Label] = c.LogOdds
	}
	return odds
}

// Cutoffs returns the lowest cutoff of each label of maxFPR, sorted, that gives it to at most that
// share of the other examples that were tested. Scores are those of the event model that the cutoffs
// are for, before any calibration.
func (s *Scores) Cutoffs(maxFPR map[string]float64) ([]Cutoff, error) {
	var cutoffs []Cutoff
	for _, label := range slices.Sorted(maps.Keys(maxFPR)) {
		k := slices.Index(s.Classes, label)
		switch rate := maxFPR[label]; {
		case k < 0:
			return nil, fmt.Errorf("%q is none of the classes %q", label, s.Classes)
		case len(s.Classes) < 2:
			return nil, errors.New("there is one class only: nothing to keep from it")
		case !(rate >= 0 && rate < 1):
			return nil, fmt.Errorf("%q: a share of %v: want a number from 0 to less than 1", label, rate)
		}
		c, err := s.cutoff(k, maxFPR[label])
		if err != nil {
			return nil, err
		}
		cutoffs = append(cutoffs, c)
	}
	return cutoffs, nil
}

// cutoff returns that of class k. It is just above the log-odds of the first of the others, most
// probable first, that must not be given the label.
func (s *Scores) cutoff(k int, maxFPR float64) (Cutoff, error) {
	c := Cutoff{Label: s.Classes[k], MaxFPR: maxFPR}
	var others []float64
	for _, i := range s.tested() {
		if s.Truth[i] != k {
			others = append(others, s.logOdds(i, k))
		}
	}
	if len(others) == 0 {
		return c, fmt.Errorf("no example held out is other than %q", c.Label)
	}
	slices.SortFunc(others, func(a, b float64) int { return cmp.Compare(b, a) }) // NaN is the least
	allowed := int(maxFPR * float64(len(others)) * (1 + 1e-12))                  // which makes up for rounding
	c.LogOdds = justAbove(others[min(allowed, len(others)-1)])
	for _, i := range s.tested() {
		given := floats.MaxIdx(s.LogP(i)) == k && calibration.Reaches(s.logOdds(i, k), c.LogOdds)
		switch {
		case s.Truth[i] == k:
			c.Own++
			if !given {
				c.Missed++
			}
		default:
			c.Others++
			if given {
				c.Given++
			}
		}
	}
	return c, nil
}

// logOdds returns the log-odds of class k for example i against all other classes.
func (s *Scores) logOdds(i, k int) float64 { return calibration.LogOddsOf(s.LogP(i), k) }

// justAbove returns a number of seven digits above v.
func justAbove(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	if math.IsInf(v, 0) {
		return v
	}
	above := round(v+math.Abs(v)*1e-6, 7)
	for above <= v {
		above = math.Nextafter(above, math.Inf(1))
	}
	return above
}

// CrossCutoffs returns s with predictions that are unsure where they are below the cutoffs of the
// other four fifths of the examples, so that what is measured of cutoffs is not what they were set by.
// The cutoffs are those of all, with what those of the others gave and missed.
func (s *Scores) CrossCutoffs(maxFPR map[string]float64) (*Scores, []Cutoff, error) {
	after := s.clone()
	after.unsure = make([]bool, len(s.Truth))
	all, err := s.Cutoffs(maxFPR)
	if err != nil {
		return nil, nil, err
	}
	for j := range all {
		all[j].Given, all[j].Missed = 0, 0
	}
	err = s.crossed(func(others *Scores, part []int) error {
		cutoffs, err := others.Cutoffs(maxFPR)
		if err != nil {
			return err
		}
		for _, i := range part {
			best := floats.MaxIdx(s.LogP(i))
			for j, c := range cutoffs {
				is, own := s.Classes[best] == c.Label, s.Classes[s.Truth[i]] == c.Label
				given := is && calibration.Reaches(s.logOdds(i, best), c.LogOdds)
				after.unsure[i] = after.unsure[i] || is && !given
				switch {
				case given && !own:
					all[j].Given++
				case own && !given:
					all[j].Missed++
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return after, all, nil
}
