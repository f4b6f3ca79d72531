package bayes

import (
	"fmt"
	"math"

	"bayes/internal/bags"
	"bayes/internal/intervals"
)

var _ EventModel = Discrete{}

// Discrete models each number by the interval that it falls in, as a category. The intervals are
// cut where they tell most of the class: recursively at the value that lowers the classes'
// entropy most, as long as that is worth more bits than it takes to write down the cut (Fayyad
// and Irani 1993),
//
//	gain > (log₂(N-1) + log₂(3^k - 2) - k·E + k₁·E₁ + k₂·E₂) / N,
//
// where k, k₁ and k₂ are how many classes the whole and the halves have, and E their entropies.
// A number with no such cut is a single interval and says nothing.
//
// It needs the values themselves, so the [Space] must say NumberValues. As the cuts are made in
// Fit, from the counts being fitted, counts go on adding, and cross-validation cuts anew in each
// fold.
type Discrete struct {
	Prior     Prior     // nil means EmpiricalPrior
	Smoothing Smoothing // nil means Additive(1)
}

func parseDiscrete(o *options) EventModel {
	return Discrete{Prior: o.prior(), Smoothing: o.smoothing()}
}

func (m Discrete) String() string {
	return fmt.Sprintf("discrete smoothing=%v prior=%v", orLaplace(m.Smoothing), orEmpirical(m.Prior))
}

func (m Discrete) prior() Prior { return m.Prior }

func (m Discrete) withSmoothing(s Smoothing) EventModel { m.Smoothing = s; return m }

func (m Discrete) models(kind attrKind) bool { return kind == numberAttr }

func (m Discrete) fit(blocks []*statistics) ([]likelihood, error) { return fitEach(blocks, m.fitBlock) }

func (m Discrete) fitBlock(s *statistics) (*discrete, error) {
	if err := noEvidence("discrete", m.Smoothing); err != nil {
		return nil, err
	}
	values, err := s.values("discrete")
	if err != nil {
		return nil, err
	}
	// The cuts are chosen from the values of all classes, then each class is counted between them.
	d := &discrete{statistics: s, cuts: intervals.Cut(values)}
	d.bins, d.totals = intervals.Count(values, d.cuts)
	// An interval is to smoothing what a term is: one of len(d.bins) outcomes.
	alpha, err := orLaplace(m.Smoothing).pseudocounts(&statistics{size: len(d.bins)})
	if err != nil {
		return nil, err
	}
	d.alpha = alpha
	return d, nil
}

// discrete is the fitted form of [Discrete] for one number.
type discrete struct {
	*statistics
	cuts   []float64   // rising
	bins   [][]float64 // weight, by interval and class
	totals []float64   // weight, by class
	alpha  pseudocounts
}

func (d *discrete) data() *statistics { return d.statistics }

func (d *discrete) add(joint []float64, x *bag) int {
	b := intervals.Of(x.Terms[0].Value, d.cuts)
	for k := range joint {
		joint[k] += d.logP(b, k)
	}
	return 1
}

// logP returns the logarithm of the share of interval b in class k. A class that never had the
// number says nothing of it.
func (d *discrete) logP(b, k int) float64 {
	if d.totals[k]+d.alpha.total == 0 {
		return 0
	}
	return logRatio(math.Log(d.bins[b][k]+d.alpha.each), math.Log(d.totals[k]+d.alpha.total))
}

func (d *discrete) weigh(f bags.Term) ([]float64, bool) {
	scores := make([]float64, len(d.classes))
	for k := range scores {
		scores[k] = d.logP(intervals.Of(f.Value, d.cuts), k)
	}
	return scores, true
}

func (d *discrete) rest(*bag) []float64 { return nil }

func (d *discrete) counted() bool { return false }

func (d *discrete) factors(f bags.Term) (list []Factor) {
	for k, n := range d.bins[intervals.Of(f.Value, d.cuts)] {
		list = append(list, Factor{Count: n, Smoothing: d.alpha.each, Total: d.totals[k], TotalSmoothing: d.alpha.total})
	}
	return list
}
