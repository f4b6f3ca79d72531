package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/internal/outfile"
	"bayes/internal/terminal"
	"bayes/report"

	"github.com/spf13/cobra"
)

// testFlags are the flags of test.
type testFlags struct {
	Input
	workers, mistakes int
	page              Writing
}

func (a *App) testCommand() *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test MODEL FILE...",
		Short: "Measure a model on labelled examples that it has not seen",
		Long: `Measure a model on labelled examples that it has not seen: how often it is
right, beside the baseline of always answering the most frequent label, whether
its probabilities can be believed, and the mistakes in which it was surest, by
file and row. For each of these, bayes explain MODEL FILE --row N shows why.`,
		Example: `  bayes test mail.nb held-out.csv
  bayes test mail.nb held-out.csv --json
  bayes test mail.nb held-out.csv --mistakes 100
  bayes test mail.nb held-out.csv --report mail.html`,
		Args:              Args(2, -1, "MODEL and at least one FILE"),
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.mistakes < 0 {
				return WrongUsage(cmd, "--mistakes %d: want 0 or more", f.mistakes)
			}
			return a.test(&f, args)
		},
	}
	f.AddFlags(cmd)
	workersFlag(cmd, &f.workers)
	Group(cmd, Resources)
	cmd.Flags().IntVar(&f.mistakes, "mistakes", 12, "list the `N` surest mistakes, of several labels of each kind; 0 for none")
	Group(cmd, OutputFlags)
	f.page.AddFlags(cmd, outfile.Page, "report", "", "also write all of it as a page with plots and the worst mistakes to `FILE`")
	return cmd
}

func (a *App) test(f *testFlags, args []string) error {
	to, err := f.page.Plan(args)
	if err != nil {
		return err
	}
	m, err := a.loadModel(args[0])
	if err != nil {
		return err
	}
	if several(m) {
		return a.testSets(f, m, args, to)
	}
	var from trail
	r := report.New(m, &report.Options{
		Title:    titleOf(args),
		Mistakes: cmp.Or(f.mistakes, -1),
		Place:    func(i int64) string { return from.at(i).String() },
	})
	if err := a.observe(r.Observe, m, f, args[1:], &from); err != nil {
		return err
	}
	a.noteUnmet(r.Tally(), m.Classes())
	if to != nil {
		if err := to.Write(r.WriteHTML); err != nil {
			return err
		}
	}
	if f.mistakes == 0 {
		return a.ReportTest(m, r.Tally())
	}
	return a.reportTest(m, r.Tally(), mistakesOf(r, &from))
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

// observe hands the prediction of every example of files to see. It notes in from where each is. No example is an error.
func (a *App) observe(see func(bayes.Result), m *bayes.Model, f *testFlags, files []string, from *trail) error {
	src, err := a.openFor(&f.Input, files, m.EventModel(), m)
	if err != nil {
		return err
	}
	defer src.finish()
	var n int64
	err = a.progress(src, func(progress func(int64)) error {
		for s, err := range m.PredictAll(from.follow(src), f.workers) {
			if err != nil {
				return err
			}
			see(s)
			if n++; progress != nil && n%4096 == 0 {
				progress(n)
			}
		}
		return nil
	})
	if err == nil && n == 0 {
		return fmt.Errorf("%s: no examples to test with", files[0])
	}
	return err
}

// A mistakeRecord is a mistake in JSON.
type mistakeRecord struct {
	place
	Label       string  `json:"label"`
	Predicted   string  `json:"predicted"`
	Probability float64 `json:"probability"`
}

// mistakesOf returns the mistakes that r keeps, with their places.
func mistakesOf(r *report.Report, from *trail) []mistakeRecord {
	list := []mistakeRecord{}
	for _, s := range r.Mistakes() {
		list = append(list, mistakeRecord{from.at(s.Index), s.Label, s.Answer().Class, s.Answer().P})
	}
	return list
}

// ReportTest prints the metrics of a test of m, the settings of the model and what to do
// about its probabilities.
func (a *App) ReportTest(m *bayes.Model, t *eval.Tally) error { return a.reportTest(m, t, nil) }

// reportTest is ReportTest with the worst mistakes, unless they are nil.
func (a *App) reportTest(m *bayes.Model, t *eval.Tally, mistakes []mistakeRecord) error {
	if a.json {
		record := tallyJSON(t)
		if separator := m.LabelTree(); separator != "" {
			record["levels"] = levelRecords(t, separator)
		}
		record["event"], record["space"], record["advice"] = m.EventModel().String(), m.Space().String(), report.Advice(t)
		goalsJSON(record, m.Calibration(), t)
		if m.Known() > 0 {
			record["foreign"] = foreignJSON(t, m.Classes())
		}
		if mistakes != nil {
			record["mistakes"] = mistakes
		}
		return a.PrintJSON(record)
	}
	a.printTally(m.Calibration(), t)
	fmt.Fprintln(a.stdout)
	if m.Known() > 0 {
		table(a.stdout, [][]string{foreignRow(t, m.Classes())})
		fmt.Fprintln(a.stdout)
	}
	a.printLevels(t, m.LabelTree())
	a.printMistakes(t, mistakes)
	for _, s := range report.Settings(m) {
		fmt.Fprintf(a.stdout, "%-11s  %s\n", s.Name, terminal.Line(s.Value))
	}
	fmt.Fprintf(a.stdout, "\n%s\n", strings.ReplaceAll(report.Advice(t), ". ", ".\n"))
	return nil
}

// printMistakes prints mistakes as a table, those of t in which the model was surest.
func (a *App) printMistakes(t *eval.Tally, mistakes []mistakeRecord) {
	if len(mistakes) == 0 {
		return
	}
	accuracy, _, _ := t.Accuracy()
	heading := "mistakes"
	if wrong := int(float64(t.Documents())*(1-accuracy) + .5); wrong > len(mistakes) {
		heading = fmt.Sprintf("surest of %s mistakes", Count(wrong))
	}
	rows := [][]string{{heading, "label", "predicted", "probability"}}
	for _, m := range mistakes {
		rows = append(rows, []string{terminal.Line(m.String()), terminal.Line(m.Label), terminal.Line(m.Predicted), probability(m.Probability)})
	}
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
}
