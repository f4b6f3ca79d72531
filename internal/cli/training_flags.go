package cli

import (
	"fmt"
	"strconv"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/feature"
	"bayes/internal/labelset"
	"bayes/mail"

	"github.com/spf13/cobra"
)

// A Trainer holds the flags of commands that train: what to read, how to count, how
// to fit.
type Trainer struct {
	Input
	space      spaceFlags
	model      modelFlags
	calibrate  string
	known      float64 // the share of documents that are not foreign; 0 without --known
	labels     severalFlags
	goals      goals
	unlabelled []string // files of documents without a label
	asked      bool     // whether those with one were asked for because they are hard
	workers    int
	found      bool         // by a search
	scores     *eval.Scores // what a search knows of examples held out; nil without one
	defaults   *defaults    // what was set for want of flags; nil if nothing was
}

// AddFlags defines the flags of training and reading on cmd.
func (t *Trainer) AddFlags(cmd *cobra.Command) {
	t.Input.AddFlags(cmd)
	t.space.addFlags(cmd)
	t.model.addFlags(cmd)
	cmd.Flags().StringVar(&t.calibrate, "calibrate", "none", "make probabilities come true by examples held out: temperature, isotonic or none")
	t.goals.addFlags(cmd)
	Group(cmd, ModelFlags)
	Choices(cmd, "calibrate", "temperature", "isotonic", "none")
	workersFlag(cmd, &t.workers)
	Group(cmd, Resources)
}

// Space returns the Space that the flags describe, before any IDF. What is read later is read for it.
func (t *Trainer) Space(cmd *cobra.Command) (*bayes.Space, error) {
	s, err := t.space.space(cmd, t.model.requirement())
	t.RawMail = mail.ReadsRaw(s)
	if err != nil {
		return s, err
	}
	s.LabelSeparator = t.LabelSeparator
	if err = t.checkLabels(cmd); err == nil {
		err = t.checkDecisions(cmd)
	}
	return s, err
}

// spaceWithIDF returns the Space that the flags describe for a search or for
// cross-validation, which weigh each training part by its own IDF: here it is empty,
// and says only that there is one.
func (t *Trainer) spaceWithIDF(cmd *cobra.Command) (*bayes.Space, error) {
	s, err := t.Space(cmd)
	if err == nil && t.space.idf {
		s.IDF = feature.WeightsIDF(nil)
	}
	return s, err
}

// EventModel returns the event model that the flags describe.
func (t *Trainer) EventModel(cmd *cobra.Command) (bayes.EventModel, error) {
	return t.model.eventModel(cmd, t.hasColumns())
}

// Corrects reports whether a correction is to be learned.
func (t *Trainer) Corrects() bool { return t.model.correct }

// Calibrates reports whether probabilities are to be calibrated.
func (t *Trainer) Calibrates() bool { return t.calibrate != string(eval.NoCalibration) }

// checkDecisions returns an error if flags of what the answer is make no sense. That is known before the data is read.
func (t *Trainer) checkDecisions(cmd *cobra.Command) error {
	if err := t.goals.checkFlags(cmd); err != nil {
		return err
	}
	_, err := t.calibration(cmd)
	return err
}

// calibration reads --calibrate. Expected costs need one: without it, it is by temperature.
func (t *Trainer) calibration(cmd *cobra.Command) (eval.Calibration, error) {
	how, err := eval.ParseCalibration(t.calibrate)
	switch {
	case err != nil:
		return how, WrongUsage(cmd, "--calibrate: %w", err)
	case t.goals.costs == "" || how != eval.NoCalibration:
		return how, nil
	case cmd.Flags().Changed("calibrate"):
		return how, WrongUsage(cmd, "--costs needs calibrated probabilities: leave out --calibrate none")
	}
	return eval.Temperature, nil
}

// calibrationFlag returns the flag that asks for a calibration, which --costs does too.
func (t *Trainer) calibrationFlag(cmd *cobra.Command) string {
	if t.goals.costs != "" && !cmd.Flags().Changed("calibrate") {
		return "--costs"
	}
	return "--calibrate"
}

