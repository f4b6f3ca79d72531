package eval

import (
	"math"
	"math/rand/v2"
)

// Two weights and a share are fitted to as many examples as have mostFitted numbers in each view, but not to fewer than
// fewestFitted, by which the first view is chosen.
const mostFitted, fewestFitted = 1 << 17, 2000

// fit takes for the first view that of left with which the labels are most probable, divided by the root of the number of
// distinct features or as it is, and sets the weights and the share of wrong labels:
//
//	P(label) = (1 - wrong) · softmax(Σ weight·view)[label] + wrong / classes
//
// The share is zero unless that costs more than ln n of the log-likelihood of n labels: texts that tell little of
// their class are no sign of wrong labels. Words that go together make naive Bayes too sure of long texts; where they
// do not, as in texts of a few words, no root is needed.
func (a *auditor) fit(left []*Scores) {
	all := a.draw()
	a.sample = all[:min(len(all), fewestFitted)]
	a.weight = [2]float64{1, 1}
	if len(a.views) < 2 {
		a.weight[1] = 0
	}
	least, best, first := math.Inf(1), *a, left[0]
	for _, a.rooted = range []bool{true, false} {
		for _, a.views[0] = range left {
			if loss := a.maximise(0.05); loss < least {
				least, best, first = loss, *a, a.views[0]
			}
		}
	}
	*a, a.views[0], a.sample = best, first, all
	mixed := a.maximise(max(a.wrong, 0.001))
	weight, wrong := a.weight, a.wrong
	if a.maximise(0)-mixed > math.Log(float64(len(all))) {
		a.weight, a.wrong = weight, wrong
	}
}

// draw returns some examples in any order, none of a class that is not known without it.
func (a *auditor) draw() (sample []int) {
	most := max(fewestFitted, mostFitted/len(a.classes))
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(a.truth)) {
		if len(sample) < most && a.members[a.truth[i]] > 1 {
			sample = append(sample, i)
		}
	}
	return sample
}

// maximise finds the weights and the share of wrong labels, from the weights that are set and a share on, by
// steps of Newton's method for the share, and for the weights of the labels that are right. A share of zero stays. It ends when a step
// gains less than a hundredth of the log-likelihood, and returns the loss of the labels.
func (a *auditor) maximise(wrong float64) float64 {
	const gained = 0.01
	a.wrong = wrong
	a.look(a.sample...)
	good, share, loss := a.weight, a.wrong, math.Inf(1)
	for range 100 {
		s := a.slopes()
		if s.loss > loss { // too far: half way back
			a.weight = [2]float64{(a.weight[0] + good[0]) / 2, (a.weight[1] + good[1]) / 2}
			a.wrong = (a.wrong + share) / 2
			continue
		}
		gain := loss - s.loss
		loss, good, share = s.loss, a.weight, a.wrong
		if gain < gained {
			break
		}
		if wrong > 0 {
			a.wrong = min(max(a.wrong-s.slope/max(s.curve, 1e-9), a.wrong/5), 0.5)
		}
		a.move(&s)
	}
	a.weight, a.wrong = good, share
	return loss
}

// fitSlopes are sums over examples: the logarithmic loss, and its first and second derivatives, by the share of wrong labels
// and by the weights.
type fitSlopes struct {
	loss       float64
	slope      float64 // by the share of wrong labels
	curve      float64
	first      [2]float64
	xx, xy, yy float64
}

// slopes adds up the sample.
func (a *auditor) slopes() (s fitSlopes) {
	classes := len(a.classes)
	p, likelihood := make([]float64, classes), 1.0 // of as many labels as a number can hold that of
	for n, i := range a.sample {
		x, y := a.x[n*classes:][:classes], a.y[n*classes:][:classes]
		t, top, sum := a.truth[i], a.mix(x, y, p), 0.0
		own := p[t] - top
		for k, v := range p {
			p[k] = math.Exp(v - top)
			sum += p[k]
		}
		var mx, my, xx, xy, yy float64
		for k := range p {
			p[k] /= sum
			v := p[k]
			mx, my = mx+v*x[k], my+v*y[k]
			xx, xy, yy = xx+v*x[k]*x[k], xy+v*x[k]*y[k], yy+v*y[k]*y[k]
		}
		right := 1.0
		if a.wrong > 0 {
			right = (1 - a.wrong) * p[t]
			all := right + a.wrong/float64(classes)
			right /= all
			if likelihood *= all; likelihood < 1e-250 {
				s.loss -= math.Log(likelihood)
				likelihood = 1
			}
			tilt := (1/float64(classes) - p[t]) / all
			s.slope, s.curve = s.slope-tilt, s.curve+tilt*tilt
		} else {
			s.loss -= own - math.Log(sum)
		}
		s.first[0] += right * (mx - x[t])
		s.first[1] += right * (my - y[t])
		s.xx, s.xy, s.yy = s.xx+right*(xx-mx*mx), s.xy+right*(xy-mx*my), s.yy+right*(yy-my*my)
	}
	s.loss -= math.Log(likelihood)
	return s
}

// move takes a step of Newton's method, with a ridge of one on the weights, so that examples that are all
// right have finite ones. A weight that would fall below a fifth, or rise above the fivefold, goes that far; then the
// two go their own ways, half of a step each.
func (a *auditor) move(s *fitSlopes) {
	const ridge = 1
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
