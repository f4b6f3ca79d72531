package specgrammar

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// CheckDistribution returns an error if shares are no probabilities that sum to one.
func CheckDistribution(shares map[string]float64) error {
	var sum float64
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		p := shares[name]
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("the probability of %q must be between 0 and 1, not %v", name, p)
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-8 {
		return fmt.Errorf("the probabilities sum to %v, not to 1", sum)
	}
	return nil
}
