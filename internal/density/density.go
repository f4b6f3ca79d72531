// Package density estimates densities by kernels: normal curves around points.
package density

import (
	"math"
	"slices"
)

// A Point is a value and its weight.
type Point struct{ V, Weight float64 }

// Log returns the logarithm of the density at v that points, which rise, have with curves of a width, given the sum of
// their weights. Curves more than 38 widths away add nothing to a float64; the nearest point is always taken, so that
// the logarithm is finite. Without points it is zero.
func Log(points []Point, width, weight, v float64) float64 {
	if len(points) == 0 {
		return 0
	}
	// Find the nearest point. All exponents are taken relative to its own, so that the sum does not
	// underflow.
	i, _ := slices.BinarySearchFunc(points, v, func(p Point, v float64) int {
		if p.V < v {
			return -1
		}
		return 1
	})
	nearest := math.Inf(1)
	for _, j := range []int{i - 1, i} {
		if j >= 0 && j < len(points) {
			nearest = math.Min(nearest, math.Abs(points[j].V-v))
		}
	}
	// Add up the curves on both sides of v, until they are out of reach.
	var sum float64
	reach := nearest + 38*width
	at := func(j int) bool {
		d := (points[j].V - v) / width
		sum += points[j].Weight * math.Exp((nearest/width)*(nearest/width)/2-d*d/2)
		return math.Abs(points[j].V-v) <= reach
	}
	for j := i; j < len(points) && at(j); j++ {
	}
	for j := i - 1; j >= 0 && at(j); j-- {
	}
	return math.Log(sum) - (nearest/width)*(nearest/width)/2 - math.Log(weight*width) - math.Log(2*math.Pi)/2
}
