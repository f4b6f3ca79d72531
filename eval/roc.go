package eval

import (
	"cmp"
	"iter"
	"slices"
)

// A Point is what comes of calling a document positive if its probability is at
// least Threshold. All are in [0,1].
type Point struct {
	Threshold         float64
	FalsePositiveRate float64
	TruePositiveRate  float64 // the recall
	Precision         float64
}

// ROC returns the points of the receiver operating characteristic of one class
// against the others, by falling threshold, a point for each distinct
// probability. The curve starts at the origin, which no probability gives and
// which is not among the points (scikit-learn's roc_curve puts it first). ROC
// returns nil unless there are documents both of the class and of others.
func (t *Tally) ROC(label string) []Point {
	points, positive := t.curve(label)
	if positive == 0 || positive == len(t.rows) {
		return nil
	}
	return points
}

// curve returns a point for each distinct probability of label, by falling
// threshold, and how many documents are label.
func (t *Tally) curve(label string) (points []Point, positive int) {
	k, ok := t.index[label]
	if !ok {
		return nil, 0
	}
	for _, r := range t.rows {
		if int(r.truth) == k {
			positive++
		}
	}
	return t.points(t.scores(k), positive), positive
}

// points returns a point for each distinct score of a class, by falling threshold. Documents
// without a score are those of probability 0.
func (t *Tally) points(scores []score, positive int) (points []Point) {
	slices.SortFunc(scores, func(a, b score) int { return cmp.Compare(b.p, a.p) })
	all, negative := float64(positive), float64(len(t.rows)-positive)
	var tp, fp float64
	for i, s := range scores {
		if s.positive {
			tp++
		} else {
			fp++
		}
		if i+1 == len(scores) || scores[i+1].p != s.p {
			points = append(points, Point{s.p, ratio(fp, negative), ratio(tp, all), tp / (tp + fp)})
		}
	}
	if len(scores) < len(t.rows) {
		points = append(points, Point{0, ratio(negative, negative), ratio(all, all), all / (all + negative)})
	}
	return points
}

// A score is a probability that is not 0.
type score struct {
	p        float64
	positive bool
}

// scores returns the scores of label k.
func (t *Tally) scores(k int) []score {
	var scores []score
	for _, r := range t.rows {
		if p := t.p(r, k); p > 0 {
			scores = append(scores, score{p, int(r.truth) == k})
		}
	}
	return scores
}

// A ranking is how the documents are ranked for a class.
type ranking struct {
	label    string
	points   []Point
	positive int // documents of the class
}

// rankings yields that of each class that occurs, in the order of Labels.
func (t *Tally) rankings() iter.Seq[ranking] {
	positive := make([]int, len(t.labels))
	for _, r := range t.rows {
		positive[r.truth]++
	}
	of := t.scores
	if len(t.kept) > 0 { // reading all rows once is quicker than once for each class
		byLabel := t.scoresByLabel(positive)
		of = func(k int) []score { return byLabel[k] }
	}
	return func(yield func(ranking) bool) {
		for _, label := range t.Labels() {
			k := t.index[label]
			if n := positive[k]; n > 0 && !yield(ranking{label, t.points(of(k), n), n}) {
				return
			}
		}
	}
}

// scoresByLabel returns the scores of the labels that documents have.
func (t *Tally) scoresByLabel(positive []int) [][]score {
	count := make([]int, len(t.labels))
	for _, r := range t.rows {
		for k := range t.each(r) {
			count[k]++
		}
	}
	list := make([][]score, len(t.labels))
	for k, n := range count {
		if positive[k] > 0 {
			list[k] = make([]score, 0, n)
		}
	}
	for _, r := range t.rows {
		for k, p := range t.each(r) {
			if positive[k] > 0 {
				list[k] = append(list[k], score{p, int(r.truth) == k})
			}
		}
	}
	return list
}

// area returns the area under a curve of points: the probability that a
// document of the class is ranked above one of the others, ties half counted.
func area(points []Point) float64 {
	var sum, x, y float64
	for _, p := range points {
		sum += (p.FalsePositiveRate - x) * (p.TruePositiveRate + y) / 2
		x, y = p.FalsePositiveRate, p.TruePositiveRate
	}
	return sum
}

// AUC returns the area under a class's [Tally.ROC], in [0,1], and false where
// there is no curve.
func (t *Tally) AUC(label string) (auc float64, ok bool) {
	points := t.ROC(label)
	return area(points), points != nil
}

// ROCAUC returns the area under the ROC curve, in [0,1]: with two classes that
// of the second, with more the mean over the classes, each against the rest. It
// reports false where no class has both documents of its own and others.
func (t *Tally) ROCAUC() (auc float64, ok bool) {
	if labels := t.Labels(); len(labels) == 2 {
		return t.AUC(labels[1])
	}
	var sum, n float64
	for _, a := range t.Areas() {
		if a.HasAUC {
			sum += a.AUC
			n++
		}
	}
	return ratio(sum, n), n > 0
}

// Areas are those under the curves of a class: see [Tally.AUC] and [Tally.AveragePrecision].
type Areas struct {
	Label            string
	AUC              float64
	HasAUC           bool // whether there is a ROC curve
	AveragePrecision float64
	Documents        int64 // of the class
}

// Areas returns those of each of [Tally.Labels].
func (t *Tally) Areas() []Areas {
	list, place := []Areas{}, make(map[string]int)
	for i, label := range t.Labels() {
		list, place[label] = append(list, Areas{Label: label}), i
	}
	for r := range t.rankings() {
		a := &list[place[r.label]]
		a.Documents, a.AveragePrecision = int64(r.positive), averagePrecision(r.points)
		if r.positive < len(t.rows) {
			a.AUC, a.HasAUC = area(r.points), true
		}
	}
	return list
}
