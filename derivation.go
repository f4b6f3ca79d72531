package bayes

import (
	"math"
	"slices"
)

// A Derivation is the whole calculation behind a prediction, as a textbook
// would write it down.
type Derivation struct {
	Classes  []ClassDerivation // in the model's order
	Evidence float64           // ln Σ P(c,d), the denominator of Bayes' theorem
	Unknown  []string          // features of the document that were ignored
}

// A ClassDerivation is the calculation for one class,
//
//	LogJoint = ln Prior + Absent + Σ Times · Log,  P = exp(LogJoint - Evidence).
type ClassDerivation struct {
	Class       string
	Examples    int64   // of the class in training
	Weight      float64 // of these examples
	Of          float64 // the weight of the examples of all classes
	LogPrior    float64
	PriorCounts bool     // whether the prior is part of the score
	Factors     []Factor // of the document's features, as they stand in it
	Absent      []Factor // of the features it lacks, sorted; at most [MaxAbsent] of them are listed
	AbsentSum   float64  // the sum of the logarithms of all absent features' factors
	AbsentTerms int      // how many there are
	LogJoint    float64
	P           float64
}

// MaxAbsent is how many absent features a [Derivation] lists one by one.
const MaxAbsent = 100

// A Factor is the estimate of one feature's probability in one class,
//
//	P = (Count + Smoothing) / (Total + TotalSmoothing).
type Factor struct {
	Feature                                 string
	Times                                   float64 // how often the document has it
	Count, Smoothing, Total, TotalSmoothing float64
	Absent                                  bool    // the factor is 1 - P
	Complement                              bool    // P is that of all other classes, and the factor is its inverse
	Norm                                    float64 // the weight is divided by it; only with Complement
	Log                                     float64 // what one occurrence adds to the score
}

// P returns the estimate, in [0,1]; zero where nothing was counted.
func (f Factor) P() float64 {
	if f.Count+f.Smoothing <= 0 {
		return 0
	}
	return (f.Count + f.Smoothing) / (f.Total + f.TotalSmoothing)
}

// Derive returns the calculation behind the prediction for d.
func (m *Model) Derive(d Document) *Derivation {
	x := newExtractor(m.space).extract(d)
	joint, _ := m.appendJoint(nil, x)
	posterior := m.distribution(joint)
	der := &Derivation{Evidence: math.Inf(-1)}
	if top := slices.Max(joint); !math.IsInf(top, 0) {
		der.Evidence = logSumExp(joint, top)
	}
	present, unknown := m.split(x)
	der.Unknown = unknown
	var total float64
	for _, w := range m.sums.weight {
		total += w
	}
	rest := m.terms.rest(x)
	absent := m.absent(present, rest)
	for k, label := range m.classes {
		cd := ClassDerivation{
			Class: label, Examples: m.sums.examples[k], Weight: m.sums.weight[k], Of: total,
			LogPrior: m.logPrior[k], PriorCounts: m.scoresPrior(), LogJoint: joint[k],
		}
		for _, f := range present {
			cd.Factors = append(cd.Factors, m.derive(f, k))
		}
		if rest != nil {
			cd.AbsentSum, cd.AbsentTerms = rest[k], m.sums.size-len(present)
			for _, i := range absent {
				cd.Absent = append(cd.Absent, m.deriveAbsent(i, k))
			}
		}
		for _, p := range posterior {
			if p.Class == label {
				cd.P = p.P
			}
		}
		der.Classes = append(der.Classes, cd)
	}
	return der
}

// split returns the features of x that count, and the names of those that do
// not.
func (m *Model) split(x *features) (present []term, unknown []string) {
	for _, f := range x.terms {
		if _, _, ok := m.terms.weigh(f); ok {
			present = append(present, f)
		} else {
			unknown = append(unknown, string(f.name))
		}
	}
	return present, unknown
}

// absent returns the numbers of the features that are to be listed as absent,
// sorted by name.
func (m *Model) absent(present []term, rest []float64) []int {
	if rest == nil || m.sums.size-len(present) > MaxAbsent {
		return nil
	}
	var numbers []int
	for i := range m.sums.rows {
		name := string(m.sums.index.Bytes(i))
		if m.sums.has(i) && !slices.ContainsFunc(present, func(f term) bool { return string(f.name) == name }) {
			numbers = append(numbers, i)
		}
	}
	m.sums.sortByName(numbers)
	return numbers
}

// derive returns the factor of feature f in class k.
func (m *Model) derive(f term, k int) Factor {
	one := f
	if !m.terms.presence() {
		one.value = 1
	}
	weights, i, _ := m.terms.weigh(one)
	factor := m.terms.factor(i, k)
	factor.Feature, factor.Times, factor.Log = string(f.name), f.value, weights[k]
	if m.terms.presence() {
		factor.Times = 1
	}
	return factor
}

// deriveAbsent returns the factor of the absent feature i in class k.
func (m *Model) deriveAbsent(i, k int) Factor {
	factor := m.terms.factor(i, k)
	factor.Feature, factor.Times, factor.Absent = string(m.sums.index.Bytes(i)), 1, true
	n := factor.Total + factor.TotalSmoothing
	factor.Log = logRatio(math.Log(n-factor.Count-factor.Smoothing), math.Log(n))
	return factor
}
