package eval

import "math"

// Accuracy returns the share predicted rightly, in [0,1], and its 95 % interval:
// with p that share, n documents and z = 1.96,
//
//	(p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n)
//
// (Wilson 1927). It always holds that 0 ≤ low ≤ p ≤ high ≤ 1.
func (t *Tally) Accuracy() (p, low, high float64) {
	var right float64
	for _, r := range t.rows {
		if r.truth == r.best {
			right++
		}
	}
	return wilson(right, float64(len(t.rows)))
}

// wilson returns the share right of n, and its 95 % interval, zeros of none.
func wilson(right, n float64) (p, low, high float64) {
	if n == 0 {
		return 0, 0, 0
	}
	const z = 1.959963984540054 // the normal distribution's 97.5 % point
	p = right / n
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	low, high = (middle-half)/(1+z*z/n), (middle+half)/(1+z*z/n)
	return p, min(max(low, 0), p), max(min(high, 1), p) // rounding can pass an end
}

// Majority returns the label that most documents have, of equal ones the first in byte
// order, and their share, in [0,1]: the accuracy of always answering that.
func (t *Tally) Majority() (label string, share float64) {
	var most int64
	for _, c := range t.Classes() {
		if c.Support > most {
			label, most = c.Label, c.Support
		}
	}
	return label, ratio(float64(most), float64(len(t.rows)))
}

// A ClassReport is how well one class is found. All but Support are in [0,1].
type ClassReport struct {
	Label     string
	Precision float64 // of the documents predicted as Label, the share that is
	Recall    float64 // of the documents that are Label, the share predicted so
	F1        float64 // their harmonic mean
	Support   int64   // documents that are Label
}

// outcome is what the averages are made of.
type outcome struct{ both, predicted, actual int64 }

func (o outcome) precision() float64 { return ratio(float64(o.both), float64(o.predicted)) }
func (o outcome) recall() float64    { return ratio(float64(o.both), float64(o.actual)) }
func (o outcome) f1() float64        { return ratio(2*float64(o.both), float64(o.predicted+o.actual)) }

// outcomes are those of each class.
type outcomes []outcome

// Classes returns a report for each of [Tally.Labels].
func (t *Tally) Classes() []ClassReport {
	labels := t.Labels()
	reports := make([]ClassReport, len(labels))
	for i, o := range t.outcomes() {
		reports[i] = ClassReport{labels[i], o.precision(), o.recall(), o.f1(), o.actual}
	}
	return reports
}

// BalancedAccuracy returns the mean recall of the classes that occur, in [0,1].
func (t *Tally) BalancedAccuracy() float64 { return t.outcomes().balancedAccuracy() }

func (list outcomes) balancedAccuracy() float64 {
	var sum, n float64
	for _, o := range list {
		if o.actual > 0 {
			sum += o.recall()
			n++
		}
	}
	return ratio(sum, n)
}

// MacroF1 returns the mean F1 of the classes that occur or are predicted.
func (t *Tally) MacroF1() float64 { return t.outcomes().macroF1() }

func (list outcomes) macroF1() float64 {
	var sum, n float64
	for _, o := range list {
		if o.actual+o.predicted > 0 {
			sum += o.f1()
			n++
		}
	}
	return ratio(sum, n)
}

// MicroF1 returns F1 over all decisions. With one label for each document it is
// the accuracy.
func (t *Tally) MicroF1() float64 { return t.outcomes().microF1() }

func (list outcomes) microF1() float64 {
	var all outcome
	for _, o := range list {
		all.both += o.both
		all.predicted += o.predicted
		all.actual += o.actual
	}
	return all.f1()
}

// WeightedF1 returns the mean F1 of the classes, weighted by their documents.
func (t *Tally) WeightedF1() float64 { return t.outcomes().weightedF1() }

func (list outcomes) weightedF1() float64 {
	var sum, n float64
	for _, o := range list {
		sum += o.f1() * float64(o.actual)
		n += float64(o.actual)
	}
	return ratio(sum, n)
}
