package answer

import (
	"math"
	"slices"
	"strconv"

	"bayes"
)

// A Spread is how the values of a number lie in the examples of one class.
type Spread struct {
	Examples  int64   `json:"examples" doc:"How many examples have the number"`
	Mean      float64 `json:"mean" doc:"Their weighted mean; 0 where there are none"`
	Deviation float64 `json:"deviation" doc:"Their standard deviation"`
}

// NewSpread returns the spread of the values that m sums up. A deviation that is lost beside
// the mean, below a millionth of it, is zero.
func NewSpread(m bayes.Moments) Spread {
	if m.Examples == 0 || m.Present <= 0 {
		return Spread{Examples: m.Examples}
	}
	mean := m.Sum / m.Present
	variance := m.Squares/m.Present - mean*mean
	if variance < 1e-12*mean*mean {
		variance = 0
	}
	return Spread{m.Examples, mean, math.Sqrt(variance)}
}

// String returns a spread as people read it: the mean ± the deviation.
func (s Spread) String() string {
	if s.Examples == 0 {
		return "–"
	}
	return brief(s.Mean, 4) + " ± " + brief(s.Deviation, 3)
}

// brief returns v in a few digits, and without an exponent if it is not very large.
func brief(v float64, digits int) string {
	if a := math.Abs(v); a >= 1000 && a < 1e9 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// Spreads returns how the number of a contribution is spread in each of the two classes, and
// whether it is a number's at all.
func Spreads(c bayes.Contribution) (class, against Spread, ok bool) {
	if !c.Number {
		return class, against, false
	}
	return NewSpread(c.Counts[0]), NewSpread(c.Counts[1]), true
}

// Counted reports whether what is known of the features of an explanation is shown beside them.
// A frozen model has kept none of it.
func Counted(ex *bayes.Explanation) bool {
	return len(ex.Features) == 0 || slices.ContainsFunc(ex.Features, func(c bayes.Contribution) bool { return c.Counts != [2]bayes.Moments{} })
}

// named are numbers at a time: a model may have a hundred thousand, and what is worked out of
// them takes memory for each class.
const named = 256

// telling returns the numbers of a model as terms of a class: what its mean adds to the
// log-odds of the class against the others.
func telling(m *bayes.Model, class string) (list []TopTerm) {
	_, names, _ := m.Attributes()
	for some := range slices.Chunk(names, named) {
		moments := momentsOf(m, class, some)
		d := bayes.Document{}
		for _, name := range some {
			d.Attrs = append(d.Attrs, bayes.Number(name, NewSpread(moments[name]).Mean))
		}
		odds := oddsOf(m.Derive(d), class)
		for _, name := range some {
			if n := moments[name]; n.Examples > 0 {
				s := NewSpread(n)
				list = append(list, TopTerm{Term: name, LogOdds: Real(odds[name]), Sum: n.Sum, Present: n.Present, Spread: &s})
			}
		}
	}
	return list
}

// momentsOf returns the moments of numbers in a class, by name.
func momentsOf(m *bayes.Model, class string, names []string) map[string]bayes.Moments {
	all := make(map[string]bayes.Moments)
	labels := m.Classes()
	if len(labels) == 1 {
		for _, name := range names {
			if stats, ok := m.Term(name); ok {
				all[name] = stats[0].Moments
			}
		}
		return all
	}
	other := labels[0]
	if other == class {
		other = labels[1]
	}
	// An explanation of numbers alone has what was counted of each, which Term may take for a
	// term of the same name.
	d := bayes.Document{}
	for _, name := range names {
		d.Attrs = append(d.Attrs, bayes.Number(name, 0))
	}
	if ex := m.ExplainAgainst(d, class, other); ex != nil {
		for _, f := range ex.Features {
			all[f.Feature] = f.Counts[0]
		}
	}
	return all
}

// oddsOf returns what each factor adds to the score of a class, less its mean over the others.
func oddsOf(der *bayes.Derivation, class string) map[string]float64 {
	odds := make(map[string]float64)
	others := float64(len(der.Classes) - 1)
	for _, c := range der.Classes {
		for _, f := range c.Factors {
			if c.Class == class {
				odds[f.Feature] += f.Log
			} else {
				odds[f.Feature] -= f.Log / others
			}
		}
	}
	if others == 0 {
		clear(odds) // with a single class there is nothing to tell apart
	}
	return odds
}

// Corrected reports whether part of what features say was learned by a correction, so that it is shown
// beside what is naive Bayes'. A frozen model has only the sum of both.
func Corrected(ex *bayes.Explanation) bool {
	return slices.ContainsFunc(ex.Features, func(c bayes.Contribution) bool { return c.Correction != 0 })
}

// Base returns the part of log-odds that is naive Bayes', where another part is a correction.
func Base(logOdds, correction float64) float64 {
	if base := logOdds - correction; math.Abs(base) > 1e-12*math.Abs(logOdds) { // less is what rounding leaves
		return base
	}
	return 0
}
