package cli

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

func (a *App) compareCommand() *cobra.Command {
	var (
		t    Trainer
		test []string
	)
	cmd := &cobra.Command{
		Use:   "compare FILE...",
		Short: "Fit every event model to the same data, and test them side by side",
		Long: `Fit every event model that is for the data, and show how each does on --test. The
data is counted once. Without --test, every fifth example is held out.

The last column is the p-value of McNemar's exact test against the model of the
highest accuracy, on the same test documents: how often two models that are equally
good would differ by as much. It is not corrected for the number of models.

Where documents may have several labels (--label-separator), naive Bayes is compared
with some smoothings, unless --alpha is given, and corrected, unless --correct=false,
each with a cutoff of each label and without. The test is of documents with all labels
right there.`,
		Example: `  bayes compare train.csv --test test.csv
  bayes compare news.csv --analyzer sklearn --alpha 0.1
  bayes compare census.csv --label income --numeric age,hours --categorical sex
  bayes compare topics.csv --label-separator ';' --test test.csv`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error { return a.compare(cmd, &t, files, test) },
	}
	t.AddFlags(cmd)
	t.AddLabelFlags(cmd)
	cmd.Flags().StringSliceVar(&test, "test", nil, "labelled `FILE`s to test with")
	Group(cmd, InputFlags)
	return cmd
}

// A compared model is a row of the table.
type compared struct {
	Event    string   `json:"event"`
	Accuracy float64  `json:"accuracy"`
	MacroF1  float64  `json:"macro_f1"`
	LogLoss  float64  `json:"log_loss"`
	Seconds  float64  `json:"seconds"`
	P        *float64 `json:"p"` // of McNemar's test against the best model, which has none, nor has any of few test documents
	tally    *eval.Tally
}

func (a *App) compare(cmd *cobra.Command, t *Trainer, files, test []string) error {
	if t.HasCutoffs() {
		return WrongUsage(cmd, "%s is for train, tune and cv", t.GoalFlag())
	}
	space, err := t.Space(cmd)
	if err != nil {
		return err
	}
	if _, err := t.EventModel(cmd); err != nil { // of flags that change nothing too
		return err
	}
	space.NumberValues = len(t.Numeric) > 0 // for kernel and discrete
	train, held, err := a.trainAndTest(t, files, test)
	if err != nil {
		return err
	}
	if space.LabelSeparator != "" {
		return a.compareSets(cmd, t, space, train, held, files, test)
	}
	models, err := t.everyModel(cmd)
	if err != nil {
		return err
	}
	a.noteUncompared(cmd, t)
	start := time.Now()
	c, examples, err := t.countOrRead(cmd, space, train, t.model.correct)
	if err != nil {
		return err
	}
	counting := time.Since(start)
	var rows []compared
	for _, em := range models {
		row, err := compareOne(cmd, c, examples, em, held, t.workers)
		if err != nil {
			return fmt.Errorf("%s: %w", files[0], err)
		}
		rows = append(rows, row)
	}
	tested := rows[0].tally.Documents()
	if err := checkTested(tested, c.Examples(), files, test); err != nil {
		return err
	}
	if tested >= fewestTested {
		if err := testAgainstBest(rows); err != nil {
			return err
		}
	}
	a.noteLabels(c.Classes())
	a.noteUnmet(rows[0].tally, c.Classes())
	if a.json {
		return a.PrintJSON(map[string]any{"documents": c.Examples(), "test_documents": tested, "count_seconds": counting.Seconds(), "models": rows})
	}
	a.printCompared(rows)
	a.noteCompared(c.Examples(), tested, counting, "")
	return nil
}

// noteUncompared notes flags that choose a model, where all are compared.
func (a *App) noteUncompared(cmd *cobra.Command, t *Trainer) {
	for _, flag := range []string{
		"model", "complement-norm", "numeric-model", "variance", "var-smoothing", "label-tree", "flat",
		"min-df", "max-df", "max-features", "select", "calibrate",
	} {
		if cmd.Flags().Changed(flag) {
			a.Note("note: --%s is for train, tune and cv, and changes nothing here", flag)
		}
	}
	if t.LeavesOneOut() {
		a.Note("note: --alpha loo is for train and cv: alpha is 1 here")
	}
}

// checkTested returns an error if there was nothing to test with.
func checkTested(tested, trained int64, files, test []string) error {
	switch {
	case tested > 0:
		return nil
	case len(test) == 0:
		return fmt.Errorf("%s: no example to test with, since every fifth of the %d is held out (hint: --test FILE)", files[0], trained)
	default:
		return fmt.Errorf("%s: no examples to test with", test[0])
	}
}

// noteCompared says what was compared, and what p is of.
func (a *App) noteCompared(trained, tested int64, counting time.Duration, of string) {
	a.Note("%s documents counted once, in %.2f s; %s tested with; seconds are those of fitting and testing, p is of McNemar's test against the best%s", Count(trained), counting.Seconds(), Count(tested), of)
	if tested < fewestTested {
		a.Note("note: so few test documents, fewer than %d, do not tell which model is best", fewestTested)
	}
}

// fewestTested is the least number of test documents on which McNemar's test could find that
// two models differ: where one is right and the other wrong on all of five, p is 2/2⁵.
const fewestTested = 6

func (a *App) printCompared(rows []compared) {
	lines := [][]string{{"event model", "accuracy", "macro F1", "log loss", "seconds", "p"}}
	for _, r := range rows {
		lines = append(lines, []string{
			r.Event, fmt.Sprintf("%.4f", r.Accuracy), fmt.Sprintf("%.4f", r.MacroF1), fmt.Sprintf("%.4f", r.LogLoss), fmt.Sprintf("%.2f", r.Seconds), pText(r.P, r.tally.Documents()),
		})
	}
	table(a.stdout, lines)
}

