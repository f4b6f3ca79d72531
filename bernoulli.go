package bayes

import (
	"fmt"
	"math"

	"bayes/internal/doubledouble"
	"bayes/internal/sweep"
)

var _ EventModel = Bernoulli{}

// Bernoulli models a document as the set of the terms that are present in it;
// a term that is absent speaks too. With N(t,c) the weight of the examples of
// class c that have term t and N(c) that of all of them,
//
//	P(t|c) = (N(t,c) + α) / (N(c) + 2α)
//	ln P(c,d) = ln P(c) + Σ_present ln P(t|c) + Σ_absent ln(1 - P(t|c))
//
// (Manning, Raghavan and Schütze, Introduction to Information Retrieval, 13.3).
// A term is present if its value exceeds the Threshold of the [Space].
type Bernoulli struct {
	Prior     Prior     // nil means EmpiricalPrior
	Smoothing Smoothing // nil means Additive(1)
}

func parseBernoulli(o *options) EventModel {
	return Bernoulli{Prior: o.prior(), Smoothing: o.smoothing()}
}

func (m Bernoulli) String() string {
	return fmt.Sprintf("bernoulli smoothing=%v prior=%v", orLaplace(m.Smoothing), orEmpirical(m.Prior))
}

func (m Bernoulli) prior() Prior { return m.Prior }

func (m Bernoulli) withSmoothing(s Smoothing) EventModel { m.Smoothing = s; return m }

func (m Bernoulli) models(kind attrKind) bool { return kind == textAttr }

func (m Bernoulli) grid() (place gridPlace, ok bool) {
	place.alpha, ok = additive(m.Smoothing)
	m.Smoothing = nil
	place.key, place.model, place.kind = m.String(), m, sweep.Bernoulli
	return place, ok
}

func (m Bernoulli) fit(blocks []*statistics) ([]likelihood, error) {
	return fitEach(blocks, m.fitBlock)
}

func (m Bernoulli) fitBlock(s *statistics) (*bernoulli, error) {
	if err := noEvidence("bernoulli", m.Smoothing); err != nil {
		return nil, err
	}
	alpha, err := orLaplace(m.Smoothing).pseudocounts(s)
	if err != nil {
		return nil, err
	}
	b := &bernoulli{
		statistics: s,
		present:    make([]float64, len(s.rows)*len(s.classes)),
		absent:     make([]float64, len(s.rows)*len(s.classes)),
		none:       make([]float64, len(s.classes)),
		certain:    make([]int, len(s.classes)),
		alpha:      alpha,

		unsmoothed: alpha.zero(),
	}
	// The sums over all absent terms are taken with 32 digits: rows come in the order in which terms
	// were learned, and the weights must not depend on it.
	none := make([]doubledouble.Sum, len(s.classes))
	for i := range s.rows {
		if s.has(i) {
			b.fitRow(i, none)
		}
	}
	for k := range none {
		b.none[k] = none[k].Float()
	}
	return b, nil
}

// bernoulli is the fitted form of [Bernoulli]. The sum over the absent terms is
// that over all terms less that over the present ones, so that scoring takes
// time in the length of the document and not in |V|. A term with P(t|c) = 1
// would make that ∞ - ∞; such terms are counted apart in certain.
type bernoulli struct {
	*statistics
	present []float64 // ln P(t|c), by feature, then by class
	absent  []float64 // ln(1 - P(t|c)), zero where P is 1
	none    []float64 // the sum of absent over all features
	certain []int     // how many terms have P(t|c) = 1
	alpha   pseudocounts

	unsmoothed bool // whether certain can be other than zero
}

// fitRow works out the weights of feature i and adds its part to none.
func (b *bernoulli) fitRow(i int, none []doubledouble.Sum) {
	present, absent := b.row(i)
	alpha := b.alpha.at(i)
	estimate := func(k int, n float64) {
		// A term is present or absent: two outcomes, so α is added twice to the total.
		total := math.Log(b.statistics.weight[k] + 2*alpha)
		present[k] = logRatio(math.Log(n+alpha), total)
		absent[k] = logRatio(math.Log(b.statistics.weight[k]-n+alpha), total)
	}
	for k := range present { // most classes lack the term
		estimate(k, 0)
	}
	for _, c := range b.rows[i] {
		estimate(b.sortedIndex[c.Class], c.Present)
	}
	for k, a := range absent {
		if math.IsInf(a, -1) { // P(t|c) = 1: counted, since -Inf could not be taken off the sum again
			b.certain[k]++
			absent[k] = 0
		} else {
			none[k].Add(a)
		}
	}
}

func (b *bernoulli) row(i int) (present, absent []float64) {
	n := len(b.classes)
	return b.present[i*n : i*n+n], b.absent[i*n : i*n+n]
}

// isCertain reports whether feature i has probability one in class k.
func (b *bernoulli) isCertain(i, k int) bool {
	return b.alpha.at(i) == 0 && b.statistics.weight[k] <= b.at(i, k).Present
}

func (b *bernoulli) add(joint []float64, x *bag) (known int) {
	// Begin as if all terms were absent, then exchange the factor of each present one.
	for k, n := range b.none {
		joint[k] += n
	}
	for _, f := range x.terms {
		i, ok := b.lookup(f)
		if !ok {
			continue
		}
		known++
		if f.value > b.threshold {
			present, absent := b.row(i)
			for k := range joint {
				joint[k] += present[k] - absent[k]
			}
		}
	}
	// A class is impossible if the document lacks a term that all of the class's examples have.
	if b.unsmoothed {
		for k, n := range b.missing(x) {
			if n > 0 {
				joint[k] = math.Inf(-1)
			}
		}
	}
	return known
}

// missing returns how many terms of probability one x lacks, for each class.
func (b *bernoulli) missing(x *bag) []int {
	missing := append([]int(nil), b.certain...)
	for _, f := range x.terms {
		if i, ok := b.lookup(f); ok && f.value > b.threshold {
			for k := range missing {
				if b.isCertain(i, k) {
					missing[k]--
				}
			}
		}
	}
	return missing
}

func (b *bernoulli) data() *statistics { return b.statistics }

func (b *bernoulli) weigh(f term) ([]float64, bool) {
	i, ok := b.lookup(f)
	if !ok || f.value <= b.threshold {
		return nil, false
	}
	present, _ := b.row(i)
	return append([]float64(nil), present...), true
}

func (b *bernoulli) rest(x *bag) []float64 {
	rest := append([]float64(nil), b.none...)
	for _, f := range x.terms {
		if i, ok := b.lookup(f); ok && f.value > b.threshold {
			_, absent := b.row(i)
			for k := range rest {
				rest[k] -= absent[k]
			}
		}
	}
	for k, n := range b.missing(x) {
		if n > 0 {
			rest[k] = math.Inf(-1)
		}
	}
	return rest
}

func (b *bernoulli) weight(i, k int) float64 { present, _ := b.row(i); return present[k] }

func (b *bernoulli) counted() bool { return false }

func (b *bernoulli) factor(f term, k int) Factor {
	i, _ := b.lookup(f)
	return Factor{Count: b.at(i, k).Present, Smoothing: b.alpha.at(i), Total: b.statistics.weight[k], TotalSmoothing: 2 * b.alpha.at(i)}
}
