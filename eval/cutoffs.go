package eval

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"bayes"
	"bayes/internal/calibration"
	"bayes/internal/decision"
)

// Goals are rates that the answers of a model are to keep, by label, and what they cost.
type Goals struct {
	MaxFPR    map[string]float64 // the share of the documents of other labels that may be given the label, in [0,1)
	MinRecall map[string]float64 // the share of its own documents that is to be given the label, in (0,1]

	// Costs and Reject are those of [bayes.Calibrated]: the answer is the one of least expected cost, by
	// probabilities that are calibrated. Nil means the most probable class.
	Costs  map[[2]string]float64
	Reject map[string]float64

	// Calibrated are the scores of the same examples after calibration, which expected costs are of. Nil means that there
	// is none.
	Calibrated *Scores
}

// rule returns what decides, with some cutoffs.
func (g Goals) rule(cutoffs []Cutoff, classes []string) *decision.Rule {
	em := Operate(bayes.Calibrated{}, cutoffs)
	return decision.New(decision.Settings{Cutoffs: em.Cutoffs, Overrides: em.Overrides, Costs: g.Costs, Reject: g.Reject}, classes)
}

// calibrated returns the scores after calibration, those of s if there is none.
func (g Goals) calibrated(s *Scores) *Scores { return cmp.Or(g.Calibrated, s) }

// A Cutoff is the log-odds of a label against all others from which a document is given the label. By
// MaxFPR it is one that the label needs although it is the best class: a prediction below it is unsure.
// By MinRecall it is enough although another class is more probable.
type Cutoff struct {
	Label     string
	LogOdds   float64
	MaxFPR    float64 // what was asked for; 0 of a cutoff by MinRecall
	MinRecall float64 // what was asked for; 0 of a cutoff by MaxFPR
	Promise   float64 // the share of others, or by MinRecall of its own, that holds with [Confidence]
	Others    int     // examples held out that are not of the label
	Given     int     // and those of them that are given it
	Own       int     // examples held out of the label
	Missed    int     // and those of them that are not given it
}

// Shows reports whether the examples held out are enough to promise the rate that was asked for.
func (c Cutoff) Shows() bool {
	if c.MinRecall > 0 {
		return c.Promise >= c.MinRecall
	}
	return c.Promise <= c.MaxFPR
}

// LogOddsByLabel returns the log-odds of cutoffs in the form that [bayes.Calibrated] has them.
func LogOddsByLabel(cutoffs []Cutoff) map[string]float64 {
	odds := make(map[string]float64)
	for _, c := range cutoffs {
		odds[c.Label] = c.LogOdds
	}
	return odds
}

// Operate returns em with cutoffs, and with what they promise.
func Operate(em bayes.Calibrated, cutoffs []Cutoff) bayes.Calibrated {
	byRecall := func(c Cutoff) bool { return c.MinRecall > 0 }
	em.Cutoffs = LogOddsByLabel(slices.DeleteFunc(slices.Clone(cutoffs), byRecall))
	em.Overrides = LogOddsByLabel(slices.DeleteFunc(slices.Clone(cutoffs), func(c Cutoff) bool { return !byRecall(c) }))
	em.Promises = make(map[string]float64)
	for _, c := range cutoffs {
		em.Promises[c.Label] = c.Promise
	}
	return em
}

// Cutoffs returns the cutoff of each label of maxFPR, sorted: those of [Scores.CutoffsFor] by MaxFPR alone.
func (s *Scores) Cutoffs(maxFPR map[string]float64) ([]Cutoff, error) {
	return s.CutoffsFor(Goals{MaxFPR: maxFPR})
}

// CutoffsFor returns a cutoff for each goal, sorted by label, of those by MaxFPR the lowest and of
// those by MinRecall the highest for which the examples tested show, with [Confidence], that the goal is kept.
// Where they are too few for that, it is the one for which they show most, and Promise says what. Scores are those of the
// event model that the cutoffs are for, before any calibration.
//
// A promise is of documents like those that were tested. It takes 2,995 of them to show a rate of
// 0.001 if none may be given the label. Two labels of MinRecall may both claim a document, which is
// then of the more probable one; Promise has taken that into account.
func (s *Scores) CutoffsFor(g Goals) ([]Cutoff, error) {
	if err := s.check(g); err != nil {
		return nil, err
	}
	var cutoffs []Cutoff
	for _, label := range slices.Sorted(maps.Keys(g.MaxFPR)) {
		c, err := s.byMaxFPR(label, g.MaxFPR[label])
		if err != nil {
			return nil, err
		}
		cutoffs = append(cutoffs, c)
	}
	for _, label := range slices.Sorted(maps.Keys(g.MinRecall)) {
		c, err := s.byMinRecall(label, g.MinRecall[label])
		if err != nil {
			return nil, err
		}
		cutoffs = append(cutoffs, c)
	}
	slices.SortStableFunc(cutoffs, func(a, b Cutoff) int { return cmp.Compare(a.Label, b.Label) })
	s.count(g, cutoffs, s.tested())
	for j, c := range cutoffs {
		if c.MinRecall > 0 && c.Missed > max(0, allowed(c.Own, 1-c.MinRecall)) { // another label claims some
			cutoffs[j].Promise = min(c.Promise, 1-roundUp(promised(c.Missed, c.Own), 3))
		}
	}
	return cutoffs, nil
}

