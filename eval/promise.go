package eval

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// Confidence is the confidence with which cutoffs keep the rates that they are set for: of a hundred models,
// each with cutoffs set on other examples, at least 95 keep their rate on all documents to come.
const Confidence = 0.95

// AtMost returns the share that, with [Confidence], an event has at most that happened k times in n independent trials: the
// upper bound of Clopper and Pearson 1934, the p at which
//
//	P(Bin(n, p) <= k) = 1 - Confidence.
//
// It is 1 where k = n.
func AtMost(k, n int) float64 {
	if k >= n {
		return 1
	}
	return mathext.InvRegIncBeta(float64(k)+1, float64(n-k), Confidence)
}

// ClopperPearson returns the interval that has the share of an event, with [Confidence] in the middle and half of the rest at either
// end, given that it happened k times in n independent trials; from 0 to 1 where n = 0.
func ClopperPearson(k, n int) (low, high float64) {
	high = 1
	if k > 0 {
		low = mathext.InvRegIncBeta(float64(k), float64(n-k)+1, (1-Confidence)/2)
	}
	if k < n {
		high = mathext.InvRegIncBeta(float64(k)+1, float64(n-k), (1+Confidence)/2)
	}
	return low, high
}

// Needed returns how many examples it takes to promise a rate if what has it never happened; 0 if none are enough.
func Needed(rate float64) int {
	if !(rate > 0) {
		return 0
	}
	n := math.Ceil(math.Log(1-Confidence) / math.Log1p(-min(rate, 1)) * (1 - 1e-12))
	return int(min(max(n, 1), 1e15)) // more are none that anybody has
}

// allowed returns how often something may have happened in n trials for it to have a share of at most rate
// with [Confidence], and to be counted at most as often as that in n trials more; -1 if n is too small to show the rate. Where it shows it
// if the event never happened, but is too small for what is counted, that is 0.
//
// Since k is chosen before looking at the scores, what lies beyond the k+1st of n scores has a share of
// Beta(k+1, n-k), whatever their distribution is.
func allowed(n int, rate float64) int {
	if rate >= 1 {
		return n - 1
	}
	shown := sort.Search(n, func(k int) bool {
		return mathext.RegIncBeta(float64(n-k), float64(k)+1, 1-rate) > unlikely
	}) - 1
	if shown < 0 {
		return -1
	}
	most := int64(rate * float64(n) * (1 + 1e-12)) // which makes up for rounding
	counted := sort.Search(shown+1, func(k int) bool { return again(int64(n), int64(k), most+1) > unlikely }) - 1
	return max(0, counted)
}

// promised returns the least share that n trials promise of what happened in k of them: it is shown by the exact
// bound, and n trials more count no larger one, each with [Confidence]. Where k = 0 that is 4/n, or less of few trials: with
// 3/n, which the bound shows, every eighth to sixteenth such count is larger, as n trials more have a chance of their own.
// Where no share below 1 would be kept when counted again, as of one or two trials, it is what the bound shows.
func promised(k, n int) float64 {
	// Up to k it happens every second time or more often, and for many trials again has no first term that is above 0.
	j := k + sort.Search(n-k, func(more int) bool { return again(int64(n), int64(k), int64(k+more)) <= unlikely }) // too often, if as often as that
	return max(AtMost(k, n), float64(j-1)/float64(n))
}

// unlikely is how often a promise may be broken.
const unlikely = (1 - Confidence) * (1 + 1e-9)

// again returns the probability that of n scores more at least j lie beyond the k+1st of n: that of the first k+j of all, which are
// anyone's alike, at most k are of the first n,
//
//	Σ C(n,i) C(n,k+j-i) / C(2n,k+j), i from 0 to k.
func again(n, k, j int64) float64 {
	if j > n {
		return 0
	}
	logChoose := func(n, k int64) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }
	p := math.Exp(logChoose(n, k) + logChoose(n, j) - logChoose(2*n, k+j)) // of i = k
	var sum float64
	for i := k; ; i-- {
		sum += p
		// From one i to the one below it, each factor of the binomials changes.
		p *= float64(i) / float64(n-i+1) * float64(n-(k+j-i)) / float64(k+j-i+1)
		if i == 0 || p < sum*1e-15 {
			return sum
		}
	}
}

// roundUp rounds a share up to a number of significant digits, at most 1.
func roundUp(v float64, digits int) float64 {
	r := round(v, digits)
	if r < v {
		r = round(v+math.Pow(10, math.Floor(math.Log10(v))-float64(digits-1)), digits)
	}
	return min(r, 1)
}
