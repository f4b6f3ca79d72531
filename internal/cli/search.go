package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// searchFlags say how to search for the best setting.
type searchFlags struct {
	folds  int
	seed   uint32
	budget float64 // seconds
	metric string
}

// addFlags defines the flags that train --auto and tune share.
func (s *searchFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&s.budget, "budget", 120, "`SECONDS` to search and to train in; 0 means no limit")
	cmd.Flags().StringVar(&s.metric, "metric", "accuracy", "what the best setting is best by: accuracy, macro-f1 or log-loss")
	Group(cmd, SearchFlags)
	Choices(cmd, "metric", "accuracy", "macro-f1", "log-loss")
}

// A search is what was found of the settings that the flags leave open.
type search struct {
	metric eval.Metric
	trials []trial      // best first
	best   setting      // the first, calibrated if that helps
	scores *eval.Scores // what the first says of examples held out; nil if that is not known
	cut    *cut         // nil if all was tried
}

// trainer returns t with the best setting.
func (s *search) trainer(t *Trainer) *Trainer {
	with := s.best.on(t)
	with.scores, with.found = s.scores, true
	return with
}

// shown returns what is said of s.
func (s *search) shown() *shownSearch {
	r := &shownSearch{metrics: []searchMetric{{"accuracy", "accuracy"}}, best: s.best, cut: s.cut}
	macro := s.metric == eval.ByMacroF1
	if macro {
		r.metrics = append(r.metrics, searchMetric{"macro_f1", "macro F1"})
	}
	r.metrics = append(r.metrics, searchMetric{"log_loss", "log loss"})
	for _, t := range s.trials {
		figures := []float64{t.Accuracy}
		if macro {
			figures = append(figures, t.MacroF1)
		}
		r.trials = append(r.trials, shownTrial{t.setting, append(figures, t.LogLoss), int64(t.documents), t.best})
	}
	return r
}

// A trial is a setting that was tried, and how it did.
type trial struct {
	setting
	eval.Trial
	documents int
	best      bool // of those that differ in smoothing only
}

// found returns t with what a search finds, and what is to be said of the search.
func (a *App) found(cmd *cobra.Command, t *Trainer, s *searchFlags, files []string) (*Trainer, *shownSearch, error) {
	if t.LabelSeparator != "" {
		found, err := a.searchSets(cmd, t, s, files)
		if err != nil {
			return nil, nil, err
		}
		return found.trainer(), found.shown(), nil
	}
	found, err := a.search(cmd, t, s, files)
	if err != nil {
		return nil, nil, err
	}
	return found.trainer(t), found.shown(), nil
}

// search tries the settings that the flags leave open. The first interrupt ends that, and
// what has been found is kept.
func (a *App) search(cmd *cobra.Command, t *Trainer, s *searchFlags, files []string) (*search, error) {
	defer spareMemory()()
	examples, analyzed, metric, err := a.searchData(cmd, t, s, files)
	if err != nil {
		return nil, err
	}
	return a.searchExamples(cmd, t, s, examples, analyzed, metric, files)
}

// searchExamples is search of examples that are in memory, and were read from files.
func (a *App) searchExamples(cmd *cobra.Command, t *Trainer, s *searchFlags, examples []bayes.Example, analyzed bool, metric eval.Metric, files []string) (*search, error) {
	classes, largest := classSizes(examples)
	if classes == 1 {
		a.noteOneClass(examples[0].Label)
	}
	if _, err := t.goals.of(labelsIn(examples)); err != nil { // training would say so after the search
		return nil, err
	}
	// Of few examples there are fewer folds, so that each can have one of the largest class.
	if !cmd.Flags().Changed("folds") {
		s.folds = min(t.folds(), max(2, largest))
	}
	// Smoothings, or strengths, belong to one candidate, since trying many costs little more than one.
	settings, candidates, err := a.candidates(cmd, t, t.settings(cmd, analyzed, classes))
	if err != nil {
		return nil, err
	}
	opts := &eval.SearchOptions{Folds: s.folds, Seed: s.seed, Budget: time.Duration(s.budget * float64(time.Second)), Training: true, Metric: metric}
	found, cut, err := a.runSearch(cmd.Context(), examples, candidates, opts)
	switch {
	case err != nil:
		return nil, inFiles(files, err)
	case len(found) == 0 && cut.Reason == "interrupted":
		return nil, errInterrupted
	case len(found) == 0:
		return nil, fmt.Errorf("--budget %v: too little to try a single setting", s.budget)
	}
	result := &search{metric: metric, trials: trialsOf(cmd, found, settings, metric), cut: cut}
	// What the search says of examples held out is what calibration would ask for, with the same folds.
	known := found[0].Scores
	if !result.trials[0].correction.correct || s.folds != t.folds() || s.seed != calibrationSeed {
		known = nil
	}
	result.best, result.scores, err = a.calibrated(cmd, t, result.trials[0].setting, examples, known)
	return result, err
}

