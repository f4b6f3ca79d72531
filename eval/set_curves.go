package eval

import (
	"maps"
	"math"
	"slices"
)

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

// cutoffGrid is how many cutoffs are tried for each label.
const cutoffGrid = 256
