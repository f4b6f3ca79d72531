package eval

import (
	"cmp"
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
	scores := t.scores(k)
	for _, s := range scores {
		if s.positive {
			positive++
		}
	}
	all, negative := float64(positive), float64(len(scores)-positive)
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
	return points, positive
}

type score struct {
	p        float64
	positive bool
}

// scores returns the probabilities of label k, falling.
func (t *Tally) scores(k int) []score {
	scores := make([]score, len(t.rows))
	for i, r := range t.rows {
		scores[i] = score{t.p(r, k), int(r.truth) == k}
	}
	slices.SortFunc(scores, func(a, b score) int { return cmp.Compare(b.p, a.p) })
	return scores
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
	labels := t.Labels()
	if len(labels) == 2 {
		labels = labels[1:]
	}
	var sum, n float64
	for _, label := range labels {
		if auc, ok := t.AUC(label); ok {
			sum += auc
			n++
		}
	}
	return ratio(sum, n), n > 0
}
