package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"bayes"
	"bayes/eval"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

// folding holds the flags that say how data is cut into folds.
type folding struct {
	folds string
	seed  uint32
}

func (f *folding) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.folds, "folds", "5", "number of folds, loo to leave out each example by itself, or progressive to predict each and then learn it")
	cmd.Flags().Uint32Var(&f.seed, "seed", 1, "seed of the shuffling")
	Group(cmd, "Folds")
}

// number returns the number of folds, zero for leave-one-out.
func (f *folding) number(cmd *cobra.Command) (int, error) {
	switch f.folds {
	case "loo":
		return 0, nil
	case progressive:
		return 0, WrongUsage(cmd, "--label-separator and --folds %s: a document has one label there", progressive)
	}
	k, err := strconv.Atoi(f.folds)
	if err != nil || k < 2 {
		return 0, WrongUsage(cmd, "--folds %s: want a number from 2, loo or %s", f.folds, progressive)
	}
	return k, nil
}

// of returns the fold of each example of c, nil for leave-one-out.
func (f *folding) of(cmd *cobra.Command, c *bayes.Corpus) ([]int, error) {
	k, err := f.number(cmd)
	if err != nil || k == 0 {
		return nil, err
	}
	return eval.StratifiedFolds(strata(c, k), k, true, f.seed)
}

func (a *App) cvCommand() *cobra.Command {
	var (
		t    Trainer
		f    folding
		page Writing
	)
	cmd := &cobra.Command{
		Use:   "cv FILE...",
		Short: "Cross-validate: test on each fold what was trained on the others",
		Long: `Cross-validate. The data is read, analyzed and counted once; the counts of a fold
are subtracted from those of all. Folds are stratified and shuffled, the same ones
as scikit-learn's StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).

With --folds loo each example is predicted by a model of all others. For
multinomial, complement, one-versus-rest and Bernoulli on text no model is fitted anew; any other
takes time in the square of the data.

With --folds progressive each example is predicted, and learned after that, in the
order of the files; mail in that of the dates at which it was received. The table
shows how that went on: how many of each class were predicted wrongly so far, and
of two classes the 1-ROCA %, which is (1 - area under the ROC curve)·100. A correction
is learned anew whenever there are a quarter more examples, or of two classes of
the rarer one.

With --calibrate, each fifth of what is predicted is calibrated by the others, and
with --max-fpr or --min-recall it is answered by the cutoffs that the others set.

With --idf, which does not subtract, each training part is weighted anew.`,
		Example: `  bayes cv mail.csv
  bayes cv reviews.csv --folds 10 --ngrams 1-2 --alpha 0.1
  bayes cv mail.csv --folds loo --json
  bayes cv mail.csv --max-fpr spam=0.001
  bayes cv Maildir --folds progressive --report mail.html`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if f.folds == progressive && t.LabelSeparator == "" {
				return a.progressive(cmd, &t, files, &page)
			}
			if page.name != "" {
				return WrongUsage(cmd, "--report goes with --folds %s", progressive)
			}
			if _, err := f.number(cmd); err != nil {
				return err
			}
			return a.crossValidate(cmd, &t, &f, files)
		},
	}
	t.AddFlags(cmd)
	t.AddLabelFlags(cmd)
	f.addFlags(cmd)
	page.AddFlags(cmd, outfile.Page, "report", "", "with --folds progressive, also write all of it as a page with plots to `FILE`")
	return cmd
}

func (a *App) crossValidate(cmd *cobra.Command, t *Trainer, f *folding, files []string) error {
	start := time.Now()
	c, em, err := a.corpus(cmd, t, files)
	if err != nil {
		return err
	}
	how, err := t.calibration(cmd)
	if err != nil {
		return err
	}
	fold, err := f.of(cmd, c)
	if err != nil {
		return inFiles(files, err)
	}
	if c.Space().LabelSeparator != "" {
		return a.crossValidateSets(cmd, t, c, fold, em, start)
	}
	if fold == nil {
		if err := checkRefits(c, em); err != nil {
			return fmt.Errorf("--folds loo: %w", err)
		}
	}
	if c.Space().IDF != nil {
		a.Note("note: with --idf each training part is weighted anew")
	}
	goals, err := t.goals.of(c.Classes())
	if err != nil {
		return err
	}
	s, err := eval.CrossValidate(cmd.Context(), c, fold, em)
	if err != nil {
		return inFiles(files, err)
	}
	after := s
	if how != eval.NoCalibration {
		if after, err = s.CrossCalibrate(how); err != nil {
			return inFiles(files, fmt.Errorf("%s: %w", t.calibrationFlag(cmd), err))
		}
	}
	var cutoffs []eval.Cutoff
	if t.HasCutoffs() {
		goals.Calibrated = after
		if after, cutoffs, err = s.CrossDecide(goals); err != nil {
			return inFiles(files, fmt.Errorf("%s: %w", t.GoalFlag(), err))
		}
	}
	s = after
	record := make(map[string]any)
	metrics := foldMetrics
	if t.HasCutoffs() {
		metrics, record["cutoffs"] = append(slices.Clip(metrics), decidedMetrics...), cutoffRecords(cutoffs)
		a.noteCutoffs(cutoffs)
	}
	if t.goals.costs != "" {
		metrics = append(metrics, foldMetric{"cost", "cost", func(t *eval.Tally) float64 { return t.Cost(goals.Costs, goals.Reject).Value }})
	}
	return a.printFolds(s.Tallies(), s.Tally(), metrics, record, time.Since(start))
}