// runSearch searches until all is tried, the budget is used up, or a signal comes. The cut
// is nil if all was tried.
func (a *App) runSearch(ctx context.Context, examples []bayes.Example, candidates []eval.Candidate, opts *eval.SearchOptions) ([]eval.Found, *cut, error) {
	progress, finish := a.searchProgress()
	at := &cut{Reason: "budget", Of: len(candidates), OfDocuments: len(examples)}
	var short *cut // the first round that is not complete
	opts.Progress = func(examples, done, all int) {
		if before := *at; short == nil && before.Tried > 0 && before.Tried < before.Of && examples > before.Documents {
			short = &before
		}
		at.Documents, at.Tried, at.Of = examples, done, all
		progress(examples, done, all)
		if a.tried != nil {
			a.tried(examples, done, all)
		}
	}
	ctx, restore := a.interruptible(ctx)
	defer restore()
	found, err := eval.Search(ctx, examples, candidates, opts)
	finish()
	switch {
	case err != nil && context.Cause(ctx) != errInterrupted:
		return nil, nil, err
	case err != nil:
		at.Reason = "interrupted"
	case short != nil:
		short.onAll = at.Documents == len(examples)
		at = short
	case at.Documents == len(examples) && at.Tried == at.Of:
		return found, nil, nil
	}
	return found, at, nil
}

// interruptible returns a copy of ctx that the first signal ends, with the cause errInterrupted, in place of the command.
func (a *App) interruptible(ctx context.Context) (_ context.Context, restore func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	diverted := a.divert(func() {
		a.Note("interrupted: what is best so far is kept; interrupt again to end at once")
		cancel(errInterrupted)
	})
	return ctx, func() {
		diverted()
		cancel(nil)
	}
}

// trialsOf returns what was found of each variant of each setting: the best first, then those that
// came furthest, and of these the best by the metric.
func trialsOf(cmd *cobra.Command, found []eval.Found, settings []setting, metric eval.Metric) []trial {
	var list []trial
	for _, f := range found {
		variants := settings[f.Candidate].variants(cmd)
		for i, result := range f.Trials {
			list = append(list, trial{variants[i], result, f.Examples, i == f.Best})
		}
	}
	best := list[found[0].Best]
	slices.SortStableFunc(list, func(x, y trial) int {
		return cmp.Or(cmp.Compare(y.documents, x.documents), metric.Compare(x.Trial, y.Trial))
	})
	i := slices.IndexFunc(list, func(t trial) bool { return t.setting == best.setting })
	return slices.Insert(slices.Delete(list, i, i+1), 0, best)
}

// checkReread returns an error if files, which a search reads and training reads again, have standard input among them.
func checkReread(files []string) error {
	if slices.Contains(files, "-") {
		return errors.New("stdin: can be read only once, and what a search finds is trained from it again (hint: save it to a file)")
	}
	return nil
}

// searchData reads the examples of a search, and reports whether their text is to be analyzed, as
// svmlight's is not, and by which metric settings are compared.
func (a *App) searchData(cmd *cobra.Command, t *Trainer, s *searchFlags, files []string) (examples []bayes.Example, analyzed bool, metric eval.Metric, err error) {
	if metric, err = eval.ParseMetric(s.metric); err != nil {
		return nil, false, metric, WrongUsage(cmd, "--metric: %w", err)
	}
	switch {
	case !(s.budget >= 0):
		return nil, false, metric, WrongUsage(cmd, "--budget %v: want a number of seconds from 0 up", s.budget)
	case s.folds < 2:
		return nil, false, metric, WrongUsage(cmd, "--folds %d: want 2 or more", s.folds)
	}
	em, err := t.EventModel(cmd)
	if err != nil {
		return nil, false, metric, err
	}
	if _, err = t.Space(cmd); err != nil {
		return nil, false, metric, err
	}
	t.Vectors = kindOf(em).values()
	src, err := a.open(&t.Input, files)
	if err != nil {
		return nil, false, metric, err
	}
	formats, err := src.Formats()
	if err != nil {
		return nil, false, metric, err
	}
	analyzed = !slices.Contains(formats, "svmlight") && (len(t.Text) > 0 || !t.hasColumns())
	examples, err = a.readExamples(cmd, src)
	if err == nil && len(examples) == 0 {
		err = inFiles(files, bayes.ErrEmpty)
	}
	a.noteLabels(labelsIn(examples))
	return examples, analyzed, metric, err
}

// labelsIn returns the labels of the examples, each once, in order.
func labelsIn(examples []bayes.Example) []string {
	met := make(map[string]bool)
	for _, ex := range examples {
		met[ex.Label] = true
	}
	return slices.Sorted(maps.Keys(met))
}
