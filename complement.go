package bayes

import (
	"errors"
	"fmt"
	"slices"

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

func (m Complement) scorePrior(logPrior []float64) []float64 {
	if len(logPrior) > 1 {
		return nil
	}
	return logPrior
}

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
	if m.Normalize && alpha.zero(s) {
		return nil, errors.New("complement: normalised weights need a smoothing above 0")
	}
	others := s.complementTotals()
	norm := slices.Repeat([]float64{1}, len(s.classes))
	logs := new(sparse.Logs)
	// The weight is -ln(T(t,¬c) + α) and the bias, over the norm. A class that lacks the term has its
	// whole sum as complement.
	gains := func(gains []float64, i int, row []sparse.Cell) (unseen float64) {
		all, alpha := sparse.RowSum(row), alpha.at(i)
		unseen = -logs.Of(all, alpha)
		for j := range row {
			gains[j] = -logs.Of(all-row[j].Sum, alpha) - sparse.Finite(unseen)
		}
		return unseen
	}
	l := newLinear(s, func(i, k int, cell sparse.Moments, all float64) Factor {
		return Factor{
			Count: all - cell.Sum, Smoothing: alpha.at(i),
			Total: others[k], TotalSmoothing: alpha.total,
			Complement: true, Norm: norm[k],
		}
	}, gains)
	l.setBias(others, alpha.total)
	for k, b := range l.bias {
		l.bias[k] = -b
	}
	if m.Normalize {
		l.normalize(norm)
	}
	return l, nil
}

// normalize divides the weights of each class by their sum, which it leaves in norm.
func (l *linear) normalize(norm []float64) {
	rule := l.rule()
	l.scale = make([]float64, len(norm))
	for k, sum := range rule.Sums(l.size, l.has) {
		norm[k] = sweep.Norm(sum)
		l.scale[k] = 1 / norm[k]
		l.bias[k] /= norm[k]
	}
	unscaled := l.gains
	l.gains = func(gains []float64, i int, row []sparse.Cell) (unseen float64) {
		unseen = unscaled(gains, i, row)
		for j, c := range row {
			gains[j] *= l.scale[l.sortedIndex[c.Class]]
		}
		return unseen
	}
}
