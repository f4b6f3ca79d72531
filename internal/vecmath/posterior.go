package vecmath

import (
	"math"
	"slices"
)

// Posterior subtracts ln Σ exp(x) from each x, so that the exponentials sum to
// one. Where some x are +Inf, those share everything. It reports false if all
// are -Inf. No number may be NaN.
func Posterior(x []float64) bool {
	const few = 8 // one exponential after the other takes no longer than four at once
	if len(x) > few && NormalizeRow(x) {
		return true
	}
	top := slices.Max(x)
	if math.IsInf(top, -1) {
		return false
	}
	if math.IsInf(top, 1) {
		for k, v := range x {
			x[k] = math.Inf(-1)
			if v == top {
				x[k] = 0
			}
		}
		top = 0
	}
	var sum float64
	for k := range x {
		x[k] -= top // first, since ln Σ may be lost beside a large top
		switch {
		case x[k] == 0:
			sum++
		case x[k] > -negligible:
			sum += math.Exp(x[k])
		}
	}
	sum = math.Log(sum) // at least 0, since the top itself adds 1
	for k := range x {
		x[k] -= sum
	}
	return true
}

// negligible is where exp(-x) is lost beside 1, for a billion classes.
const negligible = 60
