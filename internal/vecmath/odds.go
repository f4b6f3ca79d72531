package vecmath

import "math"

// LogOdds returns ln P - ln(1 - P) of each P, given their logarithms. Of a P of 1 it is zero, which decides nothing.
func LogOdds(logP []float64) []float64 {
	odds := make([]float64, len(logP))
	for k, l := range logP {
		if rest := -math.Expm1(l); rest > 0 {
			odds[k] = l - math.Log(rest)
		}
	}
	return odds
}

// LogSigmoids makes log-odds, times a power, the logarithms of probabilities.
func LogSigmoids(odds []float64, power float64) {
	for k, v := range odds {
		odds[k] = LogSigmoid(power * v)
	}
}

// LogSigmoid returns ln 1/(1 + e^-x).
func LogSigmoid(x float64) float64 {
	if x < 0 {
		return x - math.Log1p(math.Exp(x))
	}
	return -math.Log1p(math.Exp(-x))
}
