package eval

import (
	"math"
)

// mostFitted is how many numbers of each view are read to fit two weights and a share.
const mostFitted = 4_000_000

// fit sets the weights and the share of wrong labels under which the labels are most probable:
//
//	P(label) = (1 - wrong) · softmax(Σ weight·view)[label] + wrong / classes
//
// The share is zero unless that costs more than ln n of the log-likelihood of n labels: texts that tell little of
// their class are no sign of wrong labels.
//
// It returns the loss of the labels.
func (a *auditor) fit() float64 {
	loss, n := a.maximise(0)
	weight := a.weight
	mixed, _ := a.maximise(0.05)
	if !(loss-mixed > math.Log(n)) {
		a.weight, a.wrong = weight, 0
		return loss
	}
	return mixed
}

// maximise finds the weights and the share of wrong labels, from a share on, by expectation and maximisation
// with steps of Newton's method for the weights. A share of zero stays. It returns the loss of n labels.
func (a *auditor) maximise(wrong float64) (loss, n float64) {
	a.weight, a.wrong = [2]float64{1, 1}, wrong
	if len(a.views) < 2 {
		a.weight[1] = 0
	}
	step := 1 + a.c.Len()*len(a.classes)/mostFitted
	loss = math.Inf(1)
	good, share := a.weight, a.wrong
	for range 100 {
		s := a.slopes(step)
		if s.loss > loss { // too far: half way back
			a.weight = [2]float64{(a.weight[0] + good[0]) / 2, (a.weight[1] + good[1]) / 2}
			a.wrong = (a.wrong + share) / 2
			continue
		}
		gain := loss - s.loss
		loss, n, good, share = s.loss, max(1, s.n), a.weight, a.wrong
		if gain < 1e-9*loss {
			break
		}
		a.wrong = min(s.wrong/n, 0.5)
		a.move(&s)
	}
	a.weight, a.wrong = good, share
	return loss, n
}

// fitSlopes are sums over examples: how many, how many of them wrong, the logarithmic loss, and its
// derivatives by the weights, first and second.
type fitSlopes struct {
	n, wrong   float64
	loss       float64
	first      [2]float64
	xx, xy, yy float64
}

// slopes adds up each step-th example.
func (a *auditor) slopes(step int) (s fitSlopes) {
	logP := make([]float64, len(a.classes))
	first := a.views[0]
	last := a.views[len(a.views)-1]
	for i := 0; i < len(a.truth); i += step {
		if a.members[a.truth[i]] < 2 {
			continue
		}
		a.judge(i, logP)
		x, y := first.LogP(i), last.LogP(i)
		var mx, my, xx, xy, yy float64
		for k, v := range logP {
			p := math.Exp(v)
			mx, my = mx+p*x[k], my+p*y[k]
			xx, xy, yy = xx+p*x[k]*x[k], xy+p*x[k]*y[k], yy+p*y[k]*y[k]
		}
		t := a.truth[i]
		right := 1.0
		if a.wrong > 0 {
			right = (1 - a.wrong) * math.Exp(logP[t])
			all := right + a.wrong/float64(len(logP))
			right /= all
			s.loss -= math.Log(all)
		} else {
			s.loss -= logP[t]
		}
		s.n, s.wrong = s.n+1, s.wrong+1-right
		s.first[0] += right * (mx - x[t])
		s.first[1] += right * (my - y[t])
		s.xx, s.xy, s.yy = s.xx+right*(xx-mx*mx), s.xy+right*(xy-mx*my), s.yy+right*(yy-my*my)
	}
	return s
}

// move takes a step of Newton's method, with a little taken off each weight, so that examples that are all
// right have finite ones. A weight that would fall below a fifth, or rise above the fivefold, goes that far; then the
// two go their own ways, half of a step each.
func (a *auditor) move(s *fitSlopes) {
	const ridge = 1e-3
	gx, gy := s.first[0]+ridge*a.weight[0], s.first[1]+ridge*a.weight[1]
	xx, yy := s.xx+ridge, s.yy+ridge
	if len(a.views) == 1 {
		a.weight[0] = within(a.weight[0]-gx/xx, a.weight[0])
		return
	}
	d := xx*yy - s.xy*s.xy
	x, y := a.weight[0]-(yy*gx-s.xy*gy)/d, a.weight[1]-(xx*gy-s.xy*gx)/d
	if x != within(x, a.weight[0]) || y != within(y, a.weight[1]) {
		x, y = a.weight[0]-gx/xx/2, a.weight[1]-gy/yy/2
	}
	a.weight = [2]float64{within(x, a.weight[0]), within(y, a.weight[1])}
}

// within returns w, at least a fifth of what it was and at most the fivefold.
func within(w, was float64) float64 {
	if math.IsNaN(w) {
		return was
	}
	return min(max(w, was/5, 1e-6), was*5)
}
