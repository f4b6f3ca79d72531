package bayes

import (
	"context"
	"fmt"
	"iter"
	"math"

	"bayes/internal/dd"
)

// LeaveOneOut returns the log loss of each event model where every example is
// predicted by a model of all the others: the mean of -ln P(label), of which none
// is taken for more than 52·ln 2, as where no other example has the label. c must
// be the Counts of these very examples; it is as before afterwards.
//
// For [Multinomial] with [Additive] smoothing above 0 on text alone, no model is fitted:
// what an example changes is worked out from its own features, exactly, so that
// it costs about as much as predicting. Any other event model is fitted anew for
// each example, which takes time in the square of the data.
func LeaveOneOut(ctx context.Context, c *Counts, examples iter.Seq2[Example, error], ems []EventModel) ([]float64, error) {
	blocks, err := gather(c)
	if err != nil {
		return nil, err
	}
	losses := make([]dd.Sum, len(ems))
	leave := make([]func(ex *Example, x *bag) (float64, error), len(ems))
	for i, em := range ems {
		m, ok := em.(Multinomial)
		smoothing, additive := orLaplace(m.Smoothing).(Additive)
		if ok && additive && smoothing > 0 && len(blocks) == 1 {
			leave[i], err = leaveMultinomial(blocks[0], m, smoothing)
		} else {
			leave[i] = leaveAny(c, em)
		}
		if err != nil {
			return nil, err
		}
	}
	e := newExtractor(c.space)
	n := 0
	for ex, err := range examples {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		n++
		x := e.extract(ex.Document()).bags[0]
		for i := range ems {
			logP, err := leave[i](&ex, &x)
			if err != nil {
				return nil, err
			}
			losses[i].Add(min(-logP, 52*math.Ln2))
		}
	}
	mean := make([]float64, len(ems))
	for i := range losses {
		mean[i] = losses[i].Float() / math.Max(1, float64(n))
	}
	return mean, nil
}

// leaveAny fits em to all examples but one.
func leaveAny(c *Counts, em EventModel) func(ex *Example, x *bag) (float64, error) {
	return func(ex *Example, _ *bag) (float64, error) {
		c.Unlearn(*ex)
		defer c.Learn(*ex)
		m, err := Fit(c, em)
		if err == ErrEmpty {
			return math.Inf(-1), nil
		}
		if err != nil {
			return 0, err
		}
		for _, p := range m.Predict(ex.Document()).Classes {
			if p.Class == ex.Label {
				return p.LogP, nil
			}
		}
		return math.Inf(-1), nil
	}
}

// leaveMultinomial works out what the multinomial model of all examples but one
// says of that one: its features are taken off its class, features that it alone
// has off the vocabulary.
func leaveMultinomial(s *sums, m Multinomial, alpha Additive) (func(ex *Example, x *bag) (float64, error), error) {
	if _, err := alpha.imagine(s); err != nil {
		return nil, err
	}
	if err := s.nonNegative("multinomial"); err != nil {
		return nil, err
	}
	prior := orEmpirical(m.Prior)
	totals := s.totals(func(m Moments) float64 { return m.Sum })
	number := make(map[string]int)
	for k, label := range s.classes {
		number[label] = k
	}
	joint, logs := make([]float64, len(s.classes)), newLogTable(float64(alpha))
	return func(ex *Example, x *bag) (float64, error) {
		own, ok := number[ex.Label]
		if !ok {
			return 0, fmt.Errorf("bayes: leave-one-out: an example of class %q was not counted", ex.Label)
		}
		if s.examples[own] <= 1 {
			return math.Inf(-1), nil
		}
		w := ex.weight()
		s.weight[own] -= w
		logPrior, err := prior.logPrior(s)
		s.weight[own] += w
		if err != nil {
			return 0, err
		}
		copy(joint, logPrior)
		s.leave(x, own, w, logs, totals, joint)
		if !normalize(joint) {
			copy(joint, logPrior)
			normalize(joint)
		}
		return joint[own], nil
	}, nil
}

// leave adds ln P(x|c) to joint, by the sums without x, which is of class own
// and weight w. A feature that a class lacks adds ln α there; that is added to
// all classes at once, and made good in those that have the feature.
func (s *sums) leave(x *bag, own int, w float64, logs *logTable, totals, joint []float64) {
	size, length, kept, unseen := s.size, 0.0, 0.0, 0.0 // of the vocabulary without x; of x; of what is left of it; its ln α
	for _, f := range x.terms {
		i, ok := s.lookup(f)
		if !ok {
			continue
		}
		length += f.value
		row := s.rows[i]
		if !s.declared && len(row) == 1 && row[0].Examples == 1 {
			size--
			continue
		}
		kept += f.value
		unseen += f.value * logs.of(0)
		for _, c := range row {
			k, count := s.position[c.class], c.Sum
			if k == own {
				count -= w * f.value
			}
			joint[k] += f.value * (logs.of(count) - logs.of(0))
		}
	}
	if kept == 0 {
		return
	}
	imagined := logs.alpha * float64(size)
	for k := range joint {
		total := totals[k]
		if k == own {
			total -= w * length
		}
		joint[k] += unseen - kept*math.Log(total+imagined)
	}
}

// A logTable gives ln(n + α), α above 0, which it has at hand for small whole n.
type logTable struct {
	alpha float64
	small [1024]float64
}

func newLogTable(alpha float64) *logTable {
	t := &logTable{alpha: alpha}
	for n := range t.small {
		t.small[n] = math.Log(float64(n) + alpha)
	}
	return t
}

func (t *logTable) of(n float64) float64 {
	if i := int(n); i >= 0 && i < len(t.small) && float64(i) == n {
		return t.small[i]
	}
	return math.Log(n + t.alpha)
}
