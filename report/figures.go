package report

import (
	"cmp"
	"math"
	"slices"

	"bayes/eval"
)

// A headline is a figure with its 95 % interval.
type headline struct {
	Name, Meaning string
	eval.Interval
	Plot *plot
}

func headlines(t *eval.Tally, b eval.Intervals) []headline {
	p, low, high := t.Accuracy()
	accuracy := eval.Interval{Value: p, Low: low, High: high}
	return []headline{
		{"Accuracy", "the share of documents that got the right label", accuracy, intervalPlot(accuracy, 0, 400)},
		{"Macro F1", "the mean over classes of F1, so that small classes count as much as large ones", b.MacroF1, intervalPlot(b.MacroF1, 0, 400)},
	}
}

// A statistic is a figure without an interval.
type statistic struct{ Name, Value, Meaning string }

func statistics(t *eval.Tally) []statistic {
	defined := func(v float64, ok bool) string {
		if !ok {
			return "–"
		}
		return figure(v)
	}
	n := float64(t.Documents())
	majority, baseline := t.Majority()
	accuracy, _, _ := t.Accuracy()
	return []statistic{
		{"Right", count(int64(math.Round(accuracy * n))), "of " + plural(t.Documents(), "document", "documents")},
		{"Baseline", figure(baseline), "accuracy of always answering " + label(majority)},
		{"Balanced accuracy", figure(t.BalancedAccuracy()), "mean recall of the classes"},
		{"Weighted F1", figure(t.WeightedF1()), "mean F1, by documents"},
		{"Log loss", figure(t.LogLoss()), "mean −ln P(true class); 0 is best"},
		{"Brier score", figure(t.Brier()), "squared error of all probabilities; 0 is best, 2 worst"},
		{"Calibration error", figure(t.ECE()), "how far confidence is from accuracy; 0 is best"},
		{"ROC AUC", defined(t.ROCAUC()), "how well documents are ranked; 0.5 is chance"},
		{"Average precision", defined(t.MeanAveragePrecision()), "area under the precision-recall curve"},
		{"Matthews", figure(t.Matthews()), "correlation of truth and prediction"},
		{"Kappa", figure(t.Kappa()), "agreement beyond chance"},
	}
}

// A classTable has a line for each class, best first. Intervals are drawn on a
// scale from Least to 1.
type classTable struct {
	Rows  []classRow
	Least float64
}

type classRow struct {
	eval.ClassReport
	Known bool // to the model
	F1    eval.Interval
	Plot  *plot
	Areas areas
}

func (r *Report) classTable(b eval.Intervals, all []areas) *classTable {
	table := &classTable{Least: 0.9}
	for _, f1 := range b.F1 {
		table.Least = min(table.Least, math.Floor(10*f1.Low)/10)
	}
	for i, c := range r.tally.Classes() {
		known := slices.Contains(r.model.Classes(), c.Label)
		table.Rows = append(table.Rows, classRow{c, known, b.F1[i], intervalPlot(b.F1[i], table.Least, 120), all[i]})
	}
	slices.SortStableFunc(table.Rows, func(a, b classRow) int { return cmp.Compare(b.F1.Value, a.F1.Value) })
	return table
}

// areas are those under a class's curves.
type areas struct {
	Label            string
	AUC              float64
	AUCDefined       bool
	AveragePrecision float64
	Documents        int64
}

func areasOf(t *eval.Tally) []areas {
	var all []areas
	for _, c := range t.Classes() {
		a := areas{Label: c.Label, Documents: c.Support, AveragePrecision: t.AveragePrecision(c.Label)}
		a.AUC, a.AUCDefined = t.AUC(c.Label)
		all = append(all, a)
	}
	return all
}
