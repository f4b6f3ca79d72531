package bayes

import (
	"errors"
	"fmt"
	"math"

	"bayes/internal/bags"
	"bayes/internal/chisquare"
)

var (
	_ EventModel = fisher{}
	_ weighted   = fisher{}
)

// fisher scores a document of two classes as bogofilter does: Robinson's estimate f of each term, and
// Fisher's combination of those that say something. Where n(t) examples have term t, and p(t) is the share
// of the second class among them, were the classes of one size,
//
//	f(t) = (s·x + n(t)·p(t)) / (s + n(t))
//	P(2nd|d) = (1 + Q(-2 Σ ln f, 2m) - Q(-2 Σ ln(1-f), 2m)) / 2
//
// over the m terms whose f is more than a least deviation from ½; Q is the upper tail of chi-square.
// A term that is not known has f = x (Robinson 2003, "A statistical approach to the spam problem"). The
// prior is no part of it. It is its own fitted form, once it has statistics. [ParseEventModel] makes it.
type fisher struct {
	*statistics
	chisquare.Rule
}

func parseFisher(o *options) EventModel {
	m := fisher{Rule: chisquare.Rule{Strength: 0.0178, X: 0.52, Deviation: 0.375}} // as bogofilter has them
	for key, v := range map[string]*float64{"robs": &m.Strength, "robx": &m.X, "min-dev": &m.Deviation} {
		if o.Flag(key) { // 0 is a number too
			*v = o.Number(key)
		}
	}
	return m
}

func (m fisher) String() string {
	return "fisher robs=" + formatFloat(m.Strength) + " robx=" + formatFloat(m.X) + " min-dev=" + formatFloat(m.Deviation)
}

func (m fisher) prior() Prior { return nil }

func (m fisher) scorePrior([]float64) []float64 { return nil }

func (m fisher) models(kind attrKind) bool { return kind == textAttr }

func (m fisher) fit(blocks []*statistics) ([]likelihood, error) {
	if !m.OK() {
		return nil, fmt.Errorf("%v: want robs above 0, robx between 0 and 1, and min-dev below 0.5", m)
	}
	return fitEach(blocks, func(s *statistics) (fisher, error) {
		if m.statistics = s; len(s.classes) != 2 {
			return m, errors.New("fisher tells two classes apart, and no more or less")
		}
		return m, nil
	})
}

func (m fisher) data() *statistics { return m.statistics }

// estimate is that of [chisquare.Rule], for term f.
func (m fisher) estimate(f bags.Term) (n, share, estimate float64, known bool) {
	i, known := m.lookup(f)
	if !known {
		return 0, 0, m.X, false
	}
	n, share, estimate = m.Estimate(m.at(i, 0).Present, m.at(i, 1).Present, m.weight[0], m.weight[1])
	return n, share, estimate, true
}

func (m fisher) add(joint []float64, x *bag) (known int) {
	var first, second float64
	n := 0
	for _, t := range x.Terms {
		_, _, f, ok := m.estimate(t)
		if ok {
			known++
		}
		if a, b := m.Logs(f); a != b && t.Value > m.threshold {
			first, second, n = first+a, second+b, n+1
		}
	}
	a, b := m.Combine(first, second, n)
	joint[0], joint[1] = joint[0]+a, joint[1]+b
	return known
}

func (m fisher) weigh(t bags.Term) (scores []float64, ok bool) {
	_, _, f, ok := m.estimate(t)
	if scores = make([]float64, 2); ok && t.Value > m.threshold {
		scores[0], scores[1] = m.Logs(f)
	}
	return scores, ok
}

func (m fisher) weights(weights []float64, i int) {
	scores, _ := m.weigh(bags.Term{ID: int32(i + 1), Value: math.Inf(1)})
	copy(weights, scores)
}

// rest returns what the combination makes of a document more or less than the sum over its terms.
func (m fisher) rest(x *bag) []float64 {
	rest := make([]float64, 2)
	m.add(rest, x)
	for _, t := range x.Terms {
		if scores, ok := m.weigh(t); ok {
			rest[0], rest[1] = rest[0]-scores[0], rest[1]-scores[1]
		}
	}
	return rest
}

func (m fisher) counted() bool { return false }

func (m fisher) factors(t bags.Term) []Factor {
	n, share, f, _ := m.estimate(t)
	return []Factor{
		{Count: n * (1 - share), Smoothing: m.Strength * (1 - m.X), Total: n, TotalSmoothing: m.Strength, Log: math.Log(1 - f)},
		{Count: n * share, Smoothing: m.Strength * m.X, Total: n, TotalSmoothing: m.Strength, Log: math.Log(f)},
	}
}
