package bayes

import (
	"slices"

	"bayes/internal/bags"
	"bayes/internal/overlap"
	"bayes/internal/vecmath"
	"bayes/text"
)

// An Explanation splits the log-odds of one class against another, which for
// [Model.Explain] are the answer and the best of the others,
//
//	ln P(Class|d) - ln P(Against|d) = Power · (Prior + Absent + Σ Features),
//
// into parts. With a single class there is nothing to split, and Against is
// empty. It is empty too where a document may have several labels: the log-odds are those of
// Class against its rest.
type Explanation struct {
	Prediction
	Class, Against string
	Power          float64        // that calibration raises probabilities to; 1 without it
	Prior          float64        // the prior's part
	Bias           float64        // the part of Prior that [Corrected] has learned
	Absent         float64        // the part of the terms the document lacks; Bernoulli only
	Cutoff         float64        // log-odds against all others that the answer needs: see [Calibrated]; -Inf if any will do
	Features       []Contribution // largest effect first
}

// A Contribution is what one feature adds to the log-odds.
type Contribution struct {
	Feature string     // as [Counts.Features] names it
	Value   float64    // in the document; of a category 1
	LogOdds float64    // positive is evidence for Class, negative for Against
	Counts  [2]Moments // in Class and in Against: what the weight rests on
	Number  bool       // whether it is a number, which Value is
	// Correction is the part of LogOdds that [Corrected] has learned. The rest is naive Bayes'.
	Correction float64
	Where      []text.Token // where in the main text it stood
}

// Name returns the feature, and of a column that terms are hashed to also the term that stands in the text.
func (c Contribution) Name() string {
	if len(c.Where) > 0 && c.Where[0].Term != c.Feature {
		return c.Feature + " " + c.Where[0].Term
	}
	return c.Feature
}

// Explain returns why d is predicted as it is.
func (m *Model) Explain(d Document) *Explanation { return m.explain(d, "", "") }

// ExplainAgainst returns the evidence for one class of d and for another, such
// as a wrong prediction and the truth. The log-odds are those of class against
// against, whichever of them is the more probable. It returns nil if the model
// does not know both, or if they are the same. Where a document may have several labels, against is empty, for
// the rest of class.
func (m *Model) ExplainAgainst(d Document, class, against string) *Explanation {
	labels, rest := m.labels(), m.space.LabelSeparator != ""
	if class == against || !slices.Contains(labels, class) || slices.Contains(labels, against) == rest {
		return nil
	}
	return m.explain(d, class, against)
}

// explain returns the evidence for a class against another; of none, for the best against the second.
func (m *Model) explain(d Document, class, against string) *Explanation {
	e := m.extractors.Get().(*extractor)
	defer m.extractors.Put(e)
	x, ex := e.extract(d), &Explanation{Class: class, Against: against, Power: 1}
	m.predict(&ex.Prediction, e, x, len(m.logPrior))
	several := m.space.LabelSeparator != ""
	if class == "" {
		ex.Class = ex.Answer().Class
		if len(ex.Classes) > 1 && !several {
			ex.Against = ex.Classes[max(0, 1-ex.Chosen)].Class
		}
	}
	if ex.Cutoff = m.rule.Needs(slices.Index(m.labels(), ex.Answer().Class), ex.Reason); several {
		ex.Cutoff = m.Cutoff(ex.Class)
	} else if ex.Against == "" {
		return ex
	}
	ex.Power = m.power(ex.Prediction)
	r := rivals{slices.Index(m.labels(), ex.Class), slices.Index(m.labels(), ex.Against)}
	ex.Prior, ex.Bias = r.odds(m.priorScore), r.odds(m.bias)
	where := m.occurrences(d.Text)
	ex.Features = make([]Contribution, 0, ex.Known)
	// The log-odds are a sum: each feature adds to it, and so does what the document lacks.
	for _, part := range m.parts {
		b := x.of(part.data().id)
		if b == nil {
			continue
		}
		ex.Absent += r.odds(part.rest(b))
		for i, f := range valuesOf(part, b).Terms {
			if scores, ok := part.weigh(f); ok {
				c := r.contribution(part.data(), f, scores, where)
				c.Value = b.Terms[i].Value
				if l, ok := part.(corrective); ok {
					c.Correction = r.odds(l.correctionOf(f))
				}
				ex.Features = append(ex.Features, c)
			}
		}
	}
	vecmath.SortBySize(ex.Features, func(c *Contribution) float64 { return c.LogOdds })
	return ex
}

// power returns the power that calibration raised the probabilities of p to.
func (m *Model) power(p Prediction) float64 {
	joint := make([]float64, len(p.Classes))
	for k, c := range p.Classes {
		joint[k] = c.LogJoint
	}
	return m.posterior(joint)
}

// rivals are the numbers of the two classes that an explanation compares.
type rivals struct{ class, against int }

// odds returns the difference that scores make, zero where both are infinite; without a rival they are odds already.
func (r rivals) odds(scores []float64) float64 {
	if scores != nil && r.against < 0 {
		return scores[r.class]
	}
	if scores == nil || scores[r.class] == scores[r.against] {
		return 0
	}
	return scores[r.class] - scores[r.against]
}

func (r rivals) contribution(s *statistics, f bags.Term, scores []float64, where map[string][]text.Token) Contribution {
	c := Contribution{Feature: s.id.feature(string(f.Name)), Value: f.Value, LogOdds: r.odds(scores), Number: s.id.kind == numberAttr}
	if c.Counts[0] = s.moments(f, r.class); r.against >= 0 {
		c.Counts[1] = s.moments(f, r.against)
	} else {
		c.Counts[1] = s.restOf(f, c.Counts[0])
	}
	if s.id == (blockID{}) {
		c.Where = where[c.Feature]
	}
	return c
}

// occurrences returns where each term stands in s, or each column the terms are
// hashed to.
func (m *Model) occurrences(s string) map[string][]text.Token {
	where := make(map[string][]text.Token)
	for token := range m.space.analyzer().Tokens(s) {
		name := token.Term
		if m.space.HashBits > 0 {
			name = string(m.space.column(nil, []byte(name)))
		}
		where[name] = append(where[name], token)
	}
	return where
}

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
func (ex *Explanation) Highlights(text string) (list []Span) {
	var covers []overlap.Cover
	for _, f := range ex.Features {
		for _, t := range f.Where {
			covers = append(covers, overlap.Cover{Start: t.Start, End: t.End, Value: f.LogOdds / float64(len(f.Where))})
		}
	}
	for _, p := range overlap.Cut(len(text), covers) {
		list = append(list, Span{text[p.Start:p.End], p.Sum})
	}
	return list
}
