package report

import (
	"cmp"
	"math"
	"slices"

	"bayes"
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

func statistics(m *bayes.Model, t *eval.Tally) []statistic {
	defined := func(v float64, ok bool) string {
		if !ok {
			return "–"
		}
		return figure(v)
	}
	n := float64(t.Documents())
	majority, baseline := t.Majority()
	accuracy, _, _ := t.Accuracy()
	list := []statistic{
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
	if r, ok := t.Ranking(); ok {
		list = append(list, statistic{"1-ROCA %", figure(r.OneMinusROCA), "(1 − area under ROC)·100, ranked by log-odds; 0 is best"},
			statistic{"Found, none lost", count(int64(r.NoneLost)), "of " + count(int64(r.Documents)) + " " + label(r.Label) + ", above every " + label(r.Against)})
	}
	if unsure, accuracy := t.Unsure(); unsure > 0 {
		list = append(list, statistic{"Unsure", count(unsure), "below a cutoff; accuracy of the rest " + figure(accuracy)})
	}
	for _, k := range t.Kept(m.Calibration()) {
		low, high := eval.ClopperPearson(k.Given, k.Documents)
		list = append(list, statistic{"Given " + label(k.Label), figure(k.Share()), "of " + count(int64(k.Documents)) + " " + k.Of() +
			", 95 % interval " + figure(low) + " to " + figure(high) + "; promised " + k.Promised() + ", with 95 % confidence"})
	}
	if cost, ok := t.CostOf(m.Calibration()); ok {
		list = append(list, statistic{"Cost", figure(cost.Value), "a document; 95 % interval " + figure(cost.Low) + " to " + figure(cost.High)})
	}
	return list
}

// A classTable has a line for each class, best first. Intervals are drawn on a
// scale from Least to 1.
type classTable struct {
	Rows  []classRow
	Least float64
	All   int64 // how many classes there are, if those with the most mistakes alone are shown
}

// Of more than mostRows classes, the worstRows in which most mistakes are made are shown.
const mostRows, worstRows = 200, 100

// shown returns which classes the table has, nil if all.
func (r *Report) shown() map[string]bool {
	if len(r.tally.Labels()) <= mostRows {
		return nil
	}
	shown := make(map[string]bool)
	for _, c := range r.tally.Worst(worstRows) {
		shown[c.Label] = true
	}
	return shown
}

// intervals returns those of the figures, and of the classes that are shown.
func (r *Report) intervals(shown map[string]bool) eval.Intervals {
	return r.tally.Bootstrap(&eval.BootstrapOptions{F1: func(label string) bool { return shown == nil || shown[label] }})
}

type classRow struct {
	eval.ClassReport
	Known bool // to the model
	F1    eval.Interval
	Plot  *plot
	Areas eval.Areas
}

func (r *Report) classTable(b eval.Intervals, all []eval.Areas, shown map[string]bool) *classTable {
	table, classes, known := &classTable{Least: 0.9}, r.tally.Classes(), r.model.Classes()
	if shown != nil {
		table.All = int64(len(classes))
	}
	listed := func(i int) bool { return shown == nil || shown[classes[i].Label] }
	for i, f1 := range b.F1 {
		if listed(i) {
			table.Least = min(table.Least, math.Floor(10*f1.Low)/10)
		}
	}
	for i, c := range classes {
		if !listed(i) {
			continue
		}
		_, known := slices.BinarySearch(known, c.Label)
		table.Rows = append(table.Rows, classRow{c, known, b.F1[i], intervalPlot(b.F1[i], table.Least, 120), all[i]})
	}
	slices.SortStableFunc(table.Rows, func(a, b classRow) int { return cmp.Compare(b.F1.Value, a.F1.Value) })
	return table
}
