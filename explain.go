package bayes

import (
	"cmp"
	"math"
	"slices"

	"bayes/text"
)

// An Explanation splits the log-odds of the best class against the second,
//
//	ln P(Class|d) - ln P(Against|d) = Prior + Absent + Σ Features,
//
// into parts. With a single class there is nothing to split, and Against is
// empty.
type Explanation struct {
	Prediction
	Class, Against string
	Prior          float64        // the prior's part
	Absent         float64        // the part of the terms the document lacks; Bernoulli only
	Features       []Contribution // largest effect first
}

// A Contribution is what one feature adds to the log-odds.
type Contribution struct {
	Feature string
	Value   float64      // in the document
	LogOdds float64      // positive speaks for Class, negative for Against
	Counts  [2]Moments   // in Class and in Against: what the weight rests on
	Where   []text.Token // where in the text it stood
}

// Explain returns why d is predicted as it is.
func (m *Model) Explain(d Document) *Explanation {
	p := m.Predict(d)
	ex := &Explanation{Prediction: p, Class: p.Best().Class}
	if len(p.Classes) == 1 {
		return ex
	}
	ex.Against = p.Classes[1].Class
	pro, con := slices.Index(m.classes, ex.Class), slices.Index(m.classes, ex.Against)
	odds := func(scores []float64) float64 {
		if scores == nil || scores[pro] == scores[con] { // also where both are infinite
			return 0
		}
		return scores[pro] - scores[con]
	}
	if m.scoresPrior() {
		ex.Prior = odds(m.logPrior)
	}
	e := newExtractor(m.space)
	x := e.extract(d)
	ex.Absent = odds(m.terms.rest(x))
	where := m.occurrences(d.Text)
	for _, f := range x.terms {
		if weights, i, ok := m.terms.weigh(f); ok {
			name := string(f.name)
			ex.Features = append(ex.Features, Contribution{
				Feature: name, Value: f.value, LogOdds: odds(weights),
				Counts: [2]Moments{m.sums.at(i, pro), m.sums.at(i, con)},
				Where:  where[name],
			})
		}
	}
	slices.SortStableFunc(ex.Features, func(a, b Contribution) int {
		return cmp.Compare(math.Abs(b.LogOdds), math.Abs(a.LogOdds))
	})
	return ex
}

// occurrences returns where each term stands in s.
func (m *Model) occurrences(s string) map[string][]text.Token {
	where := make(map[string][]text.Token)
	for token := range m.space.analyzer().Tokens(s) {
		where[token.Term] = append(where[token.Term], token)
	}
	return where
}
