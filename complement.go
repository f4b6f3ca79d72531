package bayes

import (
	"errors"
	"fmt"
	"math"

	"bayes/internal/doubledouble"
	"bayes/internal/sparse"
	"bayes/internal/sweep"
)

var _ EventModel = Complement{}

// Complement models what is not of a class, and scores a class by how badly the
// document fits there. It suits classes of very different sizes. With T(t,c) as
// in [Multinomial] and ¬c for all classes but c,
//
//	P(t|¬c) = (T(t,¬c) + α) / (Σ T(t',¬c) + α·|V|)
//	score(c,d) = Σ tf(t,d) · w(t,c),  w(t,c) = -ln P(t|¬c)
//
// and with Normalize each w(t,c) is divided by Σ |w(t',c)|, so that long classes
// do not dominate (Rennie, Shih, Teevan and Karger 2003, table 4, steps 4 to 8).
// As in scikit-learn, the prior counts only where there is a single class.
type Complement struct {
	Prior     Prior     // nil means EmpiricalPrior
	Smoothing Smoothing // nil means Additive(1)
	Normalize bool      // normalise the weights of each class
}

func parseComplement(o *options) EventModel {
	return Complement{Prior: o.prior(), Smoothing: o.smoothing(), Normalize: o.flag("norm")}
}

func (m Complement) String() string {
	norm := ""
	if m.Normalize {
		norm = " norm"
	}
	return fmt.Sprintf("complement%s smoothing=%v prior=%v", norm, orLaplace(m.Smoothing), orEmpirical(m.Prior))
}

func (m Complement) prior() Prior { return m.Prior }

func (m Complement) withSmoothing(s Smoothing) EventModel { m.Smoothing = s; return m }

func (m Complement) weightBytes(classes, features int) int64 {
	return 8 * int64(classes) * int64(features)
}

func (m Complement) ignoresPrior(classes int) bool { return classes > 1 }

func (m Complement) models(kind attrKind) bool { return kind == textAttr }

func (m Complement) grid() (place gridPlace, ok bool) {
	place.alpha, ok = additive(m.Smoothing)
	m.Smoothing = nil
	place.key, place.model, place.kind = m.String(), m, sweep.Complement
	if m.Normalize {
		place.kind = sweep.NormalizedComplement
	}
	return place, ok
}

func (m Complement) fit(blocks []*statistics) ([]likelihood, error) {
	return fitEach(blocks, m.fitBlock)
}

func (m Complement) fitBlock(s *statistics) (*linear, error) {
	alpha, err := orLaplace(m.Smoothing).pseudocounts(s)
	if err != nil {
		return nil, err
	}
	if err := s.nonNegative("complement"); err != nil {
		return nil, err
	}
	if m.Normalize && alpha.zero() {
		return nil, errors.New("complement: normalised weights need a smoothing above 0")
	}
	// The norm is known only when all weights are, so it is 1 until finish sets it. Factors read
	// it when an explanation asks for them.
	others := s.complementTotals()
	norm := make([]float64, len(s.classes))
	logTotals := make([]float64, len(s.classes))
	for k, n := range others {
		norm[k], logTotals[k] = 1, math.Log(n+alpha.total)
	}
	l := newLinear(s, func(i, k int) Factor {
		return Factor{
			Count: sparse.RowSum(s.rows[i]) - s.at(i, k).Sum, Smoothing: alpha.at(i),
			Total: others[k], TotalSmoothing: alpha.total,
			Complement: true, Norm: norm[k],
		}
	})
	l.fill = func(from, to int) {
		var logs smoothedLogs
		for i := from; i < to; i++ {
			if !s.has(i) {
				continue
			}
			// A class that lacks the term has its whole sum as complement.
			weights, all, alpha := l.row(i), sparse.RowSum(s.rows[i]), alpha.at(i)
			unseen := logs.of(all, alpha)
			for k, n := range logTotals {
				weights[k] = -logRatio(unseen, n)
			}
			for _, c := range s.rows[i] {
				k := s.sortedIndex[c.Class]
				weights[k] = -logRatio(logs.of(all-c.Sum, alpha), logTotals[k])
			}
		}
	}
	if m.Normalize {
		l.finish = func() { l.normalize(norm) }
	}
	return l, nil
}

// complementTotals returns Σ T(t,¬c) for each class c.
func (s *statistics) complementTotals() []float64 {
	return sweep.Complements(s.totalSums())
}

// normalize divides the weights of each class by their sum, which it leaves in
// norm.
func (l *linear) normalize(norm []float64) {
	for k := range norm {
		var sum doubledouble.Sum
		for i := range l.rows {
			sum.Add(l.row(i)[k])
		}
		norm[k] = sweep.Norm(sum.Float())
		for i := range l.rows {
			l.row(i)[k] /= norm[k]
		}
	}
}
