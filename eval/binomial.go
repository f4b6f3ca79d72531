package eval

import (
	"math"
	"math/rand/v2"
	"sync"
)

// binomial draws how often, in n trials, something of probability p happens. It
// goes outward from the most probable number until the probabilities that it has
// passed reach a uniform number (inversion from the mode; Devroye 1986, section X.4),
// which takes about as many steps as the standard deviation.
func binomial(rng *rand.Rand, n int64, p float64) int64 {
	switch {
	case n == 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	}
	// From the mode outward, each probability follows from its neighbour by one factor.
	mode := min(int64(float64(n+1)*p), n)
	low, high, odds := mode, mode, p/(1-p)
	pLow := binomialP(n, mode, p)
	pHigh := pLow
	for left := rng.Float64() - pLow; left >= 0 && pLow+pHigh > 0; {
		pHigh *= float64(n-high) / float64(high+1) * odds
		high++
		if left -= pHigh; left < 0 {
			return high
		}
		pLow *= float64(low) / float64(n-low+1) / odds
		low--
		if left -= pLow; left < 0 {
			return low
		}
	}
	return mode
}

// binomialP returns the probability of k in n trials, 0 < p < 1.
func binomialP(n, k int64, p float64) float64 {
	choose := logFactorial(n) - logFactorial(k) - logFactorial(n-k)
	return math.Exp(choose + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// logFactorials are those of small numbers, which are drawn most.
var logFactorials = sync.OnceValue(func() []float64 {
	list := make([]float64, 1<<12)
	for n := range list {
		list[n], _ = math.Lgamma(float64(n) + 1)
	}
	return list
})

func logFactorial(n int64) float64 {
	if list := logFactorials(); n < int64(len(list)) {
		return list[n]
	}
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
