package cli

import (
	"fmt"
	"iter"
	"time"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

func (a *app) compareCommand() *cobra.Command {
	var (
		t    trainer
		test []string
	)
	cmd := &cobra.Command{
		Use:   "compare FILE...",
		Short: "Fit every event model to the same data, and test them side by side",
		Long: `Fit every event model that is for the data, and show how each does on --test. The
data is counted once. Without --test, every fifth example is held out.

The last column is the p-value of McNemar's exact test against the model of the
highest accuracy, on the same test documents: how often two models that are equally
good would differ by as much. It is not corrected for the number of models.`,
		Example: `  bayes compare train.csv --test test.csv
  bayes compare news.csv --analyzer sklearn --alpha 0.1
  bayes compare census.csv --label income --numeric age,hours --categorical sex,race`,
		Args: args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error { return a.compare(cmd, &t, files, test) },
	}
	t.addFlags(cmd)
	cmd.Flags().StringSliceVar(&test, "test", nil, "labelled `FILE`s to test with")
	return cmd
}

// A compared model is a row of the table.
type compared struct {
	Event    string   `json:"event"`
	Accuracy float64  `json:"accuracy"`
	MacroF1  float64  `json:"macro_f1"`
	LogLoss  float64  `json:"log_loss"`
	Seconds  float64  `json:"seconds"`
	P        *float64 `json:"p"` // of McNemar's test against the best model, which has none
	tally    *eval.Tally
}

func (a *app) compare(cmd *cobra.Command, t *trainer, files, test []string) error {
	space, err := t.space(cmd)
	if err != nil {
		return err
	}
	space.NumberValues = len(t.Numeric) > 0
	models, err := t.everyModel(cmd)
	if err != nil {
		return err
	}
	train, held, err := a.trainAndTest(t, files, test)
	if err != nil {
		return err
	}
	start := time.Now()
	c, err := bayes.Count(cmd.Context(), space, train, &bayes.CountOptions{Workers: t.workers})
	if err != nil {
		return err
	}
	counting := time.Since(start)
	var rows []compared
	for _, em := range models {
		row, err := compareOne(c, em, held, t.workers)
		if err != nil {
			return fmt.Errorf("%s: %w", files[0], err)
		}
		rows = append(rows, row)
	}
	if err := testAgainstBest(rows); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.stdout, map[string]any{"documents": c.Examples(), "count_seconds": counting.Seconds(), "models": rows})
	}
	lines := [][]string{{"event model", "accuracy", "macro F1", "log loss", "seconds", "p"}}
	for _, r := range rows {
		lines = append(lines, []string{
			r.Event, fmt.Sprintf("%.4f", r.Accuracy), fmt.Sprintf("%.4f", r.MacroF1), fmt.Sprintf("%.4f", r.LogLoss), fmt.Sprintf("%.2f", r.Seconds), r.p(),
		})
	}
	table(a.stdout, lines)
	a.note("%s documents counted once, in %.2f s; seconds are those of fitting and testing, p is of McNemar's test against the best", count(c.Examples()), counting.Seconds())
	return nil
}

// trainAndTest returns the examples to train on and those to test with.
func (a *app) trainAndTest(t *trainer, files, test []string) (train, held iter.Seq2[bayes.Example, error], err error) {
	src, err := a.open(&t.input, files)
	if err != nil {
		return nil, nil, err
	}
	if len(test) == 0 {
		return every(5, false, src), every(5, true, src), nil
	}
	other, err := a.open(&t.input, test)
	if err != nil {
		return nil, nil, err
	}
	return src.examples(), other.examples(), nil
}

// every returns each n-th example of src, or all the others.
func every(n int, nth bool, src *source) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		i := 0
		for ex, err := range src.examples() {
			if i++; (i%n == 0) == nth || err != nil {
				if !yield(ex, err) {
					return
				}
			}
		}
	}
}

// everyModel returns the event models that are for the columns.
func (t *trainer) everyModel(cmd *cobra.Command) ([]bayes.EventModel, error) {
	prior, smoothing, err := t.imagined(cmd)
	if err != nil {
		return nil, err
	}
	texts := []bayes.EventModel{
		bayes.Multinomial{Prior: prior, Smoothing: smoothing},
		bayes.Complement{Prior: prior, Smoothing: smoothing},
		bayes.Complement{Prior: prior, Smoothing: smoothing, Normalize: true},
		bayes.Bernoulli{Prior: prior, Smoothing: smoothing},
	}
	if len(t.Numeric)+len(t.Categorical) == 0 {
		return texts, nil
	}
	if len(t.Text) == 0 {
		texts = texts[:1]
	}
	numbers := []bayes.EventModel{bayes.Gaussian{Prior: prior}}
	if len(t.Numeric) > 0 {
		numbers = append(numbers, bayes.Gaussian{Prior: prior, Shared: true}, bayes.Kernel{Prior: prior}, bayes.Discrete{Prior: prior, Smoothing: smoothing})
	}
	var all []bayes.EventModel
	for _, text := range texts {
		for _, number := range numbers {
			all = append(all, bayes.Mixed{Prior: prior, Text: text, Number: number, Category: bayes.Categorical{Prior: prior, Smoothing: smoothing}})
		}
	}
	return all, nil
}

// compareOne fits one event model and tests it.
func compareOne(c *bayes.Counts, em bayes.EventModel, held iter.Seq2[bayes.Example, error], workers int) (compared, error) {
	start := time.Now()
	m, err := bayes.Fit(c, em)
	if err != nil {
		return compared{}, err
	}
	var t eval.Tally
	for s, err := range m.PredictAll(held, workers) {
		if err != nil {
			return compared{}, err
		}
		t.Observe(s.Prediction, s.Label)
	}
	accuracy, _, _ := t.Accuracy()
	return compared{shortName(em), accuracy, t.MacroF1(), t.LogLoss(), time.Since(start).Seconds(), nil, &t}, nil
}

// testAgainstBest tests each model against the first of those that are right most
// often.
func testAgainstBest(rows []compared) error {
	best := 0
	for i, r := range rows {
		if r.Accuracy > rows[best].Accuracy {
			best = i
		}
	}
	for i := range rows {
		if i == best {
			continue
		}
		m, err := eval.CompareTallies(rows[best].tally, rows[i].tally)
		if err != nil {
			return err
		}
		rows[i].P = &m.P
	}
	return nil
}

// p returns the p-value as it is shown.
func (r *compared) p() string {
	switch {
	case r.P == nil:
		return "best"
	case *r.P < 0.0001:
		return "< 0.0001"
	}
	return fmt.Sprintf("%.4f", *r.P)
}

// shortName returns an event model without its smoothing and prior, which are
// the same for all.
func shortName(em bayes.EventModel) string {
	switch em := em.(type) {
	case bayes.Mixed:
		return shortName(em.Text) + ", numbers " + shortName(em.Number)
	case bayes.Complement:
		if em.Normalize {
			return "complement, norm"
		}
		return "complement"
	case bayes.Gaussian:
		if em.Shared {
			return "gaussian, shared variance"
		}
		return "gaussian"
	case bayes.Multinomial:
		return "multinomial"
	case bayes.Bernoulli:
		return "bernoulli"
	case bayes.Kernel:
		return "kernel"
	case bayes.Discrete:
		return "discrete"
	}
	return em.String()
}
