package bayes

import (
	"fmt"

	"bayes/internal/sparse"
)

var _ EventModel = Categorical{}

// Categorical models each category by a table of its values. With N(v,c) the weight of the
// examples of class c that have the value v, N(c) that of those that have any, and n values in
// all,
//
//	P(v|c) = (N(v,c) + α) / (N(c) + α·n)
//
// A category that a document lacks, or whose value no example had, says nothing: its factor is
// left out.
type Categorical struct {
	Prior     Prior     // nil means EmpiricalPrior
	Smoothing Smoothing // nil means Additive(1)
	MinValues int       // the least n, where fewer values were seen
}

func parseCategorical(o *options) EventModel {
	return Categorical{Prior: o.prior(), Smoothing: o.smoothing(), MinValues: o.Count("min-values")}
}

func (m Categorical) String() string {
	values := ""
	if m.MinValues > 0 {
		values = fmt.Sprintf(" min-values=%d", m.MinValues)
	}
	return fmt.Sprintf("categorical%s smoothing=%v prior=%v", values, orLaplace(m.Smoothing), orEmpirical(m.Prior))
}

func (m Categorical) prior() Prior { return m.Prior }

func (m Categorical) withSmoothing(s Smoothing) EventModel { m.Smoothing = s; return m }

func (m Categorical) models(kind attrKind) bool { return kind == categoryAttr }

func (m Categorical) fit(blocks []*statistics) ([]likelihood, error) {
	return fitEach(blocks, m.fitBlock)
}

func (m Categorical) fitBlock(s *statistics) (*categorical, error) {
	alpha, err := orLaplace(m.Smoothing).pseudocounts(s)
	if err != nil {
		return nil, err
	}
	// Values that nobody has seen share the probability too, so α counts for each of them.
	if more := m.MinValues - s.size; more > 0 {
		alpha.total += alpha.each * float64(more)
	}
	totals := s.totals(func(m sparse.Moments) float64 { return m.Present })
	logs := new(sparse.Logs)
	l := newLinear(s, func(i, k int, cell sparse.Moments, _ float64) Factor {
		return Factor{Count: cell.Present, Smoothing: alpha.at(i), Total: totals[k], TotalSmoothing: alpha.total}
	}, func(gains []float64, i int, row []sparse.Cell) (unseen float64) {
		// The weight is ln(N(v,c) + α) less the logarithm of the class's total, which is the bias.
		alpha := alpha.at(i)
		unseen = logs.Of(0, alpha)
		for j := range row {
			gains[j] = logs.Of(row[j].Present, alpha) - sparse.Finite(unseen)
		}
		return unseen
	})
	l.setBias(totals, alpha.total)
	return &categorical{l}, nil
}

// categorical is the fitted form of [Categorical]. A class that never had the category cannot
// tell its values apart: unsmoothed, it says nothing.
type categorical struct{ *linear }

func (c *categorical) counted() bool { return false }
