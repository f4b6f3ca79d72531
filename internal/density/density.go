// Package density estimates the density of a number by kernels: the mean of normal curves, one around
// each value that was seen (John and Langley 1995, "Estimating continuous distributions in Bayesian
// classifiers", section 3).
package density

import (
	"math"
	"slices"

	"bayes/internal/intervals"
)

// A Kernel is the density of a number in one class.
type Kernel struct {
	points []point // rising
	width  float64 // of the curves
	weight float64 // of the class
}

// A point is a value and its weight.
type point struct{ v, weight float64 }

// Kernels returns the density of each class, whose weights these are, given the values that were seen,
// rising, one at least.
func Kernels(values []intervals.Value, weight []float64) []Kernel {
	// The precision bounds the width from below: a sixth of the mean distance of two values, so that
	// equal values do not make a density infinite.
	precision := (values[len(values)-1].V - values[0].V) / math.Max(1, float64(len(values)-1)) / 6
	if precision == 0 {
		precision = math.Max(math.Abs(values[0].V), 1) * 1e-9
	}
	kernels := make([]Kernel, len(weight))
	for _, v := range values {
		for c, w := range v.Weight {
			if w > 0 {
				kernels[c].points = append(kernels[c].points, point{v.V, w})
			}
		}
	}
	for c := range kernels {
		k := &kernels[c]
		k.width, k.weight = precision, weight[c]
		if n := len(k.points); n > 0 {
			k.width = math.Max((k.points[n-1].v-k.points[0].v)/math.Sqrt(k.weight), precision)
		}
	}
	return kernels
}

// Log returns the logarithm of the density of v, 0 if the class has no value. Curves more than 38
// widths away add nothing to a float64; the nearest point is always taken, so that the logarithm is
// finite.
func (k *Kernel) Log(v float64) float64 {
	points, h := k.points, k.width
	if len(points) == 0 {
		return 0
	}
	// Find the nearest point. All exponents are taken relative to its own, so that the sum does not
	// underflow.
	i, _ := slices.BinarySearchFunc(points, v, func(p point, v float64) int {
		if p.v < v {
			return -1
		}
		return 1
	})
	nearest := math.Inf(1)
	for _, j := range []int{i - 1, i} {
		if j >= 0 && j < len(points) {
			nearest = math.Min(nearest, math.Abs(points[j].v-v))
		}
	}
	// Add up the curves on both sides of v, until they are out of reach.
	var sum float64
	reach := nearest + 38*h
	at := func(j int) bool {
		d := (points[j].v - v) / h
		sum += points[j].weight * math.Exp((nearest/h)*(nearest/h)/2-d*d/2)
		return math.Abs(points[j].v-v) <= reach
	}
	for j := i; j < len(points) && at(j); j++ {
	}
	for j := i - 1; j >= 0 && at(j); j-- {
	}
	return math.Log(sum) - (nearest/h)*(nearest/h)/2 - math.Log(k.weight*h) - math.Log(2*math.Pi)/2
}
