package eval

// PrecisionRecall returns the points of the precision-recall curve of one class
// against the others, by falling threshold, so that the recall rises from point
// to point. The points are those of [Tally.ROC]; scikit-learn's
// precision_recall_curve lists them backwards and ends with precision 1 at
// recall 0. PrecisionRecall returns nil unless there are documents of the class.
// If there are no others, every precision is 1 and every false positive rate 0.
func (t *Tally) PrecisionRecall(label string) []Point {
	points, positive := t.curve(label)
	if positive == 0 {
		return nil
	}
	return points
}

// AveragePrecision returns the area under a class's [Tally.PrecisionRecall], in
// [0,1], and zero where there is no curve:
//
//	Σ (recall(i) - recall(i-1)) · precision(i)
//
// Precision is not interpolated between points, since a mixture of two
// thresholds does not reach it (Davis and Goadrich 2006, section 4).
func (t *Tally) AveragePrecision(label string) float64 {
	return averagePrecision(t.PrecisionRecall(label))
}

func averagePrecision(points []Point) float64 {
	var sum, recall float64
	for _, p := range points {
		sum += (p.TruePositiveRate - recall) * p.Precision
		recall = p.TruePositiveRate
	}
	return sum
}

// MeanAveragePrecision returns the mean of [Tally.AveragePrecision] over the
// classes that occur, and false where none does.
func (t *Tally) MeanAveragePrecision() (ap float64, ok bool) {
	var sum, n float64
	for _, a := range t.Areas() {
		if a.Documents > 0 {
			sum += a.AveragePrecision
			n++
		}
	}
	return ratio(sum, n), n > 0
}
