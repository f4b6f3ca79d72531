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
	"cmp"
	"iter"
	"slices"
	"sort"

	"bayes"
)

// A Tally holds predictions and the truth. It keeps 8 bytes for each class of
// each prediction and 32 bytes more, since curves need every probability: a
// million predictions over two classes are 48 MB. Where there are more than 1,000
// labels it keeps the 100 most probable classes of a prediction, 16 bytes each.
// Curves and the areas under them then take the other probabilities for 0, of the
// true class too; all other figures are what they are with all probabilities.
//
// The zero Tally is empty and ready to use. A Tally is for one goroutine; let each
// have its own, then Add.
type Tally struct {
	labels  []string // in order of first appearance
	index   map[string]int
	rows    []row
	probs   []float64
	kept    []kept
	classes int // of the last prediction
}

// A row is one prediction: the numbers of the true and the predicted label, and
// the probabilities of the labels that were known then, or of the few that are kept.
type row struct {
	truth, best int32
	start       int // of the probabilities: in probs, by label number, or of few in kept
	n           int32
	few, unsure bool
	logOdds     float64 // over two classes, of the best against the other: where P is as good as 1 it goes on to rank
}

// A kept is a probability of a prediction over many classes. Those of a row are in the
// order of their labels' numbers. Behind them are, without a label, the probability of the true class
// and Σ P² of the other classes that are not kept.
type kept struct {
	label int32
	p     float64
}

// Of predictions over more than many labels, the mostKept most probable classes are kept.
const many, mostKept = 1000, 100

// Observe adds the prediction p of an example whose class is label, which need
// not be a class that the model knows: its probability is then 0. p has at least
// one class, as every prediction of a model has.
func (t *Tally) Observe(p bayes.Prediction, label string) {
	r := row{truth: int32(t.number(label)), best: int32(t.number(p.Answer().Class)), unsure: p.Unsure, logOdds: logOdds(p)}
	// Looking up many labels for every prediction would take longer than predicting. A model has
	// the same classes each time.
	n := len(p.Classes)
	if len(t.labels)+n > many && n != t.classes {
		for _, c := range p.Classes {
			t.number(c.Class)
		}
		t.classes = n
	}
	if len(t.labels) > many {
		t.keep(&r, p, label)
	} else {
		r.start = len(t.probs)
		for _, c := range p.Classes {
			k := t.number(c.Class)
			t.lengthen(r.start)
			t.probs[r.start+k] = c.P
		}
		r.n = int32(len(t.labels))
	}
	t.rows = append(t.rows, r)
}

// lengthen makes room in probs for a row of all labels.
func (t *Tally) lengthen(start int) {
	if lacks := start + len(t.labels) - len(t.probs); lacks > 0 {
		t.probs = append(t.probs, make([]float64, lacks)...)
	}
}

// keep keeps the most probable classes of p, whose true class is label.
func (t *Tally) keep(r *row, p bayes.Prediction, label string) {
	var own, rest float64
	r.start = len(t.kept)
	for i, c := range p.Classes {
		if i < mostKept {
			t.kept = append(t.kept, kept{int32(t.number(c.Class)), c.P})
		}
		switch {
		case c.Class == label:
			own = c.P
		case i >= mostKept:
			rest += c.P * c.P
		}
	}
	t.sortKept(r, own, rest)
}

// sortKept makes the end of kept the row's.
func (t *Tally) sortKept(r *row, own, rest float64) {
	list := t.kept[r.start:]
	slices.SortFunc(list, func(a, b kept) int { return cmp.Compare(a.label, b.label) })
	r.n, r.few = int32(len(list)), true
	t.kept = append(t.kept, kept{-1, own}, kept{-1, rest})
}

// own returns the probability of the true class of row r, and Σ P² of the other classes that are
// not kept.
func (t *Tally) own(r row) (own, rest float64) {
	if end := r.start + int(r.n); r.few {
		return t.kept[end].p, t.kept[end+1].p
	}
	return t.p(r, int(r.truth)), 0
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
		sum := row{truth: int32(number[r.truth]), best: int32(number[r.best]), unsure: r.unsure, logOdds: r.logOdds}
		if len(t.labels) > many {
			sum.start = len(t.kept)
			for k, p := range u.each(r) {
				t.kept = append(t.kept, kept{int32(number[k]), p})
			}
			own, rest := u.own(r)
			t.sortKept(&sum, own, rest)
		} else {
			sum.start, sum.n = len(t.probs), int32(len(t.labels))
			t.lengthen(sum.start)
			for k, p := range u.each(r) {
				t.probs[sum.start+number[k]] = p
			}
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
	if r.few {
		list := t.kept[r.start : r.start+int(r.n)]
		i, ok := slices.BinarySearchFunc(list, int32(k), func(c kept, k int32) int { return cmp.Compare(c.label, k) })
		if !ok {
			return 0
		}
		return list[i].p
	}
	if k >= int(r.n) {
		return 0
	}
	return t.probs[r.start+k]
}

// each yields the numbers of the labels of row r that are more than impossible, rising, and
// their probabilities.
func (t *Tally) each(r row) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		if r.few {
			for _, c := range t.kept[r.start : r.start+int(r.n)] {
				if c.p > 0 && !yield(int(c.label), c.p) {
					return
				}
			}
			return
		}
		for k, p := range t.probs[r.start : r.start+int(r.n)] {
			if p > 0 && !yield(k, p) {
				return
			}
		}
	}
}

// ratio returns a/b, and zero where b is zero.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