// corpus reads and analyzes files, as the flags say, and returns the event model
// that they describe.
func (a *App) corpus(cmd *cobra.Command, t *Trainer, files []string) (*bayes.Corpus, bayes.EventModel, error) {
	space, em, src, err := a.prepare(cmd, t, files, t.spaceWithIDF)
	if err != nil {
		return nil, nil, err
	}
	c, err := a.readCorpus(cmd, src, space, t.workers)
	if err == nil && c.Len() == 0 {
		err = inFiles(files, bayes.ErrEmpty)
	}
	if err != nil {
		return nil, nil, err
	}
	a.noteLabels(c.Classes())
	return c, a.settleDefaults(cmd, t, nil, c, em), nil
}

// A foldMetric is a metric that is shown of each fold.
type foldMetric struct {
	key, title string
	of         func(t *eval.Tally) float64
}

var foldMetrics = []foldMetric{
	{"accuracy", "accuracy", func(t *eval.Tally) float64 { p, _, _ := t.Accuracy(); return p }},
	{"balanced_accuracy", "balanced", (*eval.Tally).BalancedAccuracy},
	{"macro_f1", "macro F1", (*eval.Tally).MacroF1},
	{"log_loss", "log loss", (*eval.Tally).LogLoss},
	{"brier", "Brier", (*eval.Tally).Brier},
	{"ece", "calibration error", (*eval.Tally).ECE},
}

// decidedMetrics are those of predictions that may be unsure.
var decidedMetrics = []foldMetric{
	{"unsure", "unsure", func(t *eval.Tally) float64 { n, _ := t.Unsure(); return float64(n) / float64(max(1, t.Documents())) }},
	{"accuracy_of_rest", "accuracy of rest", func(t *eval.Tally) float64 { _, accuracy := t.Unsure(); return accuracy }},
}

// printFolds shows the metrics of each fold, their mean and their standard
// deviation; of leave-one-out, which has folds of one example, those of all. In JSON it adds them to record.
func (a *App) printFolds(folds []*eval.Tally, all *eval.Tally, metrics []foldMetric, record map[string]any, took time.Duration) error {
	if all.Documents() == folds[0].Documents() {
		folds = []*eval.Tally{all}
	}
	values := make(map[string][]float64) // of a metric, by fold
	mean, sd := make(map[string]float64), make(map[string]float64)
	for _, m := range metrics {
		for _, t := range folds {
			values[m.key] = append(values[m.key], m.of(t))
		}
		mean[m.key], sd[m.key] = meanAndDeviation(values[m.key])
	}
	if a.json {
		var records []map[string]any
		for f, t := range folds {
			fold := map[string]any{"documents": t.Documents()}
			for _, m := range metrics {
				fold[m.key] = values[m.key][f]
			}
			records = append(records, fold)
		}
		record["folds"], record["mean"], record["sd"], record["seconds"] = records, mean, sd, took.Seconds()
		return a.PrintJSON(record)
	}
	// A row for each fold, with a column for each metric, then the two of all folds.
	row := func(name, documents string, of func(metric string) float64) []string {
		cells := []string{name, documents}
		for _, m := range metrics {
			cells = append(cells, fmt.Sprintf("%.4f", of(m.key)))
		}
		return cells
	}
	header := []string{"fold", "documents"}
	for _, m := range metrics {
		header = append(header, m.title)
	}
	rows := [][]string{header}
	for f, t := range folds {
		rows = append(rows, row(Count(f+1), Count(t.Documents()), func(metric string) float64 { return values[metric][f] }))
	}
	rows = append(rows,
		row("mean", Count(all.Documents()), func(metric string) float64 { return mean[metric] }),
		row("sd", "", func(metric string) float64 { return sd[metric] }))
	table(a.stdout, rows)
	a.Note("%s documents in %.2f s", Count(all.Documents()), took.Seconds())
	return nil
}

// meanAndDeviation returns the mean of values and their standard deviation, the root of
// Σ(x - mean)² / (n - 1); of one value that is zero.
func meanAndDeviation(values []float64) (mean, sd float64) {
	n := float64(len(values))
	for _, x := range values {
		mean += x / n
	}
	for _, x := range values {
		sd += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(sd / math.Max(1, n-1))
}
