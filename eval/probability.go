package eval

import (
	"math"

	"bayes/internal/doubledouble"
)

// epsilon is the least probability that [Tally.LogLoss] believes: scikit-learn's,
// the distance from 1 to the next float64.
const epsilon = 0x1p-52

// LogLoss returns the mean of -ln P(true class), from 0 up. As scikit-learn does,
// it takes no probability for smaller than 2⁻⁵², about 2.2e-16, so that one
// confident mistake costs 36.04 and not infinitely much; a label that the model
// does not know costs the same.
func (t *Tally) LogLoss() float64 {
	var sum doubledouble.Sum
	for _, r := range t.rows {
		own, _ := t.own(r)
		sum.Add(-math.Log(min(max(own, epsilon), 1-epsilon)))
	}
	return ratio(sum.Float(), float64(len(t.rows)))
}

// Brier returns the mean of Σ (P(c) - [c is true])² over the classes c, in [0,2]
// (Brier 1950).
func (t *Tally) Brier() float64 {
	var sum doubledouble.Sum
	for _, r := range t.rows {
		own, rest := t.own(r)
		sum.Add(rest)
		met := false // the true class, among those that are kept and not impossible
		for k, p := range t.each(r) {
			if k == int(r.truth) {
				met = true
				p--
			}
			sum.Add(p * p)
		}
		if !met {
			sum.Add((own - 1) * (own - 1))
		}
	}
	return ratio(sum.Float(), float64(len(t.rows)))
}

// Confidence returns the mean probability of the predicted class, in [0,1]. That of
// probabilities that can be believed is the accuracy.
func (t *Tally) Confidence() float64 {
	var sum doubledouble.Sum
	for _, r := range t.rows {
		sum.Add(t.p(r, int(r.best)))
	}
	return ratio(sum.Float(), float64(len(t.rows)))
}

// A Bin holds the predictions of about the same confidence, which is the
// probability of the predicted class.
type Bin struct {
	Documents  int64
	Confidence float64 // their mean confidence
	Accuracy   float64 // the share of them that is right
}

// Reliability returns n bins of equal width: the predictions whose confidence is
// in (i/n, (i+1)/n].
func (t *Tally) Reliability(n int) []Bin {
	bins := make([]Bin, n)
	confidence := make([]doubledouble.Sum, n)
	for _, r := range t.rows {
		p := t.p(r, int(r.best))
		i := binOf(p, n)
		bins[i].Documents++
		confidence[i].Add(p)
		if r.best == r.truth {
			bins[i].Accuracy++
		}
	}
	for i := range bins {
		documents := float64(bins[i].Documents)
		bins[i].Confidence = ratio(confidence[i].Float(), documents)
		bins[i].Accuracy = ratio(bins[i].Accuracy, documents)
	}
	return bins
}

// binOf returns which of n bins has the probability p.
func binOf(p float64, n int) int { return min(max(int(math.Ceil(p*float64(n)))-1, 0), n-1) }

// CalibrationBins is the number of bins of [Tally.ECE].
const CalibrationBins = 15

// ECE returns the expected calibration error, in [0,1]: the mean distance of
// confidence and accuracy over [CalibrationBins] bins, weighted by their documents
// (Guo, Pleiss, Sun and Weinberger 2017).
func (t *Tally) ECE() float64 { return calibrationError(t.Reliability(CalibrationBins)) }

func calibrationError(bins []Bin) float64 {
	var sum, n float64
	for _, b := range bins {
		sum += float64(b.Documents) * math.Abs(b.Accuracy-b.Confidence)
		n += float64(b.Documents)
	}
	return ratio(sum, n)
}
