package eval

import (
	"math"

	"bayes"
)

// A reading is examples as EM reads them: what their features are worth, and what they are.
type reading struct {
	*bayes.Corpus
	count    func(classes []string, shares func(i int) (k []int32, weights []float64)) *bayes.Counts
	byLength []float64 // by example: its weight, by its length
}

// newReading returns examples as they are. An example counts by the root of the mean number of distinct features divided by its own number, but at most 2, so that short ones
// do not outweigh the others instead. That gains EM 0.01 to 0.04 on 20news and about 0.01 on trec (docs/labels-tried.md).
func newReading(c *bayes.Corpus) *reading {
	lengths := make([]float64, c.Len())
	for i := range lengths {
		lengths[i] = float64(c.Distinct(i))
	}
	return &reading{c, c.ShareCounter(), weightsByLength(lengths, func(n float64) float64 { return 1 / math.Sqrt(n) })}
}

// longExample is how many terms an example has from which on its weight falls with their number rather than with the root of that, in centred trials. Short ones are better off with the root (docs/labels-tried.md).
const longExample = 100.0

// readSublinear returns the examples with sublinear term frequencies: a term that an example has n times counts 1 + ln n (Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section 6.4.1). A long example counts by the inverse of its length.
// Terms come in bursts: one that an example has is likely to come again in it. A multinomial takes each time for news, so that an example which has thousands of times the same term, as an encoded picture does, leaves no
// probability for all that its class has besides (Rennie, Shih, Teevan and Karger 2003, "Tackling the poor assumptions of naive Bayes text classifiers", has both remedies, with ln(1 + n) and the Euclidean length). That gains EM 0.04 to 0.08 on 20news (docs/labels-tried.md).
// Examples stay as they are if values are not how often terms occur.
func (r *reading) readSublinear() *reading {
	lengths, counted := r.termCounts()
	if !counted {
		return r
	}
	s := *r.Space()
	s.Log = true
	c := r.Reweight(&s)
	return &reading{c, c.ShareCounter(), weightsByLength(lengths, func(n float64) float64 { return min(1/math.Sqrt(n), math.Sqrt(longExample)/n) })}
}

// termCounts returns how many terms each example has, false if values are not how often they occur, or not read as such.
func (r *reading) termCounts() (lengths []float64, ok bool) {
	s := r.Space()
	weighedSubwords := s.Analyzer != nil && s.Analyzer.Subwords != [2]int{} && s.SubwordWeight != 1
	if s.Binary || s.Log || s.Norm != "" || s.Threshold != 0 || s.Histograms || weighedSubwords {
		return nil, false
	}
	lengths = make([]float64, r.Len())
	for i := range lengths {
		for _, v := range r.Values(i) {
			if v != math.Trunc(v) { // the logarithm of a small fraction would make it negative
				return nil, false
			}
			lengths[i] += v
		}
	}
	return lengths, true
}

// weightsByLength returns by examples' lengths what is made of each, divided by what is made of the mean: 2 at most, and more than 0.
func weightsByLength(lengths []float64, of func(n float64) float64) []float64 {
	weights, sum := make([]float64, len(lengths)), 0.0
	for _, n := range lengths {
		sum += n
	}
	ofMean := of(max(1, sum/float64(len(lengths))))
	for i, n := range lengths {
		weights[i] = max(1./(1<<16), roundShare(min(2, of(max(1, n))/ofMean)))
	}
	return weights
}
