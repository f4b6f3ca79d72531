package bayes

import (
	"bytes"
	"math"
	"slices"

	"bayes/internal/bags"
	"bayes/internal/vecmath"
)

// A Derivation is the whole calculation behind a prediction, as a textbook
// would write it down. Where a document may have several labels, each is a question by itself: LogJoint are its log-odds
// against the rest, P is 1/(1 + exp(-Power · LogJoint)), and there is no Evidence: it is zero.
type Derivation struct {
	Classes  []ClassDerivation // in the model's order
	Evidence float64           // ln Σ P(c,d), the denominator of Bayes' theorem
	Power    float64           // that calibration raises probabilities to; 1 without it
	Unknown  []string          // features of the document that were ignored
}

// A ClassDerivation is the calculation for one class,
//
//	LogJoint = PriorScore + Absent + Σ Times · Log,  P ∝ exp(LogJoint - Evidence)^Power.
type ClassDerivation struct {
	Class       string
	Examples    int64   // of the class in training
	Weight      float64 // of these examples
	Of          float64 // the weight of all examples
	LogPrior    float64
	PriorCounts bool    // whether the prior is part of the score
	PriorScore  float64 // what it adds: LogPrior, half its log-odds with OneVersusRest, all of them of several labels, or 0; with Corrected that times Trust, and Bias
	Corrected   bool    // whether there are a Trust and a Bias
	Trust, Bias float64
	Factors     []Factor // of the document's features, as they stand in it
	Absent      []Factor // of the features it lacks, sorted; at most 100 of them are listed
	AbsentSum   float64  // the sum of the logarithms of all absent features' factors
	AbsentTerms int      // how many there are
	LogJoint    float64
	P           float64
}

// maxAbsent is how many absent features a [Derivation] lists one by one.
const maxAbsent = 100

// Derive returns the calculation behind the prediction for d.
func (m *Model) Derive(d Document) *Derivation {
	x := newExtractor(m.space).extract(d)
	joint, _ := m.appendJoint(nil, x)
	posterior := slices.Clone(joint)
	// ln P(d) is the logarithm of the sum of the joint probabilities. It is -Inf if no class is possible.
	der := &Derivation{Evidence: math.Inf(-1), Power: m.posterior(posterior)}
	if top := slices.Max(joint); m.space.LabelSeparator != "" {
		der.Evidence = 0
	} else if !math.IsInf(top, 0) {
		der.Evidence = vecmath.LogSumExp(joint, top)
	}
	var total float64
	for _, w := range m.stats[0].whole().weight {
		total += w
	}
	for k, label := range m.labels() {
		cd := ClassDerivation{
			Class: label, Examples: m.stats[0].examples[k], Weight: m.stats[0].weight[k], Of: total,
			LogPrior: m.logPrior[k], PriorCounts: !m.priorless, Corrected: m.bias != nil, LogJoint: joint[k], P: math.Exp(posterior[k]),
		}
		if m.priorScore != nil {
			cd.PriorScore = m.priorScore[k]
		}
		if cd.Corrected {
			cd.Bias, cd.Trust = m.bias[k], m.trust
		}
		der.Classes = append(der.Classes, cd)
	}
	// Blocks that the document lacks have no factors: they say nothing.
	for _, part := range m.parts {
		if b := x.of(part.data().id); b != nil {
			der.derive(part, b)
		}
	}
	return der
}

// derive adds the factors of one block.
func (der *Derivation) derive(part likelihood, b *bag) {
	s := part.data()
	present, raw, unknown := split(part, b)
	der.Unknown = append(der.Unknown, unknown...)
	rest := part.rest(b)
	absent := s.absent(present, rest)
	for i, f := range present {
		for k, factor := range deriveFactors(part, f, raw[i]) {
			der.Classes[k].Factors = append(der.Classes[k].Factors, factor)
		}
	}
	for k, v := range rest {
		der.Classes[k].AbsentSum += v
		der.Classes[k].AbsentTerms += s.size - len(present)
	}
	for _, i := range absent {
		for k, factor := range deriveAbsent(part, i) {
			der.Classes[k].Absent = append(der.Classes[k].Absent, factor)
		}
	}
}

// split returns the features of b that count, with the values that part reads and with those of b,
// and the names of those that do not count.
func split(part likelihood, b *bag) (present []bags.Term, raw []float64, unknown []string) {
	for i, f := range valuesOf(part, b).Terms {
		if _, ok := part.weigh(f); ok {
			present, raw = append(present, f), append(raw, b.Terms[i].Value)
		} else {
			unknown = append(unknown, b.id.feature(string(f.Name)))
		}
	}
	return present, raw, unknown
}

// absent returns the numbers of the features that are to be listed as absent, sorted by name.
func (s *statistics) absent(present []bags.Term, rest []float64) []int {
	if rest == nil || s.size-len(present) > maxAbsent {
		return nil
	}
	return slices.DeleteFunc(s.sorted(), func(i int) bool {
		return slices.ContainsFunc(present, func(f bags.Term) bool { return bytes.Equal(f.Name, s.index.Bytes(i)) })
	})
}

// deriveFactors returns the factor of feature f in each class. The value of f in the document is raw, and that which part reads is f's.
func deriveFactors(part likelihood, f bags.Term, raw float64) []Factor {
	times, value := 1.0, f.Value
	if part.counted() {
		times, f.Value = f.Value, 1
	}
	scores, _ := part.weigh(f)
	factors, name := part.factors(f), part.data().id.feature(string(f.Name))
	if c, ok := part.(corrective); ok {
		f.Value = value
		c.derive(factors, f, raw)
	}
	for k := range factors {
		factors[k].Feature, factors[k].Times, factors[k].Log = name, times, scores[k]
	}
	return factors
}

// deriveAbsent returns the factor of the absent feature i in each class.
func deriveAbsent(part likelihood, i int) []Factor {
	s := part.data()
	f := bags.Term{Key: s.index.Key(i), Name: s.index.Bytes(i), Value: 1}
	factors, name := part.factors(f), s.id.feature(string(f.Name))
	for k := range factors {
		factor := &factors[k]
		factor.Feature, factor.Times, factor.Absent = name, 1, true
		n := factor.Total + factor.TotalSmoothing
		factor.Log = logRatio(math.Log(n-factor.Count-factor.Smoothing), math.Log(n))
		if factor.Corrected { // only what is there is corrected
			factor.Log, factor.Correction = factor.Trust*factor.Log, 0
		}
	}
	return factors
}
