package cli

import (
	"context"
	"fmt"
	"time"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// searchSets returns t with what is best where documents may have several labels, of corrected models: first by the terms, all with
// the same correction, then by the corrections of the best terms. Figures are those of examples held out, with the cutoffs of
// the others; the metric of accuracy is micro F1 here. What is not tried when half of the budget is used up is left out, as
// what is found has to be trained.
func (a *App) searchSets(cmd *cobra.Command, t *Trainer, s *searchFlags, files []string) (*Trainer, error) {
	defer spareMemory()()
	if cmd.Flags().Changed("correct") && !t.model.correct {
		return nil, WrongUsage(cmd, "--auto with --label-separator and --correct=false: there is nothing else to search")
	}
	examples, analyzed, metric, err := a.searchData(cmd, t, s, files)
	if err != nil {
		return nil, err
	}
	w := &setSearch{cmd: cmd, trainer: t, examples: examples, metric: metric, folds: s.folds, seed: s.seed, ctx: cmd.Context()}
	if s.budget > 0 {
		var cancel context.CancelFunc
		w.ctx, cancel = context.WithTimeout(w.ctx, time.Duration(s.budget*float64(time.Second)/2))
		defer cancel()
	}
	terms := []setting{{}}
	if open(cmd, analyzed, correctedTerms, termFlags...)[0] != (termSetting{}) {
		terms = append(terms, vary(terms, func(s *setting) *termSetting { return &s.terms }, correctedTerms)...)
	}
	// Which terms are best hardly depends on the correction, so all are tried with the first.
	first := corrections(cmd)[0]
	for _, s := range terms {
		s.correction = first
		if err := w.try(s); err != nil {
			return nil, err
		}
	}
	if w.tried > 0 {
		found := w.best // whose correction is varied
		for _, c := range corrections(cmd) {
			if found.correction = c; c != first && c.trust == 0 {
				if err := w.try(found); err != nil {
					return nil, err
				}
			}
		}
	}
	switch {
	case cmd.Context().Err() != nil:
		return nil, errInterrupted
	case w.tried == 0:
		return nil, fmt.Errorf("--budget %v: too little to try a single setting", s.budget)
	}
	a.Note("best of %s settings: %v, micro F1 %.4f, macro F1 %.4f in cross-validation", Count(w.tried), w.best, w.tally.MicroF1(), w.tally.MacroF1())
	if w.ctx.Err() != nil {
		a.Note("note: half of the budget is used up (--budget 0 has no limit), the rest is for training")
	}
	return w.best.on(t), nil
}

// A setSearch is what a search of several labels a document has found.
type setSearch struct {
	cmd      *cobra.Command
	ctx      context.Context // done when the budget for the search is used up
	trainer  *Trainer
	examples []bayes.Example
	metric   eval.Metric
	folds    int
	seed     uint32
	tried    int
	best     setting
	tally    *eval.SetTally // of the best
}

// try tries a setting, unless the budget is used up.
func (w *setSearch) try(s setting) error {
	tally, err := w.measure(s)
	if w.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if w.tried++; w.tally == nil || w.of(tally) > w.of(w.tally) {
		w.best, w.tally = s, tally
	}
	return nil
}

// measure returns what the models of a setting say of examples held out.
func (w *setSearch) measure(s setting) (*eval.SetTally, error) {
	with := s.on(w.trainer)
	space, err := with.spaceWithIDF(w.cmd)
	if err != nil {
		return nil, err
	}
	em, err := with.EventModel(w.cmd)
	if err != nil {
		return nil, err
	}
	c, err := bayes.ReadCorpus(w.ctx, space, streamOf(w.examples), nil)
	if err != nil {
		return nil, err
	}
	if err := c.CheckCorrect(); err != nil {
		return nil, err
	}
	fold, err := eval.SomeFolds(strata(c, w.folds), w.folds, w.seed, eval.Enough)
	if err != nil {
		return nil, err
	}
	scores, err := eval.CrossValidateSets(w.ctx, c, fold, em)
	if err != nil {
		return nil, err
	}
	cutoffs, calibrates := with.setsHeldOut(w.cmd)
	all := new(eval.SetTally)
	for _, t := range scores.CrossTallies(cutoffs, calibrates) {
		all.Add(t)
	}
	return all, nil
}

// of returns the metric, the higher the better.
func (w *setSearch) of(t *eval.SetTally) float64 {
	switch w.metric {
	case eval.ByMacroF1:
		return t.MacroF1()
	case eval.ByLogLoss:
		return -t.LogLoss()
	default:
		return t.MicroF1()
	}
}