// trainAndTest returns the examples to train on and those to test with.
func (a *App) trainAndTest(t *Trainer, files, test []string) (train, held iter.Seq2[bayes.Example, error], err error) {
	src, err := a.open(&t.Input, files)
	if err != nil {
		return nil, nil, err
	}
	if len(test) == 0 {
		return every(5, false, src), every(5, true, src), nil
	}
	other, err := a.open(&t.Input, test)
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

// A namedModel is an event model and what it is called in the table: without its
// smoothing and prior, which are the same for all.
type namedModel struct {
	name string
	bayes.EventModel
}

// everyModel returns the event models that are for the columns: of texts, or, where there
// are columns of numbers or categories, of each text model with each number model.
func (t *Trainer) everyModel(cmd *cobra.Command) ([]namedModel, error) {
	all, err := t.everyBase(cmd)
	if err != nil {
		return nil, err
	}
	for _, base := range slices.Clone(all) {
		em, err := t.model.corrected(cmd, base.EventModel)
		if err != nil {
			return nil, err
		}
		if t.model.correct {
			all = append(all, namedModel{base.name + ", corrected", em})
		}
	}
	return all, nil
}

// everyBase returns those of naive Bayes.
func (t *Trainer) everyBase(cmd *cobra.Command) ([]namedModel, error) {
	prior, smoothing, err := t.model.priorAndSmoothing(cmd)
	if err != nil {
		return nil, err
	}
	texts := []namedModel{
		{"multinomial", bayes.Multinomial{Prior: prior, Smoothing: smoothing}},
		{"complement", bayes.Complement{Prior: prior, Smoothing: smoothing}},
		{"complement, norm", bayes.Complement{Prior: prior, Smoothing: smoothing, Normalize: true}},
		{"one-versus-rest", bayes.OneVersusRest{Prior: prior, Smoothing: smoothing}},
		{"bernoulli", bayes.Bernoulli{Prior: prior, Smoothing: smoothing}},
	}
	if !t.hasColumns() {
		return texts, nil
	}
	numbers := []namedModel{{"gaussian", bayes.Gaussian{Prior: prior}}}
	if len(t.Numeric) > 0 {
		numbers = append(numbers,
			namedModel{"gaussian, shared variance", bayes.Gaussian{Prior: prior, Shared: true}},
			namedModel{"kernel", bayes.Kernel{Prior: prior}},
			namedModel{"discrete", bayes.Discrete{Prior: prior, Smoothing: smoothing}})
	}
	if len(t.Text) == 0 {
		texts = texts[:1] // there is no text to tell them apart by
	}
	category := bayes.Categorical{Prior: prior, Smoothing: smoothing}
	var all []namedModel
	for _, text := range texts {
		for _, number := range numbers {
			mixed := bayes.Mixed{Prior: prior, Text: text.EventModel, Number: number.EventModel, Category: category}
			all = append(all, namedModel{t.nameMixed(text.name, number.name), mixed})
		}
	}
	return all, nil
}

// nameMixed returns what a mixed model is called: by the models of the columns that there are.
func (t *Trainer) nameMixed(text, number string) string {
	var parts []string
	if len(t.Text) > 0 {
		parts = append(parts, text)
	}
	if len(t.Numeric) > 0 {
		parts = append(parts, "numbers "+number)
	}
	if len(t.Categorical) > 0 {
		parts = append(parts, "categorical")
	}
	return strings.Join(parts, ", ")
}

// countOrRead counts examples, and keeps them if that is asked for. With inverse document frequencies they are read anew when
// these are known.
func (t *Trainer) countOrRead(cmd *cobra.Command, space *bayes.Space, train iter.Seq2[bayes.Example, error], keep bool) (c *bayes.Counts, examples *bayes.Corpus, err error) {
	opts := &bayes.CountOptions{Workers: t.workers}
	if !keep || t.NeedsIDF() {
		if c, err = bayes.Count(cmd.Context(), space, train, opts); err != nil {
			return nil, nil, err
		}
	}
	if t.NeedsIDF() {
		weighted := *space
		weighted.IDF, space = c.IDF(), &weighted
		if c, err = bayes.Count(cmd.Context(), space, train, opts); err != nil {
			return nil, nil, err
		}
	}
	if !keep {
		return c, nil, nil
	}
	if examples, err = bayes.ReadCorpus(cmd.Context(), space, train, opts); err == nil && c == nil {
		c = examples.Counts()
	}
	return c, examples, err
}

// compareOne fits one event model and tests it.
func compareOne(cmd *cobra.Command, c *bayes.Counts, examples *bayes.Corpus, em namedModel, held iter.Seq2[bayes.Example, error], workers int) (compared, error) {
	start := time.Now()
	if examples != nil {
		var err error
		if em.EventModel, err = learnCorrection(cmd, examples, em.EventModel); err != nil {
			return compared{}, err
		}
	}
	m, err := bayes.Fit(c, em.EventModel)
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
	return compared{em.name, accuracy, t.MacroF1(), t.LogLoss(), time.Since(start).Seconds(), nil, &t}, nil
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

// pText returns a p-value as it is shown, given on how many documents models were tested.
func pText(p *float64, tested int64) string {
	switch {
	case tested < fewestTested:
		return "-"
	case p == nil:
		return "best"
	case *p < 0.0001:
		return "< 0.0001"
	}
	return fmt.Sprintf("%.4f", *p)
}
