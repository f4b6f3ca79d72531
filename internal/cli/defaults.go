package cli

import (
	"slices"
	"strings"

	"bayes"
	"bayes/internal/labelset"
	"bayes/internal/specgrammar"

	"github.com/spf13/cobra"
)

// defaults are what was set of the flags for want of flags that say otherwise, since the examples are of a
// kind that is learned better so.
type defaults struct {
	of string // the kind
	setting
	maxFPR map[string]float64
}

// settleDefaults settles what was set by what there is to learn from, and says with which flags the same is
// trained again.
func (a *App) settleDefaults(cmd *cobra.Command, t *Trainer, c *bayes.Counts, kept *bayes.Corpus, em bayes.EventModel) bayes.EventModel {
	d := t.defaults
	if d == nil {
		return em
	}
	corrected, examples := d.correction.correct, examplesOf(c, kept)
	if t.LabelSeparator != "" {
		a.settleSets(t, examples, kept)
	} else {
		t.settleMail(cmd, examples)
	}
	if corrected && !d.correction.correct {
		t.model.correct = false
		em = bayes.WithoutCorrection(em)
	}
	a.noteDefaults(d)
	return em
}

// defaultsOfSets has corrections learned where documents may have several labels: naive Bayes alone gives too few of
// the right ones (docs/several-labels.md). A flag that says by what model, or with what smoothing, decides that nothing is
// corrected, and columns are for one label each. What a search has found is left as it is.
func (t *Trainer) defaultsOfSets(cmd *cobra.Command) {
	given := []string{"correct", "model", "alpha"}
	if t.LabelSeparator == "" || cmd.Flags().Lookup("label-cutoffs") == nil || t.found || t.hasColumns() || slices.ContainsFunc(given, cmd.Flags().Changed) {
		return
	}
	t.defaults = &defaults{of: "several labels", setting: setting{correction: correctionSetting{correct: true}}}
	t.model.correct = true
}

// settleSets has nothing corrected where examples are too few for folds, none has a label, or, which it notes, there are
// more of them than corrections can be learned from.
func (a *App) settleSets(t *Trainer, examples map[string]int64, kept *bayes.Corpus) {
	var n, labelled int64
	for set, of := range examples {
		n += of
		if len(labelset.Split(set, t.LabelSeparator)) > 0 {
			labelled += of
		}
	}
	var tooMany error
	if kept != nil {
		tooMany = kept.CheckCorrect()
	}
	if tooMany != nil {
		a.Note("note: nothing is corrected: %v", tooMany)
	}
	if n < calibrationFolds || labelled == 0 || tooMany != nil {
		t.defaults.correction = correctionSetting{}
	}
}

// examplesOf returns how many examples there are of each label, of what was counted or else kept.
func examplesOf(c *bayes.Counts, kept *bayes.Corpus) map[string]int64 {
	examples := make(map[string]int64)
	if c == nil {
		for i := range kept.Len() {
			examples[kept.Label(i)]++
		}
		return examples
	}
	for _, label := range c.Classes() {
		examples[label], _ = c.Class(label)
	}
	return examples
}

// noteDefaults says which flags were set.
func (a *App) noteDefaults(d *defaults) {
	words := d.words()
	if d.maxFPR != nil {
		words = append(words, "--max-fpr", specgrammar.JoinShares(d.maxFPR))
	}
	if len(words) > 0 {
		a.Note("for %s, unless flags say otherwise: %s", d.of, strings.Join(words, " "))
	}
}
