// Package eval measures how well a model classifies.
//
// A [Tally] is to predictions what [bayes.Counts] is to examples: predictions
// are observed, Tallies are added up from parts, and every metric is read off.
//
//	var t eval.Tally
//	for _, ex := range test {
//		t.Observe(model.Predict(ex.Document()), ex.Label)
//	}
//	accuracy, low, high := t.Accuracy()
//
// Metrics are scikit-learn's, where it has them. A ratio with nothing below the
// line is zero, and so is every metric of an empty Tally; none is ever NaN. Areas
// under curves say when they are undefined.
//
// [Tally.Bootstrap] says how much the metrics owe to the choice of the test
// documents, [CompareTallies] whether two models differ by more than chance, and
// [LearningCurve] what more examples would bring.
//
// To test on the very rows that a study in Python was tested on, cut the data
// with [SKLearnSplit] or [SKLearnStratifiedSplit].
package eval

import (
	"slices"
	"sort"

	"bayes"
)

// A Tally holds predictions and the truth. It keeps 8 bytes for each class of
// each prediction and 24 bytes more, since curves need every probability: a
// million predictions over two classes are 40 MB. The zero Tally is empty and
// ready to use. A Tally is for one goroutine; let each have its own, then Add.
type Tally struct {
	labels []string // in order of first appearance
	index  map[string]int
	rows   []row
	probs  []float64
}

// A row is one prediction: the numbers of the true and the predicted label, and
// the probabilities of the labels that were known then.
type row struct {
	truth, best int32
	start, n    int // of the probabilities in probs, by label number
}

// Observe adds the prediction p of an example whose class is label, which need
// not be a class that the model knows: its probability is then 0. p has at least
// one class, as every prediction of a model has.
func (t *Tally) Observe(p bayes.Prediction, label string) {
	r := row{truth: int32(t.number(label)), best: int32(t.number(p.Best().Class)), start: len(t.probs)}
	for _, c := range p.Classes {
		t.number(c.Class)
	}
	r.n = len(t.labels)
	t.probs = append(t.probs, make([]float64, r.n)...)
	for _, c := range p.Classes {
		t.probs[r.start+t.index[c.Class]] = c.P
	}
	t.rows = append(t.rows, r)
}

func (t *Tally) number(label string) int {
	k, ok := t.index[label]
	if !ok {
		if t.index == nil {
			t.index = make(map[string]int)
		}
		k = len(t.labels)
		t.index[label] = k
		t.labels = append(t.labels, label)
	}
	return k
}

// Add adds u to t and leaves u as it was, so that
//
//	observed(a) + observed(b) = observed(a, b)
//
// in any order: metrics made of whole numbers agree to the bit, means of real
// numbers (log loss, Brier, calibration) to their rounding.
func (t *Tally) Add(u *Tally) {
	number := make([]int, len(u.labels))
	for k, label := range u.labels {
		number[k] = t.number(label)
	}
	for _, r := range u.rows[:len(u.rows):len(u.rows)] {
		sum := row{truth: int32(number[r.truth]), best: int32(number[r.best]), start: len(t.probs), n: len(t.labels)}
		t.probs = append(t.probs, make([]float64, sum.n)...)
		for k := range r.n {
			t.probs[sum.start+number[k]] = u.probs[r.start+k]
		}
		t.rows = append(t.rows, sum)
	}
}

// Documents returns how many predictions were observed.
func (t *Tally) Documents() int64 { return int64(len(t.rows)) }

// Labels returns the classes predicted over and the true labels, sorted.
func (t *Tally) Labels() []string {
	labels := slices.Clone(t.labels)
	sort.Strings(labels)
	return labels
}

// positions returns where each label stands in Labels.
func (t *Tally) positions() []int {
	labels := t.Labels()
	position := make([]int, len(labels))
	for p, label := range labels {
		position[t.index[label]] = p
	}
	return position
}

// p returns the probability of label number k in row r.
func (t *Tally) p(r row, k int) float64 {
	if k >= r.n {
		return 0
	}
	return t.probs[r.start+k]
}

// Confusion returns how many documents of each true class (rows) were predicted
// as each class (columns), both in the order of [Tally.Labels].
func (t *Tally) Confusion() [][]int64 {
	position := t.positions()
	m := newMatrix(len(position))
	for _, r := range t.rows {
		m[position[r.truth]][position[r.best]]++
	}
	return m
}

func newMatrix(n int) [][]int64 {
	m := make([][]int64, n)
	for i := range m {
		m[i] = make([]int64, n)
	}
	return m
}

// ratio returns a/b, and zero where b is zero.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
