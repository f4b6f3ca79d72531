package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// A setSearch looks for the best setting where documents may have several labels.
type setSearch struct {
	cmd      *cobra.Command
	ctx      context.Context // done when the budget for the search is used up, or a signal comes
	flags    *searchFlags
	base     *Trainer
	examples []bayes.Example
	metric   eval.Metric
	progress func(examples, done, all int)
	all      int        // settings to try
	trials   []setTrial // in the order in which they are tried; when all are done, best first
	cut      *cut       // nil if all was tried
}

// A setTrial is a setting that was tried, and what its models say of examples held out.
type setTrial struct {
	setting
	tally *eval.SetTally
}

// trainer returns the trainer that the search began with, with the best setting.
func (w *setSearch) trainer() *Trainer {
	with := w.trials[0].on(w.base)
	with.found = true
	return with
}

// searchSets searches corrected models where documents may have several labels: first by the terms, all with
// the same correction, then by the corrections of the best terms. Figures are those of examples held out, with the cutoffs of
// the others; the metric of accuracy is micro F1 here. What is not tried when half of the budget is used up is left out, as
// what is found has to be trained. The first interrupt ends the search, and what has been found is kept.
func (a *App) searchSets(cmd *cobra.Command, t *Trainer, s *searchFlags, files []string) (*setSearch, error) {
	defer spareMemory()()
	if cmd.Flags().Changed("correct") && !t.model.correct {
		return nil, WrongUsage(cmd, "a search with --label-separator and --correct=false: there is nothing else to search")
	}
	examples, analyzed, metric, err := a.searchData(cmd, t, s, files)
	if err != nil {
		return nil, err
	}
	progress, finish := a.searchProgress()
	defer finish()
	w := &setSearch{cmd: cmd, flags: s, base: t, examples: examples, metric: metric}
	w.progress = func(examples, done, all int) {
		progress(examples, done, all)
		if a.tried != nil {
			a.tried(examples, done, all)
		}
	}
	interruptible, restore := a.interruptible(cmd.Context())
	defer restore()
	w.ctx = interruptible
	if s.budget > 0 {
		var cancel context.CancelFunc
		w.ctx, cancel = context.WithTimeout(interruptible, time.Duration(s.budget*float64(time.Second)/2))
		defer cancel()
	}
	return w, w.run(analyzed, files)
}

// run tries the settings that the flags leave open of examples that were read from files.
func (w *setSearch) run(analyzed bool, files []string) error {
	terms := []setting{{}}
	if open(w.cmd, analyzed, correctedTerms, termFlags...)[0] != (termSetting{}) {
		terms = append(terms, vary(terms, func(s *setting) *termSetting { return &s.terms }, correctedTerms)...)
	}
	// Which terms are best hardly depends on the correction, so all are tried with the first.
	first := corrections(w.cmd)[0]
	others := slices.DeleteFunc(corrections(w.cmd), func(c correctionSetting) bool { return c == first || c.trust != 0 })
	w.all = len(terms) + len(others)
	for _, s := range terms {
		s.correction = first
		if err := w.try(s); err != nil {
			return inFiles(files, err)
		}
	}
	w.rank()
	if len(w.trials) > 0 {
		found := w.trials[0].setting
		for _, found.correction = range others {
			if err := w.try(found); err != nil {
				return inFiles(files, err)
			}
		}
	}
	w.rank()
	return w.ended()
}

// ended sets the cut. Without a single trial it returns an error.
func (w *setSearch) ended() error {
	interrupted := context.Cause(w.ctx) == errInterrupted
	switch {
	case w.cmd.Context().Err() != nil || interrupted && len(w.trials) == 0:
		return errInterrupted
	case len(w.trials) == 0:
		return fmt.Errorf("--budget %v: too little to try a single setting", w.flags.budget)
	case len(w.trials) == w.all:
		return nil
	}
	w.cut = &cut{Reason: "budget", Tried: len(w.trials), Of: w.all, Documents: len(w.examples), OfDocuments: len(w.examples)}
	if interrupted {
		w.cut.Reason = "interrupted"
	}
	return nil
}

// try tries a setting, unless the search is to end.
func (w *setSearch) try(s setting) error {
	if w.ctx.Err() != nil {
		return nil
	}
	tally, err := w.measure(s)
	if w.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	w.trials = append(w.trials, setTrial{s, tally})
	w.progress(len(w.examples), len(w.trials), w.all)
	return nil
}

// rank puts the best trials first; of equal ones, that which was tried first.
func (w *setSearch) rank() {
	slices.SortStableFunc(w.trials, func(x, y setTrial) int { return cmp.Compare(w.of(y.tally), w.of(x.tally)) })
}

// measure returns what the models of a setting say of examples held out.
func (w *setSearch) measure(s setting) (*eval.SetTally, error) {
	with := s.on(w.base)
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
	fold, err := eval.SomeFolds(strata(c, w.flags.folds), w.flags.folds, w.flags.seed, eval.Enough)
	if err != nil {
		return nil, err
	}
	scores, err := with.setScores(w.ctx, c, fold, em)
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

// chosenBy are the metrics of several labels by which settings and models are chosen.
var chosenBy = []setMetric{setMetrics[0], setMetrics[1], setMetrics[3], setMetrics[5]}

// shown returns what is said of the search.
func (w *setSearch) shown() *shownSearch {
	r := &shownSearch{best: w.trials[0].setting, cut: w.cut}
	for _, m := range chosenBy {
		r.metrics = append(r.metrics, searchMetric{m.key, m.title})
	}
	for _, t := range w.trials {
		var figures []float64
		for _, m := range chosenBy {
			figures = append(figures, m.of(t.tally))
		}
		r.trials = append(r.trials, shownTrial{t.setting, figures, t.tally.Documents(), true})
	}
	return r
}
