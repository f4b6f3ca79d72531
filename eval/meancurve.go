package eval

import "sort"

// MeanROC returns the mean of the classes' ROC curves at the n+1 false positive
// rates 0, 1/n, 2/n, …, 1, where a curve is drawn on straight lines from the
// origin through the points of [Tally.ROC]: the vertical average of Fawcett 2006,
// section 8.2. Only the two rates of a point are set. It returns nil where no
// class has a curve.
func (t *Tally) MeanROC(n int) []Point {
	negative := func(r ranking) bool { return r.positive < len(t.rows) }
	return t.meanCurve(n, negative, func(points []Point, x float64) Point {
		return Point{FalsePositiveRate: x, TruePositiveRate: sensitivityAt(points, x)}
	})
}

// MeanPrecisionRecall returns the mean of the classes' precisions at the n+1
// recalls 0, 1/n, 2/n, …, 1, where a class's precision at a recall is that of the
// first point of [Tally.PrecisionRecall] which reaches it. Only
// TruePositiveRate, the recall, and Precision are set. It returns nil where no
// class has a curve.
func (t *Tally) MeanPrecisionRecall(n int) []Point {
	return t.meanCurve(n, func(ranking) bool { return true }, func(points []Point, x float64) Point {
		return Point{TruePositiveRate: x, Precision: precisionAt(points, x)}
	})
}

// meanCurve returns the mean of what at reads off the curve of each class that has one.
func (t *Tally) meanCurve(n int, has func(ranking) bool, at func(points []Point, x float64) Point) []Point {
	n = max(n, 1)
	sum, curves := make([]Point, n+1), 0.0
	for r := range t.rankings() {
		if !has(r) {
			continue
		}
		curves++
		for i := range sum {
			p := at(r.points, float64(i)/float64(n))
			sum[i].FalsePositiveRate += p.FalsePositiveRate
			sum[i].TruePositiveRate += p.TruePositiveRate
			sum[i].Precision += p.Precision
		}
	}
	if curves == 0 {
		return nil
	}
	for i := range sum {
		sum[i].FalsePositiveRate /= curves
		sum[i].TruePositiveRate /= curves
		sum[i].Precision /= curves
	}
	return sum
}

// sensitivityAt returns the true positive rate of a ROC curve at a false positive
// rate, of several the highest.
func sensitivityAt(points []Point, rate float64) float64 {
	i := sort.Search(len(points), func(i int) bool { return points[i].FalsePositiveRate > rate })
	if i == len(points) {
		return 1
	}
	var from Point // the origin
	if i > 0 {
		from = points[i-1]
	}
	share := (rate - from.FalsePositiveRate) / (points[i].FalsePositiveRate - from.FalsePositiveRate)
	return from.TruePositiveRate + share*(points[i].TruePositiveRate-from.TruePositiveRate)
}

// precisionAt returns the precision of the first point that reaches a recall.
func precisionAt(points []Point, recall float64) float64 {
	i := sort.Search(len(points), func(i int) bool { return points[i].TruePositiveRate >= recall })
	return points[min(i, len(points)-1)].Precision
}
