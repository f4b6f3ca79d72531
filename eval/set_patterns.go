package eval

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// A fate is what became of a label of a document.
type fate byte

const (
	right  fate = iota // given, and true
	wrong              // given, and not true
	missed             // true, and not given
)

// pattern returns what came out of a document as one string: for each label that is true or given the fate, the
// length of the label and the label, in the order of labels.
func pattern(truth, given []string) string {
	labels := slices.Concat(truth, given)
	slices.Sort(labels)
	var b []byte
	for _, label := range slices.Compact(labels) {
		f := right
		if !slices.Contains(truth, label) {
			f = wrong
		} else if !slices.Contains(given, label) {
			f = missed
		}
		b = append(b, byte(f))
		b = binary.AppendUvarint(b, uint64(len(label)))
		b = append(b, label...)
	}
	return string(b)
}

// eachFate calls visit for each label of a pattern.
func eachFate(pattern string, visit func(label string, f fate)) {
	for b := []byte(pattern); len(b) > 0; {
		n, size := binary.Uvarint(b[1:])
		label := b[1+size:][:n]
		visit(string(label), fate(b[0]))
		b = b[1+size+int(n):]
	}
}

// Confused returns pairs of labels: documents miss one and were wrongly given the other. The most frequent pairs come
// first, and equal ones in their order. A document may count for several pairs.
func (t *SetTally) Confused() []Confused {
	pairs := make(map[Confused]int64)
	for came, n := range t.patterns {
		var lost, instead []string
		eachFate(came, func(label string, f fate) {
			switch f {
			case missed:
				lost = append(lost, label)
			case wrong:
				instead = append(instead, label)
			}
		})
		for _, label := range lost {
			for _, given := range instead {
				pairs[Confused{Label: label, Predicted: given}] += n
			}
		}
	}
	var list []Confused
	for pair, n := range pairs {
		pair.Documents = n
		list = append(list, pair)
	}
	slices.SortFunc(list, func(a, b Confused) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Predicted, b.Predicted))
	})
	return list
}

// Reliability returns [CalibrationBins] bins of the decisions about a label and a document whose probability of the label is in
// (i/n, (i+1)/n]. Of a bin, Documents is how many decisions there are, Confidence the mean probability, and
// Accuracy the share of them where the document has the label.
func (t *SetTally) Reliability() []Bin {
	bins := make([]Bin, len(t.bins))
	for i, b := range t.bins {
		n := float64(b.decisions)
		bins[i] = Bin{b.decisions, ratio(b.sum, n), ratio(float64(b.there), n)}
	}
	return bins
}

// ECE returns the expected calibration error, in [0,1]: the mean distance of probability and share over the bins of
// Reliability, weighted by their decisions. It is small where most labels are rare.
func (t *SetTally) ECE() float64 { return calibrationError(t.Reliability()) }

// Confidence returns the mean probability of the labels that are given, in [0,1].
func (t *SetTally) Confidence() float64 {
	var given int64
	for _, o := range t.labels {
		given += o.predicted
	}
	return ratio(t.given, float64(given))
}

// Precision returns the share of the labels that are given that is right, in [0,1], and its 95 % interval
// (Wilson 1927).
func (t *SetTally) Precision() (p, low, high float64) {
	var all outcome
	for _, o := range t.labels {
		all = all.plus(o)
	}
	return wilson(float64(all.both), float64(all.predicted))
}

// SetIntervals are bootstrap intervals of a SetTally's metrics.
type SetIntervals struct {
	MicroF1, MacroF1 Interval
	F1               []Interval // of each of [SetTally.Classes]; zero where it is not wanted
}

// Bootstrap returns metrics with intervals as [Tally.Bootstrap] does: test sets are drawn from what came out of the
// documents. Of a label that no document of a draw has or is given, the F1 of that draw is left out of the mean.
func (t *SetTally) Bootstrap(opts *BootstrapOptions) SetIntervals {
	o := opts.withDefaults()
	labels := slices.Sorted(maps.Keys(t.labels))
	patterns := slices.Sorted(maps.Keys(t.patterns))
	fates, cells := make([][]setFate, len(patterns)), make([]cell, len(patterns))
	for i, came := range patterns {
		cells[i].n = t.patterns[came]
		eachFate(came, func(label string, f fate) {
			k, _ := slices.BinarySearch(labels, label)
			fates[i] = append(fates[i], setFate{k, f})
		})
	}
	var wanted []int
	occurring := 0
	for k, label := range labels {
		if o.F1 == nil || o.F1(label) {
			wanted = append(wanted, k)
		}
		if t.labels[label] != (outcome{}) {
			occurring++
		}
	}
	list := make(outcomes, len(labels))
	metrics := func(cells []cell) []float64 {
		clear(list)
		for i, c := range cells {
			for _, f := range fates[i] {
				list[f.label].fates(f.fate, c.n)
			}
		}
		values := []float64{list.microF1(), list.macroF1() * ratio(float64(occurring), float64(len(labels)))}
		for _, k := range wanted {
			values = append(values, list[k].f1())
		}
		return values
	}
	intervals := o.intervals(cells, metrics)
	all := SetIntervals{intervals[0], intervals[1], make([]Interval, len(labels))}
	for i, k := range wanted {
		all.F1[k] = intervals[2+i]
	}
	return all
}

type setFate struct {
	label int
	fate  fate
}

// fates adds n documents to o in which the label had that fate.
func (o *outcome) fates(f fate, n int64) {
	if f != wrong {
		o.actual += n
	}
	if f != missed {
		o.predicted += n
	}
	if f == right {
		o.both += n
	}
}
