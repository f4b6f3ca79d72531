package eval

import (
	"math"
	"slices"

	"bayes/internal/mt19937"
	"bayes/internal/vecmath"
)

// CrossTallies returns the Tally of each fold, with the cutoffs and the temperature of all other folds, if they are asked
// for, so that what is measured of them is not what they were chosen by.
func (s *SetScores) CrossTallies(cutoffs, calibrated bool) []*SetTally {
	var tallies []*SetTally
	for f := range slices.Max(append(s.Fold, -1)) + 1 {
		others := func(i int) bool { return s.Fold[i] != f }
		var at map[string]float64
		if cutoffs {
			at = s.cutoffs(others)
		}
		temperature := 1.0
		if calibrated {
			temperature = s.temperature(others)
		}
		fold := *s
		fold.Fold = make([]int, len(s.Fold))
		for i := range fold.Fold {
			fold.Fold[i] = -1
			if s.Fold[i] == f {
				fold.Fold[i] = f
			}
		}
		tallies = append(tallies, fold.Tally(at, temperature))
	}
	return tallies
}

// Temperature returns that of least log loss on the examples tested, as [bayes.Calibrated] has it: log-odds are divided
// by it.
func (s *SetScores) Temperature() float64 { return s.temperature(func(int) bool { return true }) }

// mostTemperatureExamples is of how many examples at most a temperature is found: it is one number.
const mostTemperatureExamples = 2000

func (s *SetScores) temperature(of func(i int) bool) float64 {
	var examples []int
	for i := range s.each(of) {
		examples = append(examples, i)
	}
	mt19937.New(1).Shuffle(examples)
	examples = examples[:min(len(examples), mostTemperatureExamples)]
	loss := func(log float64) (sum float64) {
		temperature := math.Exp(log)
		for _, i := range examples {
			truth := s.Truth[i]
			for k, odds := range s.LogOdds(i) {
				sign := -1.0
				if len(truth) > 0 && truth[0] == k {
					sign, truth = 1, truth[1:]
				}
				sum += min(mostLogLoss, -vecmath.LogSigmoid(sign*odds/temperature))
			}
		}
		return sum
	}
	// The loss has one minimum in the logarithm.
	low, high := math.Log(1e-3), math.Log(1e4)
	for high-low > 1e-3 {
		a, b := low+0.382*(high-low), low+0.618*(high-low)
		if loss(a) <= loss(b) {
			high = b
		} else {
			low = a
		}
	}
	return round(math.Exp((low+high)/2), 4)
}
