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

// settleDefaults takes back, in t too, what was set and does not suit the examples, which are counted or else kept. It says with
// which flags the same is trained again, and returns em, without a correction if none is learned.
func (a *App) settleDefaults(cmd *cobra.Command, t *Trainer, c *bayes.Counts, kept *bayes.Corpus, em bayes.EventModel) bayes.EventModel {
	d := t.defaults
	if d == nil {
		return em
	}
	corrected, examples := d.correction.correct, examplesOf(c, kept)
	if t.LabelSeparator != "" {
		t.settleSets(a, examples)
	} else {
		t.settleMail(cmd, examples)
	}
	if corrected && !d.correction.correct {
		t.model.correct = false
		em = bayes.WithoutCorrection(em)
	}
	a.noteDefaults(d)
	return a.settleSize(t, kept, em)
}

// settleSize returns em without a correction, and says why, if that is a default for several labels, and the examples, which are nil
// if they are not kept yet, are more than corrections can be learned from.
func (a *App) settleSize(t *Trainer, kept *bayes.Corpus, em bayes.EventModel) bayes.EventModel {
	if d := t.defaults; d == nil || !d.correction.correct || t.LabelSeparator == "" || kept == nil {
		return em
	}
	why := kept.CheckCorrect()
	if why == nil {
		return em
	}
	a.Note("note: nothing is corrected: %v", why)
	t.model.correct = false
	return bayes.WithoutCorrection(em)
}

// defaultsOfSets has corrections learned where documents may have several labels: naive Bayes alone gives too few of
// the right ones (docs/several-labels.md). A flag that says by what model, or with what smoothing, decides that nothing is
// corrected, and columns are for one label each. What a search has found is left as it is.
func (t *Trainer) defaultsOfSets(cmd *cobra.Command) {
	given := []string{"correct", "model", "alpha"}
	decides := cmd.Flags().Lookup("label-cutoffs") != nil // as train and cv do, and audit and label do not
	if t.LabelSeparator == "" || !decides || t.found || t.hasColumns() || slices.ContainsFunc(given, cmd.Flags().Changed) {
		return
	}
	t.defaults = &defaults{of: "several labels", setting: setting{correction: correctionSetting{correct: true}}}
	t.model.correct = true
}

// settleSets has nothing corrected, and says why, where examples are too few for folds.
func (t *Trainer) settleSets(a *App, examples map[string]int64) {
	var n, labelled int64
	for set, of := range examples {
		n += of
		if len(labelset.Split(set, t.LabelSeparator)) > 0 {
			labelled += of
		}
	}
	if n < calibrationFolds || labelled < 2 { // one that is held out leaves none
		a.Note("note: nothing is corrected: %s, %s with a label, are too few for folds", plural(int(n), "document"), Count(labelled))
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