// NeedsIDF reports whether a first pass has to count the documents of each term.
func (t *Trainer) NeedsIDF() bool { return t.space.idf }

// LeavesOneOut reports whether the smoothing is to be found by leaving out one
// example after the other.
func (t *Trainer) LeavesOneOut() bool { return t.model.leavesOneOut() }

// Workers returns how many cores to use, zero for all.
func (t *Trainer) Workers() int { return t.workers }

// severalFlags are the flags of documents that may have several labels.
type severalFlags struct {
	cutoffs string
}

// AddLabelSeparator defines the flag of documents that may have several labels on cmd.
func (t *Trainer) AddLabelSeparator(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.LabelSeparator, "label-separator", "", "a document may have several labels, or none: what stands between them in the column of the label, `STR`, such as ' ' or ';'")
	Group(cmd, InputFlags)
}

// AddLabelFlags defines that flag on cmd, and that of when a label is given.
func (t *Trainer) AddLabelFlags(cmd *cobra.Command) {
	t.AddLabelSeparator(cmd)
	cmd.Flags().StringVar(&t.labels.cutoffs, "label-cutoffs", "", "of several labels, from which log-odds on each is given: f1, the best F1 of examples held out; cost=N, what costs least if a label that is missed costs N times as much as one that is given wrongly; or none, from 0 on (default f1 where corrections are learned, else none)")
	Group(cmd, ModelFlags)
	Choices(cmd, "label-cutoffs", "f1", "none")
}

// wantsCutoffs reports whether each label has a cutoff of its own.
func (f *severalFlags) wantsCutoffs(t *Trainer) bool {
	return t.LabelSeparator != "" && (f.cutoffs != "" && f.cutoffs != "none" || f.cutoffs == "" && t.model.correct)
}

// missCost returns what a missed label costs, where one that is given wrongly costs 1; 0 if cutoffs do not go by costs.
func (f *severalFlags) missCost() (float64, error) {
	number, is := strings.CutPrefix(f.cutoffs, "cost=")
	if !is {
		return 0, nil
	}
	cost, err := strconv.ParseFloat(number, 64)
	if err != nil || !(cost >= leastMissCost && cost <= 1/leastMissCost) {
		return 0, fmt.Errorf("cost=%s: want a number from 1e-6 to 1e6", number)
	}
	return cost, nil
}

const leastMissCost = 1e-6

// checkLabels returns an error if flags do not go with several labels a document.
func (t *Trainer) checkLabels(cmd *cobra.Command) error {
	cost, err := t.labels.missCost()
	if err != nil {
		return WrongUsage(cmd, "--label-cutoffs %w", err)
	}
	if cutoffs := t.labels.cutoffs; cost == 0 && cutoffs != "" && cutoffs != "f1" && cutoffs != "none" {
		return WrongUsage(cmd, "--label-cutoffs %s: want f1, cost=N or none", cutoffs)
	}
	if t.LabelSeparator == "" {
		if t.labels.cutoffs != "" {
			return WrongUsage(cmd, "--label-cutoffs goes with --label-separator")
		}
		if given := cmd.Flags().Lookup("label-separator"); given != nil && given.Changed {
			return WrongUsage(cmd, "--label-separator is empty: want what stands between labels, such as ' '")
		}
		return nil
	}
	if err := labelset.Check(t.LabelSeparator); err != nil {
		return WrongUsage(cmd, "--label-separator: %w", err)
	}
	for _, with := range []struct {
		flag  string
		given bool
	}{
		{t.GoalFlag(), t.HasCutoffs()}, {"--known", t.known > 0}, {"--unlabelled", len(t.unlabelled) > 0}, {"--alpha loo", t.LeavesOneOut()},
		{"--calibrate isotonic", t.calibrate == string(eval.Isotonic)}, {"--trust", t.model.trust > 0}, {"--label-tree", t.model.labelTree != ""},
		{"--alpha evidence-documents", t.model.requirement().histograms},
	} {
		if with.given {
			return WrongUsage(cmd, "--label-separator and %s: a document has one label there", with.flag)
		}
	}
	return nil
}
