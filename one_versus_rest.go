package bayes

import (
	"fmt"

	"bayes/internal/specgrammar"
	"bayes/internal/sweep"
)

var _ EventModel = OneVersusRest{}

// OneVersusRest asks of each class whether a document is of it or of the rest: it takes what
// [Multinomial] and [Complement] say of a term together. It suits many classes. With P(t|c) and
// P(t|¬c) as there,
//
//	score(c,d) = ½ · [ln P(c)/(1-P(c)) + Σ tf(t,d) · ln P(t|c)/P(t|¬c)]
//
// (one-versus-all-but-one of Rennie, Shih, Teevan and Karger 2003, section 3.1). Of two classes each
// is the rest of the other, and the log-odds between them would be counted twice. Half the sum makes the probabilities those of
// Multinomial then. In [Mixed] the prior counts as ln P(c).
//
// Where a document may have several labels, see [Space], each is a question by itself, and the score is the
// whole sum, with P(c) the share of the documents that have label c and ¬c all that have it not. [Multinomial]
// is the same model there.
type OneVersusRest struct {
	Prior     Prior     // nil means EmpiricalPrior
	Smoothing Smoothing // nil means Additive(1)
	Tree      string    // as of [Multinomial]: P(t|c) is shrunk, and P(t|¬c) is as ever
}

func parseOneVersusRest(o *options) EventModel {
	return OneVersusRest{Prior: o.prior(), Smoothing: o.smoothing(), Tree: parseTree(o)}
}

func (m OneVersusRest) String() string {
	return fmt.Sprintf("one-versus-rest smoothing=%v prior=%v", orLaplace(m.Smoothing), orEmpirical(m.Prior)) + specgrammar.Option("tree", m.Tree)
}

func (m OneVersusRest) prior() Prior { return m.Prior }

func (m OneVersusRest) tree() string { return m.Tree }

func (m OneVersusRest) withSmoothing(s Smoothing) EventModel { m.Smoothing = s; return m }

func (m OneVersusRest) scorePrior(logPrior []float64) []float64 { return sweep.HalfLogOdds(logPrior) }

func (m OneVersusRest) fitsLabels() {}

func (m OneVersusRest) models(kind attrKind) bool { return kind == textAttr }

func (m OneVersusRest) grid() (place gridPlace, ok bool) {
	place.alpha, ok = additive(m.Smoothing)
	m.Smoothing = nil
	place.key, place.model, place.kind = m.String(), m, sweep.OneVersusRest
	return place, ok && m.Tree == ""
}

func (m OneVersusRest) fit(blocks []*statistics) ([]likelihood, error) {
	return fitEach(blocks, m.fitBlock)
}

func (m OneVersusRest) fitBlock(s *statistics) (*linear, error) {
	alpha, err := orLaplace(m.Smoothing).pseudocounts(s)
	if err != nil {
		return nil, err
	}
	if err := s.nonNegative("one-versus-rest"); err != nil {
		return nil, err
	}
	share := 0.5
	if s.sets != nil { // each label has a rest of its own, and nothing is counted twice
		share = 1
	}
	l := newAgainstRest(s, alpha, share)
	return l, l.shrink(m.Tree, alpha, share)
}
