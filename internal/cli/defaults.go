package cli

import (
	"strings"

	"bayes"
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
