package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"bayes/internal/vecmath"
)

// A pairView is what is known of a pair of an example and a label: 1, and what each view says.
type pairView [3]float64

// A setFit holds what an audit of several labels has learned of all pairs.
type setFit struct {
	weight         pairView
	missing, added float64 // by which labels that belong there are not given, and labels that do not are
	wrong          float64 // the share of what is given that does not belong there
	rooted         bool    // whether the first view is divided by the root of the number of distinct features

	wrongFactor, missingFactor float64 // log Bayes factors: that a label is wrong by its being given, and missing by its not being given
}

// odds returns the log-odds that a label belongs there.
func (f *setFit) odds(v pairView) float64 {
	return f.weight[0]*v[0] + f.weight[1]*v[1] + f.weight[2]*v[2]
}

// Weights and shares are fitted to as many examples as have mostPairs pairs, but not to fewer than fewestPaired, and the
// first view is chosen by a quarter of them.
const mostPairs, fewestPaired = 1 << 18, 300

// fit takes for the first view that of plain under which what is given is most probable, divided by the root of the number of
// distinct features or as it is, and sets weights and shares. The shares are zero unless that costs more than 2·ln n of the
// log-likelihood of n pairs, ln n for each.
func (a *setAuditor) fit(plain []*SetScores) {
	sample := rand.New(rand.NewPCG(1, 2)).Perm(a.c.Len())
	sample = sample[:min(len(sample), max(fewestPaired, mostPairs/len(a.classes)))]
	some := sample[:min(len(sample), max(fewestPaired, len(sample)/4))]
	least, best, first := math.Inf(1), a.setFit, plain[0]
	for _, a.rooted = range []bool{true, false} {
		for _, a.views[0] = range plain {
			f := newPairFit(a, some)
			if f.maximise(false); f.loss < least {
				least, best, first = f.loss, f.setFit, a.views[0]
			}
		}
	}
	a.setFit, a.views[0] = best, first
	clean := newPairFit(a, sample)
	clean.maximise(false)
	noisy := *clean
	noisy.missing, noisy.added = 0.05, 0.05*noisy.rate
	if noisy.maximise(true); clean.loss-noisy.loss > 2*math.Log(float64(len(clean.pairs))) {
		clean = &noisy
	}
	a.setFit = clean.setFit
}

// A pairFit fits weights and shares to pairs.
type pairFit struct {
	setFit
	pairs []pairView
	given []bool
	rate  float64 // of the pairs that are given to those that are not
	loss  float64 // of what is given: the negative log-likelihood, with a ridge
}

// newPairFit returns one of the pairs of some examples, with weights under which each pair is as probable as all are.
func newPairFit(a *setAuditor, examples []int) *pairFit {
	f := &pairFit{setFit: setFit{rooted: a.rooted}}
	n := 0.0
	for _, i := range examples {
		for k := range a.classes {
			if !a.knows(i, k) {
				continue
			}
			is := slices.Contains(a.truth[i], k)
			if f.pairs, f.given = append(f.pairs, a.look(i, k)), append(f.given, is); is {
				n++
			}
		}
	}
	f.rate = (n + 0.5) / (float64(len(f.pairs)) - n + 0.5)
	f.weight[0] = math.Log(f.rate)
	return f
}

// maximise finds the weights, and the shares if they are to be found too: each step is one of Newton's method for the weights,
// given the probability that each label belongs there, and sets the shares to what these probabilities come to (a generalised
// EM; Bootkrajang and Kabán 2012, "Label-noise robust logistic regression and its applications"). It ends when a step gains less than a hundredth.
func (f *pairFit) maximise(shares bool) {
	const gained = 0.01
	good, s := f.setFit, f.slopes()
	f.loss = s.loss
	for range 200 {
		f.step(&s, shares)
		next := f.slopes()
		for range 30 {
			if next.loss <= f.loss {
				break
			}
			f.setFit = f.halfWay(&good)
			next = f.slopes()
		}
		if next.loss > f.loss { // no step is short enough
			break
		}
		gain := f.loss - next.loss
		good, s, f.loss = f.setFit, next, next.loss
		if gain < gained {
			break
		}
	}
	f.setFit, f.wrong = good, s.wrong/max(1, s.given)
	missing, added := max(f.missing, 1/max(2, s.belongs)), max(f.added, 1/max(2, s.absent))
	f.wrongFactor, f.missingFactor = math.Log(added/(1-missing)), math.Log(missing/(1-added))
}

