package cli

import (
	"fmt"
	"iter"
	"time"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// A comparedSets is a row of the table where documents may have several labels.
type comparedSets struct {
	Event          string   `json:"event"`
	MicroF1        float64  `json:"micro_f1"`
	MacroF1        float64  `json:"macro_f1"`
	SubsetAccuracy float64  `json:"subset_accuracy"`
	HammingLoss    float64  `json:"hamming_loss"`
	LogLoss        float64  `json:"log_loss"`
	Seconds        float64  `json:"seconds"`
	P              *float64 `json:"p"` // of McNemar's test of documents with all labels right, as of compared
	tally          *eval.SetTally
	right          []bool // by document
}

// compareSets fits every event model that knows several labels a document, and shows how each does.
func (a *App) compareSets(cmd *cobra.Command, t *Trainer, space *bayes.Space, train, held iter.Seq2[bayes.Example, error], files, test []string) error {
	bases, err := t.everySetBase(cmd)
	if err != nil {
		return err
	}
	start := time.Now()
	counts, c, err := t.countOrRead(cmd, space, train, true)
	if err != nil {
		return err
	}
	counting := time.Since(start)
	var rows []comparedSets
	for _, base := range bases {
		of, err := t.compareSetsOf(cmd, counts, c, base, held)
		if err != nil {
			return fmt.Errorf("%s: %w", files[0], err)
		}
		rows = append(rows, of...)
	}
	tested := rows[0].tally.Documents()
	if err := checkTested(tested, int64(c.Len()), files, test); err != nil {
		return err
	}
	if tested >= fewestTested {
		if err := testSetsAgainstBest(rows); err != nil {
			return err
		}
	}
	a.noteLabels(c.Classes())
	a.noteUnmetLabels(rows[0].tally, c.Classes())
	if a.json {
		return a.PrintJSON(map[string]any{"documents": c.Len(), "test_documents": tested, "count_seconds": counting.Seconds(), "models": rows})
	}
	a.printComparedSets(rows)
	a.noteCompared(int64(c.Len()), tested, counting, ", of the documents with all labels right")
	return nil
}

// setAlphas are the smoothings that are compared where --alpha is not given.
var setAlphas = []bayes.Additive{1, 0.1, 0.01}

// everySetBase returns the event models that know several labels: naive Bayes with some smoothings and, unless
// that is refused, corrected.
func (t *Trainer) everySetBase(cmd *cobra.Command) ([]namedModel, error) {
	plain, err := t.model.baseModel(cmd, t.hasColumns())
	if err != nil {
		return nil, err
	}
	name := t.model.model
	list := []namedModel{{name, plain}}
	if !cmd.Flags().Changed("alpha") {
		list = nil
		for _, alpha := range setAlphas {
			list = append(list, namedModel{fmt.Sprintf("%s, alpha %v", name, float64(alpha)), bayes.WithSmoothing(plain, alpha)})
		}
	}
	if cmd.Flags().Changed("correct") && !t.model.correct {
		return list, nil
	}
	flags := t.model.correctionFlags
	flags.correct = true
	em, err := flags.corrected(cmd, plain)
	return append(list, namedModel{name + ", corrected", em}), err
}

// compareSetsOf tests an event model that gives each label from log-odds of 0 on, and with cutoffs, or the one that is
// asked for. A correction is learned once for both, and counts in the time of both.
func (t *Trainer) compareSetsOf(cmd *cobra.Command, counts *bayes.Counts, c *bayes.Corpus, em namedModel, held iter.Seq2[bayes.Example, error]) ([]comparedSets, error) {
	start := time.Now()
	learned, err := learnCorrection(cmd, c, em.EventModel)
	if err != nil {
		return nil, err
	}
	learning := time.Since(start)
	how := []string{"none", "f1"}
	if t.labels.cutoffs != "" {
		how = []string{t.labels.cutoffs}
	}
	var rows []comparedSets
	for _, cutoffs := range how {
		start := time.Now()
		with := *t
		with.labels.cutoffs = cutoffs
		decided, heldOut, err := with.decideSets(cmd, c, em.EventModel)
		if err != nil {
			return nil, err
		}
		tested := learned
		if heldOut != nil {
			decided.Model = learned
			tested = decided
		}
		row, err := testComparedSets(counts, tested, held, t.workers)
		if err != nil {
			return nil, err
		}
		if row.Event = em.name; cutoffs != "none" {
			row.Event += ", cutoffs"
		}
		row.Seconds = (learning + time.Since(start)).Seconds()
		rows = append(rows, row)
	}
	return rows, nil
}

// testComparedSets fits an event model and tests it.
func testComparedSets(c *bayes.Counts, em bayes.EventModel, held iter.Seq2[bayes.Example, error], workers int) (r comparedSets, err error) {
	m, err := bayes.Fit(c, em)
	if err != nil {
		return r, err
	}
	r.tally = new(eval.SetTally)
	for s, err := range m.PredictAll(held, workers) {
		if err != nil {
			return r, err
		}
		r.tally.Observe(s.Prediction, labelsOf(m.Space(), s.Label))
		r.right = append(r.right, isRight(m.Space(), s.Prediction, s.Label))
	}
	r.MicroF1, r.MacroF1, r.SubsetAccuracy = r.tally.MicroF1(), r.tally.MacroF1(), r.tally.SubsetAccuracy()
	r.HammingLoss, r.LogLoss = r.tally.HammingLoss(), r.tally.LogLoss()
	return r, nil
}

// testSetsAgainstBest tests each model against the first of those that have all labels right most often.
func testSetsAgainstBest(rows []comparedSets) error {
	best := 0
	for i, r := range rows {
		if r.SubsetAccuracy > rows[best].SubsetAccuracy {
			best = i
		}
	}
	for i := range rows {
		if i == best {
			continue
		}
		m, err := eval.CompareRight(rows[best].right, rows[i].right)
		if err != nil {
			return err
		}
		rows[i].P = &m.P
	}
	return nil
}

func (a *App) printComparedSets(rows []comparedSets) {
	lines := [][]string{{"event model", "micro F1", "macro F1", "subset accuracy", "Hamming loss", "log loss", "seconds", "p"}}
	for _, r := range rows {
		line := []string{r.Event}
		for _, v := range []float64{r.MicroF1, r.MacroF1, r.SubsetAccuracy, r.HammingLoss, r.LogLoss} {
			line = append(line, fmt.Sprintf("%.4f", v))
		}
		lines = append(lines, append(line, fmt.Sprintf("%.2f", r.Seconds), pText(r.P, r.tally.Documents())))
	}
	table(a.stdout, lines)
}
