package cli

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bayes"
	"bayes/eval"
	"bayes/internal/terminal"
	"bayes/report"

	"github.com/spf13/cobra"
)

// testSets tests m, whose documents may have several labels, on the files of args behind it.
func (a *App) testSets(f *testFlags, m *bayes.Model, args []string, to Destination) error {
	var from trail
	r := report.NewSets(m, &report.Options{
		Title:    titleOf(args),
		Mistakes: cmp.Or(f.mistakes, -1),
		Place:    func(i int64) string { return from.at(i).String() },
	})
	if err := a.observe(r.Observe, m, f, args[1:], &from); err != nil {
		return err
	}
	if to != nil {
		if err := to.Write(r.WriteHTML); err != nil {
			return err
		}
	}
	mistakes := setMistakesOf(r, &from)
	if f.mistakes == 0 {
		mistakes = nil
	}
	return a.reportSets(m, r.Tally(), mistakes)
}

// ReportSets prints what a test of a model of several labels a document came to, without mistakes.
func (a *App) ReportSets(m *bayes.Model, t *eval.SetTally) error { return a.reportSets(m, t, nil) }

// reportSets prints it with the worst mistakes, unless they are nil.
func (a *App) reportSets(m *bayes.Model, t *eval.SetTally, mistakes []setMistake) error {
	a.noteUnmetLabels(t, m.Classes())
	if a.json {
		record, intervals := setTallyJSON(t), t.Bootstrap(&eval.BootstrapOptions{F1: func(string) bool { return false }})
		record["micro_f1_interval"] = [2]float64{intervals.MicroF1.Low, intervals.MicroF1.High}
		record["macro_f1_interval"] = [2]float64{intervals.MacroF1.Low, intervals.MacroF1.High}
		record["ece"], record["advice"] = t.ECE(), report.SetAdvice(t)
		record["event"], record["space"] = m.EventModel().String(), m.Space().String()
		if mistakes != nil {
			record["mistakes"] = mistakes
		}
		return a.PrintJSON(record)
	}
	a.printSetTally(t)
	a.printSetMistakes(mistakes)
	return nil
}

// A setMistake is a label that was wrongly given or missed, in JSON.
type setMistake struct {
	place
	Label       string  `json:"label"`
	Given       bool    `json:"given"`
	Probability float64 `json:"probability"`
}

// setMistakesOf returns the mistakes that r keeps, with their places.
func setMistakesOf(r *report.Sets, from *trail) []setMistake {
	list := []setMistake{}
	for _, s := range r.Mistakes() {
		list = append(list, setMistake{from.at(s.Index), s.Of.Class, s.Given, s.Of.P})
	}
	return list
}

// printSetMistakes prints mistakes as a table.
func (a *App) printSetMistakes(mistakes []setMistake) {
	if len(mistakes) == 0 {
		return
	}
	fmt.Fprintln(a.stdout)
	rows := [][]string{{"surest mistakes", "label", "", "probability"}}
	for _, m := range mistakes {
		was := "missed"
		if m.Given {
			was = "given wrongly"
		}
		rows = append(rows, []string{terminal.Line(m.String()), terminal.Line(m.Label), was, probability(m.Probability)})
	}
	table(a.stdout, rows)
}

// noteUnmetLabels notes which labels of the documents the model does not know.
func (a *App) noteUnmetLabels(t *eval.SetTally, known []string) {
	var unmet []string
	for _, c := range t.Classes() {
		if _, ok := slices.BinarySearch(known, c.Label); !ok {
			unmet = append(unmet, c.Label)
		}
	}
	if len(unmet) > 0 {
		a.Note("note: the model has no label %s: no document can be given it", terminal.Names(unmet))
	}
}

// setTallyJSON returns the metrics of t by the keys of docs/cli.md.
func setTallyJSON(t *eval.SetTally) map[string]any {
	classes, labels := []classRecord{}, []string{}
	for _, c := range t.Classes() {
		classes, labels = append(classes, classRecord(c)), append(labels, c.Label)
	}
	record := map[string]any{"documents": t.Documents(), "classes": classes, "labels": labels}
	for _, m := range setMetrics {
		record[m.key] = m.of(t)
	}
	return record
}

