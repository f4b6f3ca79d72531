package eval

import (
	"math/rand/v2"
	"slices"
)

// An Interval holds a metric and what the bootstrap says of its precision.
type Interval struct{ Value, Low, High float64 }

// Intervals are bootstrap intervals of a Tally's metrics.
type Intervals struct {
	Accuracy         Interval
	BalancedAccuracy Interval
	MacroF1          Interval
	WeightedF1       Interval
	F1               []Interval // of each of [Tally.Labels]
}

// BootstrapOptions are options for [Tally.Bootstrap]. A nil *BootstrapOptions is
// the zero value.
type BootstrapOptions struct {
	Draws int     // resampled test sets; zero means 2000
	Level float64 // of confidence, in (0,1); zero means 0.95
	Seed  uint64
}

// Bootstrap returns metrics with intervals from the (1-Level)/2 to the
// (1+Level)/2 quantile of what they are on test sets that are drawn, with
// replacement, from the documents of t (Efron and Tibshirani 1993, section 13.3,
// the percentile interval). A metric that reads the confusion matrix alone needs
// only that matrix drawn anew, from the multinomial distribution with the shares
// of its cells. So the time grows with the cells, and hardly with the documents.
//
// The intervals say how much depends on the choice of the documents tested with. They
// say nothing about those trained on. The interval of the F1 of a class with a handful
// of documents is too short. Equal seeds give equal intervals.
func (t *Tally) Bootstrap(opts *BootstrapOptions) Intervals {
	var o BootstrapOptions
	if opts != nil {
		o = *opts
	}
	if o.Draws <= 0 {
		o.Draws = 2000
	}
	if !(o.Level > 0 && o.Level < 1) {
		o.Level = 0.95
	}
	confusion := t.Confusion()
	classes := len(confusion)
	draws := make([][]float64, fixedMetrics+classes) // of each metric
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	drawn := newMatrix(classes)
	values := make([]float64, len(draws))
	for range o.Draws {
		resample(rng, drawn, confusion)
		for i, v := range bootstrapped(values, drawn) {
			draws[i] = append(draws[i], v)
		}
	}
	intervals := make([]Interval, len(draws))
	for i, v := range bootstrapped(values, confusion) {
		slices.Sort(draws[i])
		intervals[i] = Interval{v, quantile(draws[i], (1-o.Level)/2), quantile(draws[i], (1+o.Level)/2)}
	}
	return Intervals{intervals[0], intervals[1], intervals[2], intervals[3], intervals[fixedMetrics:]}
}

// fixedMetrics are those of Intervals that are not a class's.
const fixedMetrics = 4

// bootstrapped sets values to the metrics of a confusion matrix, in the order of
// the fields of Intervals.
func bootstrapped(values []float64, confusion [][]int64) []float64 {
	list := outcomesOf(confusion)
	values = append(values[:0], list.microF1(), list.balancedAccuracy(), list.macroF1(), list.weightedF1())
	for _, o := range list {
		values = append(values, o.f1())
	}
	return values
}

// resample draws as many documents as from has, with the shares of its cells, into
// the cells of to: one cell after the other from the binomial distribution, given
// those before.
func resample(rng *rand.Rand, to, from [][]int64) {
	var left int64 // documents in the cells to come
	for _, row := range from {
		for _, n := range row {
			left += n
		}
	}
	draw := left // documents still to be drawn
	for i, row := range from {
		for j, n := range row {
			// Of the documents still to be drawn, each falls into this cell, rather than one
			// to come, with the share that the cell has of them.
			to[i][j] = 0
			if n > 0 {
				to[i][j] = binomial(rng, draw, float64(n)/float64(left))
				draw -= to[i][j]
				left -= n
			}
		}
	}
}

// quantile returns the q-quantile of a sorted list, between two of them on the
// line between them (Hyndman and Fan 1996, definition 7, NumPy's default).
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
