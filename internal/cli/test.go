package cli

import (
	"fmt"
	"path/filepath"

	"bayes"
	"bayes/eval"
	"bayes/internal/outfile"
	"bayes/report"

	"github.com/spf13/cobra"
)

func (a *app) testCommand() *cobra.Command {
	var (
		in      input
		workers int
		page    Writing
	)
	cmd := &cobra.Command{
		Use:   "test MODEL FILE...",
		Short: "Measure a model on labelled examples that it has not seen",
		Example: `  bayes test mail.nb held-out.csv
  bayes test mail.nb held-out.csv --json
  bayes test mail.nb held-out.csv --report mail.html`,
		Args: args(2, -1, "MODEL and at least one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := page.Plan(args)
			if err != nil {
				return err
			}
			m, err := a.loadModel(args[0])
			if err != nil {
				return err
			}
			r := report.New(m, &report.Options{Title: titleOf(args)})
			if err := a.observe(r, m, &in, args[1:], workers); err != nil {
				return err
			}
			if to != nil {
				if err := to.Write(r.WriteHTML); err != nil {
					return err
				}
			}
			return a.reportTally(r.Tally())
		},
	}
	in.addFlags(cmd)
	cmd.Flags().IntVar(&workers, "workers", 0, "cores to use (default all)")
	page.AddFlags(cmd, outfile.Page, "report", "", "also write all of it as a page with plots and the worst mistakes to `FILE`")
	return cmd
}

// reportTally shows what is read off t.
func (a *app) reportTally(t *eval.Tally) error {
	if a.json {
		return writeJSON(a.stdout, tallyJSON(t))
	}
	a.printTally(t)
	return nil
}

// titleOf names a model and the files that it is tested with, without their
// folders.
func titleOf(args []string) string {
	title := filepath.Base(args[0]) + " on " + filepath.Base(args[1])
	if n := len(args) - 2; n > 0 {
		title += " and " + plural(n, "other file")
	}
	return title
}

// observe predicts every example of files.
func (a *app) observe(r *report.Report, m *bayes.Model, in *input, files []string, workers int) error {
	src, err := a.openFor(in, files, m.EventModel(), m)
	if err != nil {
		return err
	}
	defer src.finish()
	err = a.progress(src, func(progress func(int64)) error {
		var n int64
		for s, err := range m.PredictAll(src.examples(), workers) {
			if err != nil {
				return err
			}
			r.Observe(s)
			if n++; progress != nil && n%4096 == 0 {
				progress(n)
			}
		}
		return nil
	})
	if err == nil && r.Tally().Documents() == 0 {
		err = fmt.Errorf("%s: no examples to test with", files[0])
	}
	return err
}

// tallyJSON returns what is read off t in the keys of docs/cli.md.
func tallyJSON(t *eval.Tally) map[string]any {
	type class struct {
		Label     string  `json:"label"`
		Precision float64 `json:"precision"`
		Recall    float64 `json:"recall"`
		F1        float64 `json:"f1"`
		Support   int64   `json:"support"`
	}
	var classes []class
	for _, c := range t.Classes() {
		classes = append(classes, class(c))
	}
	accuracy, low, high := t.Accuracy()
	f1 := t.Bootstrap(nil).MacroF1
	record := map[string]any{
		"documents": t.Documents(), "accuracy": accuracy, "accuracy_interval": []float64{low, high},
		"balanced_accuracy": t.BalancedAccuracy(),
		"macro_f1":          f1.Value, "macro_f1_interval": []float64{f1.Low, f1.High}, "micro_f1": t.MicroF1(), "weighted_f1": t.WeightedF1(),
		"log_loss": t.LogLoss(), "brier": t.Brier(), "ece": t.ECE(),
		"matthews": t.Matthews(), "kappa": t.Kappa(),
		"classes": classes, "labels": t.Labels(), "confusion": t.Confusion(), "roc_auc": nil, "average_precision": nil,
	}
	if auc, ok := t.ROCAUC(); ok {
		record["roc_auc"] = auc
	}
	if ap, ok := t.MeanAveragePrecision(); ok {
		record["average_precision"] = ap
	}
	return record
}

// printTally shows what is read off t as tables.
func (a *app) printTally(t *eval.Tally) {
	p := paintFor(a.stdout)
	accuracy, low, high := t.Accuracy()
	f1 := t.Bootstrap(nil).MacroF1
	rows := [][]string{
		{"documents", count(t.Documents())},
		{p.bold("accuracy"), p.bold(fmt.Sprintf("%.4f", accuracy)), fmt.Sprintf("95 %% interval %.4f to %.4f", low, high)},
		{"balanced accuracy", fmt.Sprintf("%.4f", t.BalancedAccuracy())},
		{"macro F1", fmt.Sprintf("%.4f", f1.Value), fmt.Sprintf("95 %% interval %.4f to %.4f", f1.Low, f1.High)},
		{"log loss", fmt.Sprintf("%.4f", t.LogLoss())},
		{"Brier score", fmt.Sprintf("%.4f", t.Brier())},
		{"calibration error", fmt.Sprintf("%.4f", t.ECE())},
		{"Matthews", fmt.Sprintf("%.4f", t.Matthews())},
		{"kappa", fmt.Sprintf("%.4f", t.Kappa())},
	}
	if auc, ok := t.ROCAUC(); ok {
		rows = append(rows, []string{"ROC AUC", fmt.Sprintf("%.4f", auc)})
	}
	if ap, ok := t.MeanAveragePrecision(); ok {
		rows = append(rows, []string{"average precision", fmt.Sprintf("%.4f", ap)})
	}
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	rows = [][]string{{"class", "precision", "recall", "F1", "documents"}}
	for _, c := range t.Classes() {
		rows = append(rows, []string{c.Label, fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.F1), count(c.Support)})
	}
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	a.printConfusion(t, p)
}

// printConfusion shows the confusion matrix, or, of many classes, the pairs
// that are confused most.
func (a *app) printConfusion(t *eval.Tally, p paint) {
	labels, confusion := t.Labels(), t.Confusion()
	if len(labels) > 12 {
		a.printConfused(labels, confusion)
		return
	}
	rows := [][]string{append([]string{"true \\ predicted"}, labels...)}
	for i, label := range labels {
		row := []string{label}
		for j, n := range confusion[i] {
			cell := count(n)
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
func (a *app) printConfused(labels []string, confusion [][]int64) {
	rows := [][]string{{"true", "predicted", "documents"}}
	for range 10 {
		bi, bj := -1, -1
		for i := range confusion {
			for j, n := range confusion[i] {
				if i != j && n > 0 && (bi < 0 || n > confusion[bi][bj]) {
					bi, bj = i, j
				}
			}
		}
		if bi < 0 {
			break
		}
		rows = append(rows, []string{labels[bi], labels[bj], count(confusion[bi][bj])})
		confusion[bi][bj] = 0
	}
	table(a.stdout, rows)
}
