// Package chisquare combines the estimates of terms as Robinson's filters do, in logarithms, so that the
// tails of the chi-square distribution do not vanish.
package chisquare

import "math"

// A Rule is how much of a term's counts is believed.
type Rule struct {
	Strength  float64 // s: how many examples X is worth
	X         float64 // the estimate of a term that is not known
	Deviation float64 // terms whose estimate is no further from 1/2 say nothing
}

// OK reports whether the numbers of r can be used.
func (r Rule) OK() bool {
	return r.Strength > 0 && r.Strength < 1e9 && r.X > 0 && r.X < 1 && r.Deviation >= 0 && r.Deviation < 0.5
}

// Estimate returns in how many examples a term was, the share of the second class in them, were the
// classes of one size, and the estimate of that share, from what there is of the term and of both
// classes.
func (r Rule) Estimate(first, second, allFirst, allSecond float64) (n, share, estimate float64) {
	n = first + second
	if share = second * allFirst / (second*allFirst + first*allSecond); n == 0 || math.IsNaN(share) {
		return 0, 0, r.X
	}
	return n, share, (r.Strength*r.X + n*share) / (r.Strength + n)
}

// Logs returns the logarithms of an estimate for both classes, zero if it says nothing.
func (r Rule) Logs(estimate float64) (first, second float64) {
	if math.Abs(estimate-0.5) > r.Deviation {
		return math.Log(1 - estimate), math.Log(estimate)
	}
	return 0, 0
}

// Combine returns the logarithms of the probabilities of both classes, from the sums of the logarithms of
// n estimates.
func (r Rule) Combine(first, second float64, n int) (logFirst, logSecond float64) {
	if n == 0 {
		return math.Log(1 - r.X), math.Log(r.X)
	}
	belowFirst, aboveFirst := LogTails(-first, n)
	belowSecond, aboveSecond := LogTails(-second, n)
	return LogSum(belowSecond, aboveFirst) - math.Ln2, LogSum(belowFirst, aboveSecond) - math.Ln2
}

// LogTails returns ln P(X <= 2x) and ln P(X > 2x) of an X of 2n degrees of freedom; n is at least 1 and x
// at least 0.
func LogTails(x float64, n int) (below, above float64) {
	switch {
	case x <= 0:
		return math.Inf(-1), 0
	case math.IsInf(x, 1):
		return 0, math.Inf(-1)
	}
	// P(X > 2x) is that of fewer than n events where x are expected. The smaller tail is summed from its
	// largest addend on, and the other is what is left of one.
	mean := float64(n)
	if x < mean {
		sum, addend := 1.0, 1.0
		for i := mean + 1; addend > 1e-18*sum; i++ {
			addend *= x / i
			sum += addend
		}
		below = logPoisson(mean, x) + math.Log(sum)
		return below, logRest(below)
	}
	sum, addend := 1.0, 1.0
	for i := mean - 1; i > 0 && addend > 1e-18*sum; i-- {
		addend *= i / x
		sum += addend
	}
	above = logPoisson(mean-1, x) + math.Log(sum)
	return logRest(above), above
}

// logRest returns ln(1 - p) of ln p.
func logRest(p float64) float64 { return math.Log(max(0, -math.Expm1(p))) }

// LogSum returns ln(a + b) of ln a and ln b.
func LogSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// logPoisson returns the logarithm of the probability of n events where x are expected (Loader 2000, "Fast
// and accurate computation of binomial probabilities").
func logPoisson(n, x float64) float64 {
	if n == 0 {
		return -x
	}
	d := (x - n) / n
	log := math.Log1p(d)
	if d < -0.5 { // then d is not exact enough
		log = math.Log(x / n)
	}
	return -n*(d-log) - math.Log(2*math.Pi*n)/2 - stirlingError(n)
}

// stirlingError returns ln n! less Stirling's approximation.
func stirlingError(n float64) float64 {
	if n < 16 {
		v, _ := math.Lgamma(n + 1)
		return v - (n+0.5)*math.Log(n) + n - math.Log(2*math.Pi)/2
	}
	s := n * n
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/1188/s)/s)/s)/s) / n
}
