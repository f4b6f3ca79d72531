package eval

import (
	"math"
	"slices"

	"bayes/internal/mt19937"
	"bayes/internal/vecmath"
)

// pseudoPositives is how many examples of a label of average scores are added to those that a label has, where its
// cutoff is chosen. It was chosen by cross-validation on Reuters-21578.
const pseudoPositives = 3

// cutoffGrid is how many cutoffs are tried for each label.
const cutoffGrid = 256

// Cutoffs returns the log-odds from which on each label is given, in the form that [bayes.Calibrated] has them, those
// of the best F1 on the examples tested.
//
// A rare label has too few examples to tell: the best cutoff for them is often that of one document, and best by
// chance (Yang 2001, "A study of thresholding strategies for text categorization"). So each label has some examples
// more, which are as all labels' are on average: with n(t) of N examples of all labels at or above a cutoff t, m(t)
// documents given one of them, and TP and PP those of the label, which has P examples,
//
//	F1(t) = 2·(TP(t) + a·n(t)/N) / (PP(t) + a·m(t)/N + P + a),  a = 3.
//
// A label that no example tested has, has the cutoff that is best for all labels together.
func (s *SetScores) Cutoffs() map[string]float64 {
	return s.cutoffs(func(int) bool { return true })
}

// cutoffs returns those of the examples of some of those tested.
func (s *SetScores) cutoffs(of func(i int) bool) map[string]float64 {
	c := s.cutoffCurves(of)
	if len(c.grid) == 0 {
		return nil // no example has a label
	}
	chosen := make([]float64, len(s.Classes))
	for k := range chosen {
		best, most := 0, -1.0
		for g := range c.grid {
			share := pseudoPositives / max(1, c.all.actual)
			f1 := (c.given[k][g].both + share*c.all.given[g].both) / (c.given[k][g].predicted + share*c.all.given[g].predicted + c.actual[k] + pseudoPositives)
			if f1 > most {
				best, most = g, f1
			}
		}
		chosen[k] = c.grid[best]
	}
	// The scores of other documents lie between those of these: a cutoff is halfway to the next score below.
	below := slices.Repeat([]float64{math.Inf(-1)}, len(chosen))
	for i := range s.each(of) {
		for k, odds := range s.LogOdds(i) {
			if odds < chosen[k] {
				below[k] = max(below[k], odds)
			}
		}
	}
	cutoffs := make(map[string]float64)
	for k, label := range s.Classes {
		if !math.IsInf(below[k], 0) {
			chosen[k] = chosen[k]/2 + below[k]/2
		}
		cutoffs[label] = round(chosen[k], 6)
	}
	return cutoffs
}

// A cutoffCurve is how many documents are given a label, and rightly, from each cutoff of a grid on.
type cutoffCurve []struct{ both, predicted float64 }

// cutoffCurves are those of each label, and of all together.
type cutoffCurves struct {
	grid   []float64 // rising
	given  []cutoffCurve
	actual []float64 // by label
	all    struct {
		given  cutoffCurve
		actual float64
	}
}

func (s *SetScores) cutoffCurves(of func(i int) bool) *cutoffCurves {
	c := &cutoffCurves{grid: s.cutoffGrid(of), actual: make([]float64, len(s.Classes))}
	for range s.Classes {
		c.given = append(c.given, make(cutoffCurve, len(c.grid)))
	}
	// First how many have the scores between two cutoffs, then the sums from each on.
	for i := range s.each(of) {
		truth := s.Truth[i]
		for k, odds := range s.LogOdds(i) {
			is := len(truth) > 0 && truth[0] == k
			if is {
				truth = truth[1:]
				c.actual[k]++
			}
			at, equal := slices.BinarySearch(c.grid, odds)
			if !equal {
				at--
			}
			if at < 0 {
				continue
			}
			c.given[k][at].predicted++
			if is {
				c.given[k][at].both++
			}
		}
	}
	c.all.given = make(cutoffCurve, len(c.grid))
	for k, curve := range c.given {
		for g := len(curve) - 2; g >= 0; g-- {
			curve[g].both += curve[g+1].both
			curve[g].predicted += curve[g+1].predicted
		}
		for g, at := range curve {
			c.all.given[g].both += at.both
			c.all.given[g].predicted += at.predicted
		}
		c.all.actual += c.actual[k]
	}
	return c
}

// each yields the examples that were tested of some.
func (s *SetScores) each(of func(i int) bool) func(yield func(i int) bool) {
	return func(yield func(i int) bool) {
		for i, f := range s.Fold {
			if f >= 0 && of(i) && !yield(i) {
				return
			}
		}
	}
}

// cutoffGrid returns cutoffs that are worth trying: the scores of labels that examples have, at even ranks.
func (s *SetScores) cutoffGrid(of func(i int) bool) []float64 {
	var own []float64
	for i := range s.each(of) {
		odds := s.LogOdds(i)
		for _, k := range s.Truth[i] {
			if v := odds[k]; !math.IsInf(v, 0) && !math.IsNaN(v) {
				own = append(own, v)
			}
		}
	}
	slices.Sort(own)
	var grid []float64
	for g := range min(cutoffGrid, len(own)) {
		grid = append(grid, own[g*len(own)/min(cutoffGrid, len(own))])
	}
	slices.Sort(grid)
	return slices.Compact(grid)
}

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
