package cli

import (
	"cmp"
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
}

// addFlags defines the flag that train --auto and tune share.
func (s *searchFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&s.budget, "budget", 600, "`SECONDS` after which no further setting is tried; 0 means no limit")
}

// A trial is a setting that was tried, and how it did.
type trial struct {
	setting
	eval.Trial
	documents int
	best      bool // of those that differ in smoothing only
}

// search tries the settings that the flags leave open, and returns what it tried,
// best first.
func (a *App) search(cmd *cobra.Command, t *Trainer, s *searchFlags, files []string) ([]trial, error) {
	examples, analyzed, err := a.searchData(cmd, t, files)
	if err != nil {
		return nil, err
	}
	if s.folds < 2 {
		return nil, WrongUsage(cmd, "--folds %d: want 2 or more", s.folds)
	}
	// Of few examples there are fewer folds, so that each can have one of the largest class.
	if !cmd.Flags().Changed("folds") {
		s.folds = min(s.folds, max(2, largestClass(examples)))
	}
	// Smoothings belong to one candidate, since trying many costs little more than one.
	settings, smoothings := t.settings(cmd, analyzed)
	var candidates []eval.Candidate
	for _, setting := range settings {
		c, err := candidate(cmd, setting.on(t), smoothings)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, c)
	}
	opts := &eval.SearchOptions{Folds: s.folds, Seed: s.seed, Budget: time.Duration(s.budget * float64(time.Second))}
	finish := a.searchProgress(opts)
	found, err := eval.Search(cmd.Context(), examples, candidates, opts)
	finish()
	if err != nil {
		return nil, inFiles(files, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("--budget %v: too little to try a single setting", s.budget)
	}
	return trialsOf(found, settings, smoothings), nil
}

// trialsOf returns what was found of each setting with each smoothing: those first that
// came furthest, and of these the most accurate, then those of least log loss.
func trialsOf(found []eval.Found, settings []setting, smoothings []float64) []trial {
	var list []trial
	for _, f := range found {
		s := settings[f.Candidate]
		for i, result := range f.Trials {
			s.alpha = smoothings[i]
			list = append(list, trial{s, result, f.Examples, i == f.Best})
		}
	}
	slices.SortStableFunc(list, func(x, y trial) int {
		return cmp.Or(
			cmp.Compare(y.documents, x.documents),
			cmp.Compare(y.Accuracy, x.Accuracy),
			cmp.Compare(x.LogLoss, y.LogLoss),
		)
	})
	return list
}

// searchData reads the examples, and reports whether their text is to be analyzed:
// svmlight's is not.
func (a *App) searchData(cmd *cobra.Command, t *Trainer, files []string) (examples []bayes.Example, analyzed bool, err error) {
	em, err := t.EventModel(cmd)
	if err != nil {
		return nil, false, err
	}
	t.Vectors = kindOf(em).values()
	src, err := a.open(&t.Input, files)
	if err != nil {
		return nil, false, err
	}
	formats, err := src.Formats()
	if err != nil {
		return nil, false, err
	}
	analyzed = !slices.Contains(formats, "svmlight") && (len(t.Text) > 0 || !t.hasColumns())
	examples, err = a.readExamples(cmd, src)
	if err == nil && len(examples) == 0 {
		err = inFiles(files, bayes.ErrEmpty)
	}
	a.noteLabels(labelsIn(examples))
	return examples, analyzed, err
}

// labelsIn returns the labels of the examples, each once, in order.
func labelsIn(examples []bayes.Example) []string {
	met := make(map[string]bool)
	for _, ex := range examples {
		met[ex.Label] = true
	}
	return slices.Sorted(maps.Keys(met))
}

// largestClass returns how many examples the largest class has.
func largestClass(examples []bayes.Example) int {
	most, n := 0, make(map[string]int)
	for _, ex := range examples {
		n[ex.Label]++
		most = max(most, n[ex.Label])
	}
	return most
}

// calibrated returns the setting that was tried, with a calibration if it needs one and
// there are enough examples: normalised weights say which class is best, but their size
// means nothing.
func (tr trial) calibrated(cmd *cobra.Command, t *Trainer) setting {
	const enough = 20
	s := tr.setting
	normalised := t.model.complementNorm || s.text.complementNorm
	if normalised && !cmd.Flags().Changed("calibrate") && tr.documents >= enough {
		s.calibrate = "temperature"
	}
	return s
}