// check returns an error if goals can be none of s.
func (s *Scores) check(g Goals) error {
	for label := range g.MinRecall {
		if _, both := g.MaxFPR[label]; both {
			return fmt.Errorf("%q: a largest share of others and a least recall: want one of the two", label)
		}
	}
	for _, goals := range []map[string]float64{g.MaxFPR, g.MinRecall} {
		for _, label := range slices.Sorted(maps.Keys(goals)) {
			switch {
			case !slices.Contains(s.Classes, label):
				return fmt.Errorf("%q is none of the classes %q", label, s.Classes)
			case len(s.Classes) < 2:
				return errors.New("there is one class only: nothing to keep from it")
			}
		}
	}
	return nil
}

// byMaxFPR returns the cutoff just above the log-odds of the first of the others, most probable first, that must
// not be given the label.
func (s *Scores) byMaxFPR(label string, rate float64) (Cutoff, error) {
	if !(rate >= 0 && rate < 1) {
		return Cutoff{}, fmt.Errorf("%q: a share of %v: want a number from 0 to less than 1", label, rate)
	}
	others := s.oddsOf(label, false)
	n := len(others)
	if n == 0 {
		return Cutoff{}, fmt.Errorf("no example held out is other than %q", label)
	}
	slices.SortFunc(others, func(a, b float64) int { return cmp.Compare(b, a) }) // NaN is the least
	c := Cutoff{Label: label, MaxFPR: rate, Promise: rate}
	k := allowed(n, rate)
	if k < 0 {
		k, c.Promise = 0, roundUp(promised(0, n), 3)
	}
	c.LogOdds = justAbove(others[k])
	return c, nil
}

// byMinRecall returns the cutoff just below the log-odds of the first of its own, least probable first,
// that has to be given the label.
func (s *Scores) byMinRecall(label string, rate float64) (Cutoff, error) {
	if !(rate > 0 && rate <= 1) {
		return Cutoff{}, fmt.Errorf("%q: a share of %v: want a number above 0 and up to 1", label, rate)
	}
	own := s.oddsOf(label, true)
	n := len(own)
	if n == 0 {
		return Cutoff{}, fmt.Errorf("no example held out is of %q", label)
	}
	for i, v := range own {
		if math.IsNaN(v) { // is as good as impossible
			own[i] = math.Inf(-1)
		}
	}
	slices.Sort(own)
	c := Cutoff{Label: label, MinRecall: rate, Promise: rate}
	k := allowed(n, 1-rate)
	if k < 0 {
		k, c.Promise = 0, 1-roundUp(promised(0, n), 3)
	}
	c.LogOdds = -justAbove(-own[k])
	return c, nil
}

// oddsOf returns the log-odds of a label for the examples tested that are of it, or that are not.
func (s *Scores) oddsOf(label string, own bool) []float64 {
	k := slices.Index(s.Classes, label)
	var odds []float64
	for _, i := range s.tested() {
		if (s.Truth[i] == k) == own {
			odds = append(odds, s.logOdds(i, k))
		}
	}
	return odds
}

// count adds to what cutoffs give and miss of some examples, and returns the answers to these.
func (s *Scores) count(g Goals, cutoffs []Cutoff, examples []int) []verdict {
	rule := g.rule(cutoffs, s.Classes)
	var verdicts []verdict
	for _, i := range examples {
		v := s.decide(rule, i, g.calibrated(s).LogP(i))
		verdicts = append(verdicts, v)
		for j := range cutoffs {
			c := &cutoffs[j]
			given := v.class != decision.None && s.Classes[v.class] == c.Label
			switch own := s.Classes[s.Truth[i]] == c.Label; {
			case own && given:
				c.Own++
			case own:
				c.Own++
				c.Missed++
			case given:
				c.Others++
				c.Given++
			default:
				c.Others++
			}
		}
	}
	return verdicts
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

// CrossCutoffs is [Scores.CrossDecide] by MaxFPR alone.
func (s *Scores) CrossCutoffs(maxFPR map[string]float64) (*Scores, []Cutoff, error) {
	return s.CrossDecide(Goals{MaxFPR: maxFPR})
}

// CrossDecide returns the scores, after calibration if there is one, with the answers that costs and the cutoffs of
// the other four fifths of the examples give, so that what is measured of cutoffs is not what they were set by. The
// cutoffs are those of all, with what those of the others gave and missed.
func (s *Scores) CrossDecide(g Goals) (*Scores, []Cutoff, error) {
	after := g.calibrated(s).clone()
	after.verdicts = make([]verdict, len(s.Truth))
	all, err := s.CutoffsFor(g)
	if err != nil {
		return nil, nil, err
	}
	for j := range all {
		all[j].Own, all[j].Missed, all[j].Others, all[j].Given = 0, 0, 0, 0
	}
	err = s.crossed(func(others *Scores, part []int) error {
		cutoffs, err := others.CutoffsFor(g)
		if err != nil {
			return err
		}
		for j := range cutoffs { // go on counting where the last part ended
			cutoffs[j].Own, cutoffs[j].Missed, cutoffs[j].Others, cutoffs[j].Given = all[j].Own, all[j].Missed, all[j].Others, all[j].Given
		}
		for n, v := range s.count(g, cutoffs, part) {
			after.verdicts[part[n]] = v
		}
		for j, c := range cutoffs {
			all[j].Own, all[j].Missed, all[j].Others, all[j].Given = c.Own, c.Missed, c.Others, c.Given
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return after, all, nil
}
