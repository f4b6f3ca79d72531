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
	F1               []Interval // of each of [Tally.Labels]; zero where it is not wanted
}

// BootstrapOptions are options for [Tally.Bootstrap]. A nil *BootstrapOptions is
// the zero value.
type BootstrapOptions struct {
	Draws int     // resampled test sets; zero means 2000
	Level float64 // of confidence, in (0,1); zero means 0.95
	Seed  uint64

	// F1 reports whether the interval of a class's F1 is wanted; nil means that all are. Those
	// of a hundred thousand classes take two gigabytes.
	F1 func(label string) bool
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
	o := opts.withDefaults()
	cells := t.cells()
	list := make(outcomes, len(t.labels))
	occurring, f1 := t.bootstrapped(cells, o.F1)
	values := make([]float64, 0, fixedMetrics+len(f1))
	compact := make(outcomes, 0, len(occurring))
	metrics := func(cells []cell) []float64 {
		compact = list.of(cells, occurring, compact[:0])
		values = append(values[:0], compact.microF1(), compact.balancedAccuracy(), compact.macroF1(), compact.weightedF1())
		for _, k := range f1 {
			values = append(values, list[k].f1())
		}
		return values
	}
	intervals := o.intervals(cells, metrics)
	all := Intervals{intervals[0], intervals[1], intervals[2], intervals[3], make([]Interval, len(t.labels))}
	for i, k := range f1 {
		all.F1[k] = intervals[fixedMetrics+i]
	}
	return all
}

// withDefaults returns the options, with what zero means.
func (o *BootstrapOptions) withDefaults() BootstrapOptions {
	var all BootstrapOptions
	if o != nil {
		all = *o
	}
	if all.Draws <= 0 {
		all.Draws = 2000
	}
	if !(all.Level > 0 && all.Level < 1) {
		all.Level = 0.95
	}
	return all
}

// intervals returns each of the metrics of cells, and its interval.
func (o *BootstrapOptions) intervals(cells []cell, metrics func(cells []cell) []float64) []Interval {
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	first := slices.Clone(metrics(cells))
	draws := make([][]float64, len(first)) // of each metric
	for i := range draws {
		draws[i] = make([]float64, 0, o.Draws)
	}
	drawn := slices.Clone(cells)
	for range o.Draws {
		resample(rng, drawn, cells)
		for i, v := range metrics(drawn) {
			draws[i] = append(draws[i], v)
		}
	}
	intervals := make([]Interval, len(draws))
	for i, v := range first {
		slices.Sort(draws[i])
		intervals[i] = Interval{v, quantile(draws[i], (1-o.Level)/2), quantile(draws[i], (1+o.Level)/2)}
	}
	return intervals
}

// fixedMetrics are those of Intervals that are not a class's.
const fixedMetrics = 4

// bootstrapped returns which of Labels have a cell, and those among them whose interval of F1
// is wanted. That of others is zero.
func (t *Tally) bootstrapped(cells []cell, wanted func(label string) bool) (occurring, f1 []int32) {
	for _, c := range cells {
		occurring = append(occurring, c.truth, c.best)
	}
	slices.Sort(occurring)
	occurring = slices.Compact(occurring)
	labels := t.Labels()
	for _, k := range occurring {
		if wanted == nil || wanted(labels[k]) {
			f1 = append(f1, k)
		}
	}
	return occurring, f1
}

// of makes list the outcomes of cells, and appends to dst those of the classes that occur.
func (list outcomes) of(cells []cell, occurring []int32, dst outcomes) outcomes {
	for _, k := range occurring {
		list[k] = outcome{}
	}
	for _, c := range cells {
		list.count(int(c.truth), int(c.best), c.n)
	}
	for _, k := range occurring {
		dst = append(dst, list[k])
	}
	return dst
}

// resample draws as many documents as from has, with the shares of its cells, into
// the cells of to: one cell after the other from the binomial distribution, given
// those before.
func resample(rng *rand.Rand, to, from []cell) {
	var left int64 // documents in the cells to come
	for _, c := range from {
		left += c.n
	}
	draw := left // documents still to be drawn
	for i, c := range from {
		// Of the documents still to be drawn, each falls into this cell, rather than one
		// to come, with the share that the cell has of them.
		to[i].n = binomial(rng, draw, float64(c.n)/float64(left))
		draw -= to[i].n
		left -= c.n
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
