package cli

import (
	"fmt"

	"bayes"
	"bayes/eval"
	"bayes/internal/terminal"
)

// Of more than mostConfusion classes there is no confusion matrix in JSON: a hundred million
// numbers help nobody. Of more than mostClasses a table has fewClasses.
const mostConfusion, mostClasses, fewClasses = 1000, 100, 30

// macroF1 returns the mean F1 of the classes, and its interval.
func macroF1(t *eval.Tally) eval.Interval {
	return t.Bootstrap(&eval.BootstrapOptions{F1: func(string) bool { return false }}).MacroF1
}

// A confusedRecord is a pair of classes that were confused, in JSON.
type confusedRecord struct {
	Label     string `json:"label"`
	Predicted string `json:"predicted"`
	Documents int64  `json:"documents"`
}

// A classRecord is how well a label was predicted, in JSON.
type classRecord struct {
	Label     string  `json:"label"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Support   int64   `json:"support"`
}

// tallyJSON returns the metrics of t by the keys of docs/cli.md.
func tallyJSON(t *eval.Tally) map[string]any {
	var classes []classRecord
	for _, c := range t.Classes() {
		classes = append(classes, classRecord(c))
	}
	accuracy, low, high := t.Accuracy()
	majority, baseline := t.Majority()
	f1 := macroF1(t)
	confused := []confusedRecord{}
	for _, c := range t.Confused() {
		confused = append(confused, confusedRecord(c))
	}
	record := map[string]any{
		"majority":  map[string]any{"label": majority, "accuracy": baseline},
		"documents": t.Documents(), "accuracy": accuracy, "accuracy_interval": []float64{low, high},
		"balanced_accuracy": t.BalancedAccuracy(),
		"macro_f1":          f1.Value, "macro_f1_interval": []float64{f1.Low, f1.High}, "micro_f1": t.MicroF1(), "weighted_f1": t.WeightedF1(),
		"log_loss": t.LogLoss(), "brier": t.Brier(), "ece": t.ECE(), "confidence": t.Confidence(),
		"matthews": t.Matthews(), "kappa": t.Kappa(),
		"classes": classes, "labels": t.Labels(), "confusion": nil, "confused": confused, "roc_auc": nil, "average_precision": nil,
	}
	if len(classes) <= mostConfusion {
		record["confusion"] = t.Confusion()
	}
	if auc, ok := t.ROCAUC(); ok {
		record["roc_auc"] = auc
	}
	if ap, ok := t.MeanAveragePrecision(); ok {
		record["average_precision"] = ap
	}
	if r, ok := t.Ranking(); ok {
		record["ranking"] = newRankingRecord(r)
	}
	record["unsure"] = unsureJSON(t)
	return record
}

// A rankingRecord is an [eval.Ranking] in JSON.
type rankingRecord struct {
	OneMinusROCA float64 `json:"one_minus_roca_percent"`
	Label        string  `json:"label"`
	Documents    int     `json:"documents"`
	NoneLost     int     `json:"found_none_lost"`
	OneLost      int     `json:"found_one_lost"`
}

func newRankingRecord(r eval.Ranking) rankingRecord {
	return rankingRecord{r.OneMinusROCA, r.Label, r.Documents, r.NoneLost, r.OneLost}
}

// rankingRows returns the ranking of t as rows of a table, none if there is none.
func rankingRows(t *eval.Tally) [][]string {
	r, ok := t.Ranking()
	if !ok {
		return nil
	}
	return [][]string{
		{"1-ROCA %", fmt.Sprintf("%.4f", r.OneMinusROCA), "(1 - area under ROC)·100, by log-odds"},
		{"found, none lost", Count(r.NoneLost), fmt.Sprintf("of %s %s; %s with one %s lost", Count(r.Documents), terminal.Line(r.Label), Count(r.OneLost), terminal.Line(r.Against))},
	}
}

// printTally prints the metrics of t as tables, and how it keeps the goals of em.
func (a *App) printTally(em bayes.Calibrated, t *eval.Tally) {
	p := paintFor(a.stdout)
	accuracy, low, high := t.Accuracy()
	majority, baseline := t.Majority()
	f1 := macroF1(t)
	rows := [][]string{
		{"documents", Count(t.Documents())},
		{p.bold("accuracy"), p.bold(fmt.Sprintf("%.4f", accuracy)), fmt.Sprintf("95 %% interval %.4f to %.4f", low, high)},
		{"baseline", fmt.Sprintf("%.4f", baseline), "accuracy of always answering " + terminal.Line(majority)},
		{"balanced accuracy", fmt.Sprintf("%.4f", t.BalancedAccuracy())},
		{"macro F1", fmt.Sprintf("%.4f", f1.Value), fmt.Sprintf("95 %% interval %.4f to %.4f", f1.Low, f1.High)},
		{"log loss", fmt.Sprintf("%.4f", t.LogLoss())},
		{"Brier score", fmt.Sprintf("%.4f", t.Brier())},
		{"calibration error", fmt.Sprintf("%.4f", t.ECE()), fmt.Sprintf("mean confidence %.4f", t.Confidence())},
		{"Matthews", fmt.Sprintf("%.4f", t.Matthews())},
		{"kappa", fmt.Sprintf("%.4f", t.Kappa())},
	}
	if auc, ok := t.ROCAUC(); ok {
		rows = append(rows, []string{"ROC AUC", fmt.Sprintf("%.4f", auc)})
	}
	if ap, ok := t.MeanAveragePrecision(); ok {
		rows = append(rows, []string{"average precision", fmt.Sprintf("%.4f", ap)})
	}
	rows = append(rows, rankingRows(t)...)
	if n, _ := t.Unsure(); n > 0 {
		rows = append(rows, unsureRow(t))
	}
	rows = append(rows, goalRows(em, t)...)
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	classes, heading := t.Classes(), "class"
	if n := len(classes); n > mostClasses {
		classes, heading = t.Worst(fewClasses), fmt.Sprintf("worst of %s classes", Count(n))
	}
	rows = [][]string{{heading, "precision", "recall", "F1", "documents"}}
	for _, c := range classes {
		rows = append(rows, []string{c.Label, fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.F1), Count(c.Support)})
	}
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	a.printConfusion(t, p)
}

// printConfusion shows the confusion matrix, or, of many classes, the pairs
// that are confused most.
func (a *App) printConfusion(t *eval.Tally, p paint) {
	labels := t.Labels()
	if len(labels) > 12 {
		a.printConfused(t.Confused())
		return
	}
	confusion := t.Confusion()
	rows := [][]string{append([]string{"true \\ predicted"}, labels...)}
	for i, label := range labels {
		row := []string{label}
		for j, n := range confusion[i] {
			cell := Count(n)
			switch {
			case n == 0:
				cell = p.dim("·")
			case i == j:
				cell = p.bold(cell)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	table(a.stdout, rows)
}

// printConfused shows the ten pairs of classes that are confused most.
func (a *App) printConfused(pairs []eval.Confused) {
	rows := [][]string{{"true", "predicted", "documents"}}
	for _, c := range pairs[:min(len(pairs), 10)] {
		rows = append(rows, []string{c.Label, c.Predicted, Count(c.Documents)})
	}
	table(a.stdout, rows)
}
