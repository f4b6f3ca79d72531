package answer

import "bayes"

// A TopTerm is a term that tells much of a class.
type TopTerm struct {
	Term    string  `json:"term"`
	LogOdds Real    `json:"log_odds" doc:"For the class against all others"`
	Sum     float64 `json:"sum" doc:"How often the class's examples have it"`
	Present float64 `json:"present" doc:"How many of them have it"`
}

// NewTopTerms returns the n most telling terms of a class, an empty list if there
// is no such class.
func NewTopTerms(m *bayes.Model, class string, n int) []TopTerm {
	list := []TopTerm{}
	for _, t := range m.TopTerms(class, n) {
		list = append(list, TopTerm{t.Feature, Real(t.LogOdds), t.Moments.Sum, t.Moments.Present})
	}
	return list
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
}

// NewTerm returns what m knows of a term, and whether it knows it at all.
func NewTerm(m *bayes.Model, term string) (Term, bool) {
	stats, ok := m.Term(term)
	list := []TermStat{}
	for _, s := range stats {
		list = append(list, TermStat{s.Class, s.Moments.Examples, s.Moments.Present, s.Moments.Sum, Real(s.LogProb)})
	}
	return Term{term, list}, ok
}
