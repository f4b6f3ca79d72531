package cli

import (
	"slices"

	"bayes"
	"bayes/internal/labelset"

	"github.com/spf13/cobra"
)

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
