// Package decision says which class is the answer, given the probabilities of all of them: the most probable
// one, unless cutoffs or costs say otherwise.
package decision

import (
	"fmt"
	"math"
	"slices"

	"bayes/internal/calibration"
)

// The reasons for an answer that is not the most probable class.
const (
	ByCutoff = "cutoff" // it is below its cutoff: nothing is answered
	ByRecall = "recall" // another class reaches its override
	ByCosts  = "costs"  // another class, or no answer, costs less
)

// None is the answer where no class is.
const None = -1

// Settings are what a [Rule] is made of, by name of the class.
type Settings struct {
	Cutoffs   map[string]float64    // least log-odds against all others that a class needs to be the answer; of the empty name, see [Rule.Nearest]
	Overrides map[string]float64    // log-odds from which on a class is the answer, whatever is more probable
	Costs     map[[2]string]float64 // by true class and answer; other pairs cost 1, and right answers nothing
	Reject    map[string]float64    // cost of no answer, by true class; nil: there always is an answer
}

// A Rule is made for the classes of a model. A nil *Rule answers the most probable class.
type Rule struct {
	cutoffs   []float64 // by class; nil if there are none
	nearest   float64   // what the nearest label needs beyond its cutoff; +Inf if no label is given for that
	overrides []limit   // by class
	costs     []cost
	reject    []float64 // by class; nil if there always is an answer
	costly    bool      // whether costs choose
}

type limit struct {
	class int
	odds  float64
}

// A cost is by how much a pair of classes costs more than it would without an entry.
type cost struct {
	actual, chosen int
	more           float64
}

// New returns the rule of s for sorted classes, nil if the most probable one is always the answer. What s says
// of other classes is left out.
func New(s Settings, classes []string) *Rule {
	r := &Rule{nearest: math.Inf(1)}
	if odds, ok := s.Cutoffs[""]; ok {
		r.nearest = odds
	}
	for name, odds := range s.Cutoffs {
		if k, ok := slices.BinarySearch(classes, name); ok {
			if r.cutoffs == nil {
				r.cutoffs = slices.Repeat([]float64{math.Inf(-1)}, len(classes))
			}
			r.cutoffs[k] = odds
		}
	}
	for k, name := range classes {
		if odds, ok := s.Overrides[name]; ok {
			r.overrides = append(r.overrides, limit{k, odds})
		}
	}
	r.setCosts(s, classes)
	if r.cutoffs == nil && r.overrides == nil && !r.costly && math.IsInf(r.nearest, 1) {
		return nil
	}
	return r
}

func (r *Rule) setCosts(s Settings, classes []string) {
	r.costly = len(s.Costs)+len(s.Reject) > 0
	for pair, v := range s.Costs {
		actual, known := slices.BinarySearch(classes, pair[0])
		chosen, ok := slices.BinarySearch(classes, pair[1])
		if known && ok {
			r.costs = append(r.costs, cost{actual, chosen, v - without(actual, chosen)})
		}
	}
	slices.SortFunc(r.costs, func(a, b cost) int { // sums have the same rounding each time
		if a.actual != b.actual {
			return a.actual - b.actual
		}
		return a.chosen - b.chosen
	})
	if len(s.Reject) > 0 {
		r.reject = make([]float64, len(classes))
		for k, name := range classes {
			r.reject[k] = 1
			if v, ok := s.Reject[name]; ok {
				r.reject[k] = v
			}
		}
	}
}

// without returns what a pair costs that is not listed.
func without(actual, chosen int) float64 {
	if actual == chosen {
		return 0
	}
	return 1
}

// Cutoff returns the log-odds that class k needs, -Inf if any will do, as of no class, which is below 0.
func (r *Rule) Cutoff(k int) float64 {
	if r == nil || r.cutoffs == nil || k < 0 {
		return math.Inf(-1)
	}
	return r.cutoffs[k]
}

// Nearest returns which of several labels is given to a document where none has the log-odds that it needs, 0 where there
// is no cutoff: the one that is nearest to its cutoff, if what it is beyond that, which is below 0, is no less than the
// cutoff of the empty name. Else, and without that cutoff, it is [None].
func (r *Rule) Nearest(odds []float64) int {
	best, most := None, math.Inf(-1)
	for k, v := range odds {
		if beyond := v - r.LabelCutoff(k); r != nil && beyond > most && beyond >= r.nearest {
			best, most = k, beyond
		}
	}
	return best
}