// halfWay returns what is between f and what it was.
func (f *setFit) halfWay(was *setFit) setFit {
	mid := *f
	for j := range mid.weight {
		mid.weight[j] = (f.weight[j] + was.weight[j]) / 2
	}
	mid.missing, mid.added = (f.missing+was.missing)/2, (f.added+was.added)/2
	return mid
}

// pairSlopes are sums over pairs: the loss, its derivatives by the weights, and what belongs there.
type pairSlopes struct {
	loss                   float64
	first                  pairView
	second                 [3][3]float64
	belongs, given         float64 // how many labels belong there, and are given
	missing, wrong, absent float64 // of these how many are missing and wrong, and how many pairs belong not
}

// pairRidge keeps the weights of views finite where these leave no doubt.
const pairRidge = 1

// slopes adds up the pairs.
func (f *pairFit) slopes() (s pairSlopes) {
	for n, v := range f.pairs {
		odds := f.odds(v)
		p, q := math.Exp(vecmath.LogSigmoid(odds)), math.Exp(vecmath.LogSigmoid(-odds))
		is, not := f.missing*p, (1-f.added)*q // that it is not given, and belongs there or not
		if f.given[n] {
			is, not = (1-f.missing)*p, f.added*q
		}
		r := is / (is + not) // that it belongs there, given what is given
		if all := is + not; all > 0 {
			s.loss -= math.Log(all)
		} else {
			s.loss += farthestDoubt
			r = p
		}
		if s.belongs, s.absent = s.belongs+r, s.absent+1-r; f.given[n] {
			s.given, s.wrong = s.given+1, s.wrong+1-r
		} else {
			s.missing += r
		}
		for j, x := range v {
			s.first[j] += (p - r) * x
			for l, y := range v[:j+1] {
				s.second[j][l] += p * q * x * y
			}
		}
	}
	for j := 1; j < len(s.first); j++ {
		s.loss += pairRidge * f.weight[j] * f.weight[j] / 2
		s.first[j] += pairRidge * f.weight[j]
		s.second[j][j] += pairRidge
	}
	s.second[0][0] += 1e-9
	return s
}

// step takes a step of Newton's method for the weights, and sets the shares.
func (f *pairFit) step(s *pairSlopes, shares bool) {
	for j, d := range solved(s.second, s.first) {
		f.weight[j] -= d
	}
	if shares {
		f.missing, f.added = min(s.missing/max(1, s.belongs), 0.5), min(s.wrong/max(1, s.absent), 0.5)
	}
}

// solved returns the solution of m·x = b, by the square root of m (Cholesky). The lower half of m is read.
func solved(m [3][3]float64, b pairView) pairView {
	for j := range m {
		for l := range j + 1 {
			for n := range l {
				m[j][l] -= m[j][n] * m[l][n]
			}
			if l < j {
				m[j][l] /= m[l][l]
			} else {
				m[j][j] = math.Sqrt(max(m[j][j], 1e-12))
			}
		}
	}
	for j := range b {
		for n := range j {
			b[j] -= m[j][n] * b[n]
		}
		b[j] /= m[j][j]
	}
	for j := len(b) - 1; j >= 0; j-- {
		for n := j + 1; n < len(b); n++ {
			b[j] -= m[n][j] * b[n]
		}
		b[j] /= m[j][j]
	}
	return b
}
