package bayes

import (
	"fmt"

	"bayes/internal/sparse"
	"bayes/internal/specgrammar"
	"bayes/internal/sweep"
)

var _ EventModel = Multinomial{}

// Multinomial models a document as independent draws of its terms. It is the
// default choice for text. With T(t,c) the sum of the values of term t in class
// c, V the vocabulary and α the smoothing,
//
//	P(t|c) = (T(t,c) + α) / (Σ T(t',c) + α·|V|)
//	ln P(c,d) = ln P(c) + Σ tf(t,d) · ln P(t|c)
//
// (Manning, Raghavan and Schütze, Introduction to Information Retrieval, 13.2).
//
// With a Tree, the estimate of a class is shrunk to those of the labels above it, by shares λ of its own that
// sum to 1,
//
//	P(t|c) = λ(0)·T(t,c)/T(c) + λ(1)·T(t,parent)/T(parent) + … + λ(root)·(T(t) + α)/(T + α·|V|)
//
// where the counts of a label above are those of all classes below it. The shares are those under which the
// terms of the class are most probable by estimates of other documents; Fit finds them (McCallum, Rosenfeld,
// Mitchell and Ng 1998, "Improving text classification by shrinkage in a hierarchy of classes").
type Multinomial struct {
	Prior     Prior     // nil means EmpiricalPrior
	Smoothing Smoothing // nil means Additive(1)
	Tree      string    // what separates the parts of labels that are paths, such as / of sport/football; empty if they are none
}

// parseTree returns the separator of labels; empty if it is not given.
func parseTree(o *options) (separator string) {
	o.each("tree", func(value string) (err error) { separator, err = specgrammar.Unquote(value); return err })
	return separator
}

func parseMultinomial(o *options) EventModel {
	return Multinomial{Prior: o.prior(), Smoothing: o.smoothing(), Tree: parseTree(o)}
}

func (m Multinomial) String() string {
	return fmt.Sprintf("multinomial smoothing=%v prior=%v", orLaplace(m.Smoothing), orEmpirical(m.Prior)) + specgrammar.Option("tree", m.Tree)
}

func (m Multinomial) prior() Prior { return m.Prior }

func (m Multinomial) tree() string { return m.Tree }

func (m Multinomial) withSmoothing(s Smoothing) EventModel { m.Smoothing = s; return m }

func (m Multinomial) fitsLabels() {}

func (m Multinomial) models(kind attrKind) bool { return kind == textAttr }

func (m Multinomial) grid() (place gridPlace, ok bool) {
	place.alpha, ok = additive(m.Smoothing)
	m.Smoothing = nil
	place.key, place.model, place.kind = m.String(), m, sweep.Multinomial
	return place, ok && m.Tree == ""
}

func (m Multinomial) fit(blocks []*statistics) ([]likelihood, error) {
	return fitEach(blocks, m.fitBlock)
}

func (m Multinomial) fitBlock(s *statistics) (*linear, error) {
	alpha, err := orLaplace(m.Smoothing).pseudocounts(s)
	if err != nil {
		return nil, err
	}
	if err := s.nonNegative("multinomial"); err != nil {
		return nil, err
	}
	if s.sets != nil {
		l := newAgainstRest(s, alpha, 1)
		return l, l.shrink(m.Tree, alpha, 1)
	}
	totals := s.totalSums()
	logs := new(sparse.Logs)
	l := newLinear(s, func(i, k int, cell sparse.Moments, _ float64) Factor {
		return Factor{Count: cell.Sum, Smoothing: alpha.at(i), Total: totals[k], TotalSmoothing: alpha.total}
	}, func(gains []float64, i int, row []sparse.Cell) (unseen float64) {
		// The weight is ln(T(t,c) + α) less the logarithm of the class's total, which is the bias.
		alpha := alpha.at(i)
		unseen = logs.Of(0, alpha)
		for j := range row {
			gains[j] = logs.Of(row[j].Sum, alpha) - sparse.Finite(unseen)
		}
		return unseen
	})
	l.setBias(totals, alpha.total)
	return l, l.shrink(m.Tree, alpha, 1)
}
