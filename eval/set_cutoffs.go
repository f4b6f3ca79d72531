package eval

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"bayes/internal/decision"
	"bayes/internal/mt19937"
	"bayes/internal/vecmath"
)

// pseudoPositives is how many examples that labels about as frequent have on average are added to those that a label has,
// where its cutoff is chosen; and about as frequent is a factor of 2^spreadOctaves. Both were chosen by cross-validation on
// the training part of Reuters-21578.
const pseudoPositives, spreadOctaves = 15, 1.5

// cutoffGrid is how many cutoffs are tried for each label.
const cutoffGrid = 256

// Cutoffs returns the log-odds from which on each label is given, in the form that [bayes.Calibrated] has them, those
// of the best F1 on the examples tested, or, with a MissCost, of the least cost.
//
// A rare label has too few examples to tell: the best cutoff for them is often that of one document, and best by
// chance (Yang 2001, "A study of thresholding strategies for text categorization"). So each label has some examples
// more, which are as those of labels are on average that are about as frequent: with TP(l,t) of PP(l,t) documents at or
// above a cutoff t rightly given label l, which P(l) examples have,
//
//	F1(l,t) = 2·(TP(l,t) + a·n(t)) / (PP(l,t) + a·m(t) + P(l) + a),  a = 15,
//	n(t) = Σ w(k)·TP(k,t) / Σ w(k)·P(k),  m(t) = Σ w(k)·PP(k,t) / Σ w(k)·P(k),
//
// over all labels k that examples have, where w(k) is the normal density of the binary logarithm of P(k) around that of P(l),
// with a standard deviation of 1.5; both are rounded to quarters.
//
// The cutoff of the empty label is how far below its cutoff the nearest label may be to be given to a document that has
// reached none: that of the best micro F1, or the least cost. Where no such label is worth it, there is none.
func (s *SetScores) Cutoffs() map[string]float64 {
	return s.cutoffs(func(int) bool { return true })
}

// cutoffs returns those of the examples of some of those tested.
func (s *SetScores) cutoffs(of func(i int) bool) map[string]float64 {
	c := s.cutoffCurves(of)
	if len(c.grid) == 0 {
		return nil // no example has a label
	}
	average := c.averages()
	chosen := make([]float64, len(s.Classes))
	for k := range chosen {
		best, most := 0, math.Inf(-1)
		for g, like := range average[octave(c.actual[k])] {
			own := c.given[k][g]
			worth := s.worth(own.both+pseudoPositives*like.both, own.predicted+pseudoPositives*like.predicted, c.actual[k]+pseudoPositives)
			if worth > most {
				best, most = g, worth
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
	if beyond, ok := s.nearest(of, cutoffs); ok {
		cutoffs[""] = round(beyond, 6)
	}
	return cutoffs
}

// worth returns F1, or with a MissCost less than no cost, given how many labels are given rightly, how many are given, and how
// many examples have.
func (s *SetScores) worth(both, given, actual float64) float64 {
	if s.MissCost == 0 {
		return ratio(2*both, given+actual)
	}
	return (both - given) + s.MissCost*(both-actual)
}

// nearest returns how far below its cutoff the nearest label of a document is to be given if none reaches its own, and whether
// one is.
func (s *SetScores) nearest(of func(i int) bool, cutoffs map[string]float64) (beyond float64, ok bool) {
	type near struct {
		beyond float64
		right  bool
	}
	cutoffs = maps.Clone(cutoffs)
	cutoffs[""] = math.Inf(-1) // however far it is
	rule := decision.New(decision.Settings{Cutoffs: cutoffs}, s.Classes)
	var list []near
	var both, given, actual float64 // labels: see worth
	for i := range s.each(of) {
		odds, before := s.LogOdds(i), given
		actual += float64(len(s.Truth[i]))
		for k, v := range odds {
			if v >= rule.LabelCutoff(k) {
				if given++; slices.Contains(s.Truth[i], k) {
					both++
				}
			}
		}
		if best := rule.Nearest(odds); given == before && best != decision.None {
			list = append(list, near{odds[best] - rule.LabelCutoff(best), slices.Contains(s.Truth[i], best)})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Compare(b.beyond, a.beyond) })
	most := s.worth(both, given, actual)
	for n, l := range list {
		if given++; l.right {
			both++
		}
		last, worth := n+1 == len(list), s.worth(both, given, actual)
		if !last && l.beyond-list[n+1].beyond < 1e-5 || worth <= most { // what is closer, rounding does not part
			continue
		}
		most, ok = worth, true
		if beyond = l.beyond - 1; !last { // the unit is a margin's
			beyond = l.beyond/2 + list[n+1].beyond/2
		}
	}
	return beyond, ok
}

// A cutoffCurve is how many documents are given a label, and rightly, from each cutoff of a grid on.
type cutoffCurve []struct{ both, predicted float64 }

// cutoffCurves are those of each label.
type cutoffCurves struct {
	grid   []float64 // rising
	given  []cutoffCurve
	actual []float64 // by label: how many have it
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
	for _, curve := range c.given {
		for g := len(curve) - 2; g >= 0; g-- {
			curve[g].both += curve[g+1].both
			curve[g].predicted += curve[g+1].predicted
		}
	}
	return c
}

// octave returns the binary logarithm of a number of examples, in quarters.
func octave(examples float64) int { return int(math.Round(4 * math.Log2(max(1, examples)))) }

// averages returns, by [octave], the curve of one example of labels that are about as frequent.
func (c *cutoffCurves) averages() map[int]cutoffCurve {
	sums, actual := make(map[int]cutoffCurve), make(map[int]float64)
	for k, n := range c.actual {
		at := octave(n)
		if sums[at] == nil {
			sums[at] = make(cutoffCurve, len(c.grid))
		}
		if n > 0 { // what no example has tells nothing
			actual[at] += n
			sums[at].add(c.given[k], 1)
		}
	}
	averages := make(map[int]cutoffCurve)
	octaves := slices.Sorted(maps.Keys(sums))
	for _, at := range octaves {
		near, examples := make(cutoffCurve, len(c.grid)), 0.0
		for _, other := range octaves {
			distance := float64(other-at) / 4 / spreadOctaves
			weight := math.Exp(-distance * distance / 2)
			examples += weight * actual[other]
			near.add(sums[other], weight)
		}
		averages[at] = make(cutoffCurve, len(c.grid))
		averages[at].add(near, 1/examples)
	}
	return averages
}

// add adds d, times a weight, to c.
func (c cutoffCurve) add(d cutoffCurve, weight float64) {
	for g := range c {
		c[g].both += weight * d[g].both
		c[g].predicted += weight * d[g].predicted
	}
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

// cutoffGrid returns cutoffs that are worth trying: the scores of labels that examples have, at even ranks, and one above them all.
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
	if len(grid) > 0 {
		grid = append(grid, own[len(own)-1]+1)
	}
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