// LabelCutoff returns the log-odds that label k needs to be given, where a document may have several.
func (r *Rule) LabelCutoff(k int) float64 {
	if cutoff := r.Cutoff(k); cutoff != math.Inf(-1) {
		return cutoff
	}
	return 0
}

// Needs returns the log-odds that class k needs to be the answer for this reason: its override, where it is by
// recall, else its cutoff.
func (r *Rule) Needs(k int, reason string) float64 {
	if reason == ByRecall {
		i := slices.IndexFunc(r.overrides, func(o limit) bool { return o.class == k })
		return r.overrides[i].odds
	}
	return r.Cutoff(k)
}

// Decide returns the answer, or [None], and the reason, empty if it is the most probable class. It is given
// the score of each class before calibration, which log-odds are of; ln P after it, which costs are by; and
// the most probable class. Of classes that reach their overrides, the most probable is the answer. Cutoffs
// are asked last.
func (r *Rule) Decide(scores, logP []float64, best int) (answer int, reason string) {
	if r == nil {
		return best, ""
	}
	answer = None
	for _, o := range r.overrides {
		if Reaches(scores, o.class, o.odds) && (answer == None || scores[o.class] > scores[answer]) {
			answer = o.class
		}
	}
	switch {
	case answer == best:
		return best, ""
	case answer != None:
		return answer, ByRecall
	}
	answer = best
	if r.costly {
		if answer = r.cheapest(logP, best); answer != best {
			reason = ByCosts
		}
	}
	if answer != None && !Reaches(scores, answer, r.Cutoff(answer)) {
		return None, ByCutoff
	}
	return answer, reason
}

// Reaches reports whether class k has these log-odds against all others.
func Reaches(scores []float64, k int, odds float64) bool {
	return math.IsInf(odds, -1) || calibration.Reaches(calibration.LogOddsOf(scores, k), odds)
}

// cheapest returns the answer of least expected cost,
//
//	argmin_a Σ P(c) · cost(c, a),
//
// of equal ones the most probable, and None only where that costs less than every class.
func (r *Rule) cheapest(logP []float64, best int) int {
	expected := make([]float64, len(logP))
	for k, v := range logP {
		expected[k] = 1 - math.Exp(v)
	}
	for _, c := range r.costs {
		expected[c.chosen] += math.Exp(logP[c.actual]) * c.more
	}
	answer := best
	for k, v := range expected {
		if v < expected[answer] || v == expected[answer] && logP[k] > logP[answer] {
			answer = k
		}
	}
	if r.reject != nil {
		var undecided float64
		for k, v := range logP {
			undecided += math.Exp(v) * r.reject[k]
		}
		if undecided < expected[answer] {
			return None
		}
	}
	return answer
}

// Cost returns what an answer costs that is given to a document of a class.
func (s Settings) Cost(actual, answer string, answered bool) float64 {
	if !answered {
		if v, ok := s.Reject[actual]; ok {
			return v
		}
		return 1
	}
	if v, ok := s.Costs[[2]string{actual, answer}]; ok {
		return v
	}
	if actual == answer {
		return 0
	}
	return 1
}

// Check returns an error if what s has is no number or, of costs, not finite. It names the event model that has settings.
func (s Settings) Check() error {
	for _, list := range []map[string]float64{s.Cutoffs, s.Overrides} {
		for class, v := range list {
			if math.IsNaN(v) {
				return fmt.Errorf("calibrated: the cutoff of %q is no number", class)
			}
		}
	}
	finite := func(v float64) bool { return math.Abs(v) <= mostCost }
	for pair, v := range s.Costs {
		if !finite(v) {
			return fmt.Errorf("calibrated: the cost of answering %q to %q is %v: want a number from -1e100 to 1e100", pair[1], pair[0], v)
		}
	}
	for class, v := range s.Reject {
		if !finite(v) {
			return fmt.Errorf("calibrated: the cost of no answer to %q is %v: want a number from -1e100 to 1e100", class, v)
		}
	}
	return nil
}

// mostCost is so large that sums of costs are finite.
const mostCost = 1e100
