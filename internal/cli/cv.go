package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"bayes"
	"bayes/eval"
	"bayes/feature"

	"github.com/spf13/cobra"
)

// folding holds the flags that say how data is cut into folds.
type folding struct {
	folds string
	seed  uint32
}

func (f *folding) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.folds, "folds", "5", "number of folds, or loo to leave out each example by itself")
	cmd.Flags().Uint32Var(&f.seed, "seed", 1, "seed of the shuffling")
}

// of returns the fold of each example of c, nil for leave-one-out.
func (f *folding) of(cmd *cobra.Command, c *bayes.Corpus) ([]int, error) {
	if f.folds == "loo" {
		return nil, nil
	}
	k, err := strconv.Atoi(f.folds)
	if err != nil || k < 2 {
		return nil, wrongUsage(cmd, "--folds %s: want a number from 2, or loo", f.folds)
	}
	return eval.StratifiedFolds(eval.Labels(c), k, true, f.seed)
}

func (a *app) cvCommand() *cobra.Command {
	var (
		t trainer
		f folding
	)
	cmd := &cobra.Command{
		Use:   "cv FILE...",
		Short: "Cross-validate: test on each fold what was trained on the others",
		Long: `Cross-validate. The data is read, analyzed and counted once; the counts of a fold
are subtracted from those of all. Folds are stratified and shuffled, the same ones
as scikit-learn's StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).

With --folds loo each example is predicted by a model of all others. For
multinomial, complement and Bernoulli on text no model is fitted anew; any other
takes time in the square of the data.

With --calibrate, each fifth of what is predicted is calibrated by the others.

With --idf, which does not subtract, each training part is weighted anew.`,
		Example: `  bayes cv mail.csv
  bayes cv reviews.csv --folds 10 --ngrams 1-2 --alpha 0.1
  bayes cv mail.csv --folds loo --json`,
		Args: args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error { return a.crossValidate(cmd, &t, &f, files) },
	}
	t.addFlags(cmd)
	f.addFlags(cmd)
	return cmd
}

func (a *app) crossValidate(cmd *cobra.Command, t *trainer, f *folding, files []string) error {
	start := time.Now()
	how, err := eval.ParseCalibration(t.calibrate)
	if err != nil {
		return wrongUsage(cmd, "--calibrate: %w", err)
	}
	c, em, err := a.corpus(cmd, t, files)
	if err != nil {
		return err
	}
	fold, err := f.of(cmd, c)
	if err != nil {
		return inFiles(files, err)
	}
	if fold == nil {
		if err := refitsAll(c, em); err != nil {
			return fmt.Errorf("--folds loo: %w", err)
		}
	}
	if c.Space().IDF != nil {
		a.note("note: with --idf each training part is weighted anew")
	}
	s, err := eval.CrossValidate(cmd.Context(), c, fold, em)
	if err != nil {
		return inFiles(files, err)
	}
	if how != eval.NoCalibration {
		if s, err = s.CrossCalibrate(how); err != nil {
			return inFiles(files, fmt.Errorf("--calibrate: %w", err))
		}
	}
	return a.printFolds(s.Tallies(), s.Tally(), time.Since(start))
}

// inFiles returns err with the files it is about.
func inFiles(files []string, err error) error {
	return fmt.Errorf("%s: %w", strings.Join(files, " "), err)
}

// corpus reads and analyzes files, as the flags say, and returns the event model
// that they describe.
func (a *app) corpus(cmd *cobra.Command, t *trainer, files []string) (*bayes.Corpus, bayes.EventModel, error) {
	space, err := t.space(cmd)
	if err != nil {
		return nil, nil, err
	}
	if t.idf {
		space.IDF = feature.WeightsIDF(nil) // until there is a training part
	}
	em, err := t.eventModel(cmd)
	if err != nil {
		return nil, nil, err
	}
	t.Vectors = kindOf(em).values()
	src, err := a.open(&t.input, files)
	if err != nil {
		return nil, nil, err
	}
	if err := a.declare(src, space, em); err != nil {
		return nil, nil, err
	}
	c, err := a.readCorpus(cmd, src, space, t.workers)
	if err == nil && c.Len() == 0 {
		err = inFiles(files, bayes.ErrEmpty)
	}
	return c, em, err
}

func (a *app) readCorpus(cmd *cobra.Command, src *source, space *bayes.Space, workers int) (c *bayes.Corpus, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		c, err = bayes.ReadCorpus(cmd.Context(), space, src.examples(), &bayes.CountOptions{Workers: workers, Progress: progress})
		return err
	})
	src.finish()
	return c, err
}

// foldMetrics are the metrics that are shown of each fold.
var foldMetrics = []struct {
	key, title string
	of         func(t *eval.Tally) float64
}{
	{"accuracy", "accuracy", func(t *eval.Tally) float64 { p, _, _ := t.Accuracy(); return p }},
	{"balanced_accuracy", "balanced", (*eval.Tally).BalancedAccuracy},
	{"macro_f1", "macro F1", (*eval.Tally).MacroF1},
	{"log_loss", "log loss", (*eval.Tally).LogLoss},
	{"brier", "Brier", (*eval.Tally).Brier},
	{"ece", "calibration error", (*eval.Tally).ECE},
}

// printFolds shows the metrics of each fold, their mean and their standard
// deviation; of leave-one-out, which has folds of one example, those of all.
func (a *app) printFolds(folds []*eval.Tally, all *eval.Tally, took time.Duration) error {
	if all.Documents() == folds[0].Documents() {
		folds = []*eval.Tally{all}
	}
	mean, sd := make(map[string]float64), make(map[string]float64)
	var records []map[string]any
	header := []string{"fold", "documents"}
	for _, m := range foldMetrics {
		header = append(header, m.title)
	}
	rows := [][]string{header}
	for f, t := range folds {
		record := map[string]any{"documents": t.Documents()}
		row := []string{count(f + 1), count(t.Documents())}
		for _, m := range foldMetrics {
			v := m.of(t)
			record[m.key] = v
			mean[m.key] += v / float64(len(folds))
			row = append(row, fmt.Sprintf("%.4f", v))
		}
		records, rows = append(records, record), append(rows, row)
	}
	means, sds := []string{"mean", count(all.Documents())}, []string{"sd", ""}
	for _, m := range foldMetrics {
		for _, t := range folds {
			sd[m.key] += (m.of(t) - mean[m.key]) * (m.of(t) - mean[m.key])
		}
		sd[m.key] = math.Sqrt(sd[m.key] / math.Max(1, float64(len(folds)-1)))
		means, sds = append(means, fmt.Sprintf("%.4f", mean[m.key])), append(sds, fmt.Sprintf("%.4f", sd[m.key]))
	}
	if a.json {
		return writeJSON(a.stdout, map[string]any{"folds": records, "mean": mean, "sd": sd, "seconds": took.Seconds()})
	}
	table(a.stdout, append(rows, means, sds))
	a.note("%s documents in %.2f s", count(all.Documents()), took.Seconds())
	return nil
}
