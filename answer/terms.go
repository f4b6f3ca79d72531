package answer

import (
	"cmp"
	"slices"

	"bayes"
)

// A TopTerm is a term that tells much of a class, or a number.
type TopTerm struct {
	Term    string  `json:"term"`
	LogOdds Real    `json:"log_odds" doc:"For the class against all others; of a number, where it is the mean of the class"`
	Sum     float64 `json:"sum" doc:"How often the class's examples have it"`
	Present float64 `json:"present" doc:"How many of them have it"`
	Spread  *Spread `json:"spread,omitempty" doc:"Of a number alone: its mean and deviation in the class"`
}

// NewTopTerms returns the n most telling terms, categories and numbers of a class, an empty
// list if there is no such class. A number tells what its mean would in each example.
func NewTopTerms(m *bayes.Model, class string, n int) []TopTerm {
	list := []TopTerm{}
	for _, t := range m.TopTerms(class, n) {
		list = append(list, TopTerm{Term: t.Feature, LogOdds: Real(t.LogOdds), Sum: t.Moments.Sum, Present: t.Moments.Present})
	}
	if !slices.Contains(m.Classes(), class) {
		return list
	}
	if numbers := telling(m, class); len(numbers) > 0 {
		list = append(list, numbers...)
		slices.SortStableFunc(list, func(a, b TopTerm) int { return cmp.Compare(b.share(), a.share()) })
		list = list[:min(n, len(list))]
	}
	return list
}

// share returns what the term adds to the log-odds of all examples of the class.
func (t *TopTerm) share() float64 {
	if t.Spread != nil {
		return t.Present * float64(t.LogOdds)
	}
	return t.Sum * float64(t.LogOdds)
}

// A Term is what a model knows of one term.
type Term struct {
	Term    string     `json:"term"`
	Classes []TermStat `json:"classes"`
}

// A TermStat is what a model knows of a term of one class.
type TermStat struct {
	Label    string  `json:"label"`
	Examples int64   `json:"examples" doc:"How many examples have it"`
	Present  float64 `json:"present" doc:"Their weight"`
	Sum      float64 `json:"sum" doc:"How often they have it"`
	LogProb  Real    `json:"log_prob" doc:"ln P(term|class)"`
	Spread   *Spread `json:"spread,omitempty" doc:"Of a number alone: its mean and deviation in the class"`
}

// NewTerm returns what m knows of a term, and whether it knows it at all.
func NewTerm(m *bayes.Model, term string) (Term, bool) {
	stats, ok := m.Term(term)
	list := []TermStat{}
	for _, s := range stats {
		t := TermStat{s.Class, s.Moments.Examples, s.Moments.Present, s.Moments.Sum, Real(s.LogProb), nil}
		if s.Number {
			spread := NewSpread(s.Moments)
			t.Spread = &spread
		}
		list = append(list, t)
	}
	return Term{term, list}, ok
}
