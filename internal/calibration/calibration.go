// Package calibration works out how certain a distribution over classes is, and the power
// that makes it more or less so without changing the order of the classes.
package calibration

import "math"

// The least and the largest power: a power of 0 would make classes equal that are not, and
// equal probabilities have no power that makes one of them certain.
const leastPower, mostPower = 1e-6, 1e6

// LogOdds returns the log-odds of the most probable class, ln P - ln(1-P), given ln P of
// each class. It is exact where P is as good as 1, and +Inf where no other class is possible.
func LogOdds(logP []float64) float64 {
	gaps, least := behind(logP)
	if len(gaps) == 0 {
		return math.Inf(1)
	}
	var sum float64
	for _, d := range gaps {
		sum += math.Exp(least - d)
	}
	return least - math.Log(sum)
}

// LogOddsOf returns the log-odds of class k against all others, ln P(k) - ln Σ P(j), given ln P of each
// class or, before they are normalised, ln P(class, document): what they have in common cancels. It is
// NaN where k and another class are both impossible, or both certain.
func LogOddsOf(logP []float64, k int) float64 {
	top := math.Inf(-1)
	for j, v := range logP {
		if j != k {
			top = max(top, v)
		}
	}
	if math.IsInf(top, 0) {
		return logP[k] - top
	}
	var sum float64
	for j, v := range logP {
		if j != k {
			sum += math.Exp(v - top)
		}
	}
	return logP[k] - top - math.Log(sum)
}

// Reaches reports whether log-odds are enough for a cutoff. None are for one that is infinite.
func Reaches(odds, cutoff float64) bool { return odds >= cutoff && !math.IsInf(cutoff, 1) }

// Power returns the power s that gives the most probable class these log-odds,
//
//	-ln Σ exp(-s·d) = odds, with d = ln P(best) - ln P(k) over the others,
//
// from 1e-6 to 1e6, by Newton's method. The left side is concave in s, so from below no step
// goes too far.
func Power(logP []float64, odds float64) float64 {
	gaps, least := behind(logP)
	s := leastPower
	for range 100 {
		var sum, slope float64
		for _, d := range gaps {
			e := math.Exp(-s * (d - least))
			sum += e
			slope += d * e
		}
		step := (odds - s*least + math.Log(sum)) * sum / slope
		if !(step > 1e-12*s) { // it is reached, or cannot be
			break
		}
		s = min(s+step, mostPower)
	}
	return s
}

// behind returns how far each other possible class is behind the best one, of equal ones the
// first, and the least of these gaps.
func behind(logP []float64) (gaps []float64, least float64) {
	best := 0
	for k, v := range logP {
		if v > logP[best] {
			best = k
		}
	}
	least = math.Inf(1)
	for k, v := range logP {
		if d := logP[best] - v; k != best && !math.IsInf(d, 1) {
			gaps = append(gaps, d)
			least = min(least, d)
		}
	}
	return gaps, least
}