// A setMetric is a metric of documents with several labels.
type setMetric struct {
	key, title, what string
	of               func(t *eval.SetTally) float64
}

var setMetrics = []setMetric{
	{"micro_f1", "micro F1", "of all decisions about a label and a document", (*eval.SetTally).MicroF1},
	{"macro_f1", "macro F1", "the mean of the labels", (*eval.SetTally).MacroF1},
	{"example_f1", "example F1", "the mean of the documents", (*eval.SetTally).ExampleF1},
	{"subset_accuracy", "subset accuracy", "documents with all labels right", (*eval.SetTally).SubsetAccuracy},
	{"hamming_loss", "Hamming loss", "wrong decisions about a label and a document", (*eval.SetTally).HammingLoss},
	{"log_loss", "log loss", "by label and document", (*eval.SetTally).LogLoss},
}

// printSetTally prints the metrics of t as tables.
func (a *App) printSetTally(t *eval.SetTally) {
	p := paintFor(a.stdout)
	rows := [][]string{{"documents", Count(t.Documents())}}
	for i, m := range setMetrics {
		row := []string{m.title, fmt.Sprintf("%.4f", m.of(t)), m.what}
		if i == 0 {
			row[0], row[1] = p.bold(row[0]), p.bold(row[1])
		}
		rows = append(rows, row)
	}
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	classes, heading := t.Classes(), "label"
	if n := len(classes); n > mostClasses {
		slices.SortStableFunc(classes, func(x, y eval.ClassReport) int { return cmp.Compare(y.Support, x.Support) })
		classes, heading = classes[:fewClasses], fmt.Sprintf("most frequent of %s labels", Count(n))
	}
	rows = [][]string{{heading, "precision", "recall", "F1", "documents"}}
	for _, c := range classes {
		rows = append(rows, []string{terminal.Line(c.Label), fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.F1), Count(c.Support)})
	}
	table(a.stdout, rows)
}

// crossValidateSets cross-validates em, where documents may have several labels: each fold with the cutoffs and the
// temperature of the others.
func (a *App) crossValidateSets(cmd *cobra.Command, t *Trainer, c *bayes.Corpus, fold []int, em bayes.EventModel, start time.Time) error {
	if fold == nil {
		return WrongUsage(cmd, "--label-separator goes with a number of --folds")
	}
	s, err := t.setScores(cmd.Context(), c, fold, em)
	if err != nil {
		return err
	}
	folds, all := s.CrossTallies(t.setsHeldOut(cmd)), new(eval.SetTally)
	header, rows := []string{"fold", "documents"}, [][]string(nil)
	mean, sd, records := make(map[string]float64), make(map[string]float64), []map[string]any{}
	for _, m := range setMetrics {
		var values []float64
		for _, f := range folds {
			values = append(values, m.of(f))
		}
		mean[m.key], sd[m.key] = meanAndDeviation(values)
		header = append(header, m.title)
	}
	row := func(name, documents string, of func(m setMetric) float64) {
		cells := []string{name, documents}
		for _, m := range setMetrics {
			cells = append(cells, fmt.Sprintf("%.4f", of(m)))
		}
		rows = append(rows, cells)
	}
	for i, f := range folds {
		all.Add(f)
		record := map[string]any{"documents": f.Documents()}
		for _, m := range setMetrics {
			record[m.key] = m.of(f)
		}
		records = append(records, record)
		row(Count(i+1), Count(f.Documents()), func(m setMetric) float64 { return m.of(f) })
	}
	if a.json {
		return a.PrintJSON(map[string]any{"folds": records, "mean": mean, "sd": sd, "all": setTallyJSON(all), "seconds": time.Since(start).Seconds()})
	}
	row("mean", Count(all.Documents()), func(m setMetric) float64 { return mean[m.key] })
	row("sd", "", func(m setMetric) float64 { return sd[m.key] })
	row("all", Count(all.Documents()), func(m setMetric) float64 { return m.of(all) })
	table(a.stdout, append([][]string{header}, rows...))
	a.Note("%s documents in %.2f s", Count(all.Documents()), time.Since(start).Seconds())
	return nil
}
