package bayes

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"bayes/internal/bags"
	"bayes/internal/doubledouble"
	"bayes/internal/sparse"
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
		alpha: alpha, unsmoothed: alpha.zero(s),
		none: make([]float64, len(s.classes)), certain: make([]int, len(s.classes)),
	}
	b.linear = newLinear(s, func(i, k int, cell sparse.Moments, _ float64) Factor {
		return Factor{Count: cell.Present, Smoothing: alpha.at(i), Total: s.weight[k], TotalSmoothing: 2 * alpha.at(i)}
	}, b.exchange)
	b.presence = true
	// What a term adds to a class that lacks it, ln α - ln(N(c) + α), is a constant of the class only
	// if all terms have the same α.
	if alpha.of == nil {
		b.setBias(s.weight, alpha.each)
	} else {
		b.biasOf = func(i int) []float64 {
			bias := make([]float64, len(s.classes))
			for k := range bias {
				bias[k] = b.lacking(k, alpha.at(i))
			}
			return bias
		}
	}
	b.sumAbsent()
	return b, nil
}

// bernoulli is the fitted form of [Bernoulli]. A document begins as if all terms were absent, and
// each present one exchanges its factor, so that scoring takes time in the length of the document
// and not in |V|. A term with P(t|c) = 1 would make the sum over the absent terms ∞ - ∞; such terms
// are counted apart in certain.
type bernoulli struct {
	*linear
	alpha   pseudocounts
	logs    sparse.Logs
	none    []float64 // by class: the sum of ln(1 - P(t|c)) over all terms
	certain []int     // by class: how many terms have P(t|c) = 1

	unsmoothed bool // whether certain can be other than zero
}

// sumAbsent works out the sums over all terms of what their absence adds.
func (b *bernoulli) sumAbsent() {
	// The sums are taken with 32 digits: rows come in the order in which terms were learned, and
	// the weights must not depend on it.
	none := make([]doubledouble.Sum, len(b.classes))
	add := func(k int, n, alpha float64, times int) {
		if a := b.absent(k, n, alpha); !math.IsInf(a, -1) {
			product := a * float64(times)
			none[k].Add(product)
			none[k].Add(math.FMA(a, float64(times), -product)) // what was rounded away
		} else { // counted, since minus infinity could not be taken off the sum again
			b.certain[k] += times
		}
	}
	lacking := slices.Repeat([]int{b.size}, len(b.classes)) // how many terms a class lacks
	switch {
	case b.alpha.of != nil:
		for i, row := range b.rows.All() {
			if b.has(i) {
				for k := range none {
					add(k, 0, b.alpha.at(i), 1)
				}
				for _, c := range row {
					add(b.sortedIndex[c.Class], 0, b.alpha.at(i), -1)
					add(b.sortedIndex[c.Class], c.Present, b.alpha.at(i), 1)
				}
			}
		}
		clear(lacking)
	case b.tallied != nil:
		for k, id := range b.ids {
			for n, cells := range b.tallied.Class(id).Counts() {
				add(k, float64(n), b.alpha.each, cells)
				lacking[k] -= cells
			}
		}
	default:
		for row := range b.eachRow {
			for _, c := range row {
				add(b.sortedIndex[c.Class], c.Present, b.alpha.each, 1)
				lacking[b.sortedIndex[c.Class]]--
			}
		}
	}
	for k := range none {
		if lacking[k] > 0 {
			add(k, 0, b.alpha.each, lacking[k])
		}
		b.none[k] = none[k].Float()
	}
}

// absent returns ln(1 - P(t|c)) of a term that n of class k have.
func (b *bernoulli) absent(k int, n, alpha float64) float64 {
	return logRatio(sparse.Log(b.statistics.weight[k]-n+alpha), sparse.Log(b.statistics.weight[k]+2*alpha))
}

// exchange sets the gains of feature i: in the place of the factor of its absence comes that of its
// presence.
func (b *bernoulli) exchange(gains []float64, i int, row []sparse.Cell) (unseen float64) {
	alpha := b.alpha.at(i)
	unseen = b.logs.Of(0, alpha)
	for j := range row {
		n, k := row[j].Present, b.sortedIndex[row[j].Class]
		gains[j] = b.logs.Of(n, alpha) - sparse.Finite(unseen) - b.lacking(k, alpha)
		if rest := b.statistics.weight[k] - n; rest+alpha > 0 {
			gains[j] -= b.logs.Of(rest, alpha)
		} else { // a certain term is not among the absent ones
			gains[j] -= sparse.Log(b.statistics.weight[k] + 2*alpha)
		}
	}
	return unseen
}

// lacking returns what a term adds to a class that lacks it, beside ln α.
func (b *bernoulli) lacking(k int, alpha float64) float64 {
	if b.alpha.of == nil {
		return b.bias[k]
	}
	return -sparse.Finite(sparse.Log(b.statistics.weight[k] + alpha))
}

// isCertain reports whether feature i has probability one in class k.
func (b *bernoulli) isCertain(i, k int) bool {
	return b.alpha.at(i) == 0 && b.statistics.weight[k] <= b.at(i, k).Present
}

func (b *bernoulli) add(joint []float64, x *bag) (known int) {
	for k, n := range b.none {
		joint[k] += n
	}
	known = b.linear.add(joint, x)
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
	missing := slices.Clone(b.certain)
	for i := range b.present(x) {
		for k := range missing {
			if b.isCertain(i, k) {
				missing[k]--
			}
		}
	}
	return missing
}

// present yields the known features that are present in x.
func (b *bernoulli) present(x *bag) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, f := range x.Terms {
			if i, ok := b.lookup(f); ok && f.Value > b.threshold && !yield(i) {
				return
			}
		}
	}
}

// weights sets ln P(t|c) of term i by class.
func (b *bernoulli) weights(weights []float64, i int) {
	b.eachClass(i, func(k int, n, alpha float64) {
		weights[k] = logRatio(sparse.Log(n+alpha), sparse.Log(b.statistics.weight[k]+2*alpha))
	})
}

// eachClass calls f for each class with what was counted of feature i, and its smoothing.
func (b *bernoulli) eachClass(i int, f func(k int, n, alpha float64)) {
	counts := make([]float64, len(b.classes))
	for _, c := range b.rows.At(i) {
		counts[b.sortedIndex[c.Class]] = c.Present
	}
	for k, n := range counts {
		f(k, n, b.alpha.at(i))
	}
}

func (b *bernoulli) weigh(f bags.Term) ([]float64, bool) {
	i, ok := b.lookup(f)
	if !ok || f.Value <= b.threshold {
		return nil, false
	}
	scores := make([]float64, len(b.classes))
	b.weights(scores, i)
	return scores, true
}

func (b *bernoulli) rest(x *bag) []float64 {
	rest := slices.Clone(b.none)
	for i := range b.present(x) {
		b.eachClass(i, func(k int, n, alpha float64) { rest[k] -= sparse.Finite(b.absent(k, n, alpha)) })
	}
	for k, n := range b.missing(x) {
		if n > 0 {
			rest[k] = math.Inf(-1)
		}
	}
	return rest
}

func (b *bernoulli) counted() bool { return false }
