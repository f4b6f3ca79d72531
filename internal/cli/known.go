package cli

import (
	"fmt"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// knownFlag defines --known on cmd.
func (t *Trainer) knownFlag(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&t.known, "known", 0, "answer ? for what is foreign, and this `SHARE` of documents like the examples with a label, such as 0.95")
	Group(cmd, ModelFlags)
}

// checkKnown returns an error if --known makes no sense.
func (t *Trainer) checkKnown(cmd *cobra.Command) error {
	if cmd.Flags().Changed("known") && !(t.known > 0 && t.known < 1) {
		return WrongUsage(cmd, "--known %v: want a share between 0 and 1, such as 0.95", t.known)
	}
	return nil
}

// knownFolds is the number of folds by which typicality is learned: models of nine tenths of the data know
// almost as many words as that of all.
const knownFolds = 10

// enoughKnown is how many examples of a class are tested where more would take long.
const enoughKnown = 100

// scoresKnown returns what em says of each example, fitted to others, and how typical it is.
func (t *Trainer) scoresKnown(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (*eval.Scores, error) {
	enough := max(t.enoughHeldOut(c, em), enoughKnown*len(c.Classes()))
	fold, err := eval.SomeFolds(eval.Labels(c), min(knownFolds, largestOf(c)), calibrationSeed, enough)
	if err != nil {
		return nil, fmt.Errorf("--known: %w", err)
	}
	return eval.CrossValidateKnown(cmd.Context(), c, fold, em)
}

// largestOf returns how many examples the largest class of c has.
func largestOf(c *bayes.Corpus) (largest int) {
	n := make(map[string]int)
	for _, label := range eval.Labels(c) {
		n[label]++
		largest = max(largest, n[label])
	}
	return largest
}

// A knownRecord is what --known has learned, in JSON, by documents held out.
type knownRecord struct {
	Share     float64  `json:"share"`
	Documents int64    `json:"documents"`        // held out
	Alarms    int64    `json:"foreign"`          // and how many of them are foreign, by the others
	Pooled    []string `json:"pooled,omitempty"` // the classes that too few documents were given
	Shown     bool     `json:"shown"`            // whether those are enough together, or there are none
}

// learnKnown returns em with what --known asks for.
func (t *Trainer) learnKnown(em bayes.Calibrated, held *eval.Scores) (bayes.Calibrated, *knownRecord, error) {
	if slices.Contains(held.Classes, answer.Undecided) {
		return em, nil, fmt.Errorf("--known answers %s for what is foreign, and a class is called so", answer.Undecided)
	}
	em, err := held.Known(em, t.known)
	if err != nil {
		return em, nil, fmt.Errorf("--known: %w", err)
	}
	// What is reported is of examples that have not set what they are measured by.
	crossed, err := held.CrossKnown(t.known)
	if err != nil {
		return em, nil, fmt.Errorf("--known: %w", err)
	}
	f := crossed.Tally().Foreign(held.Classes)
	r := &knownRecord{Share: t.known, Documents: f.Known, Alarms: f.Alarms}
	for _, class := range held.Classes {
		if len(em.Typical[class]) == 0 {
			r.Pooled = append(r.Pooled, class)
		}
	}
	pool := em.Typical[""]
	r.Shown = len(r.Pooled) == 0 || len(pool) > 0 && pool[0].Y <= (1-t.known)*(1+1e-9)
	return em, r, nil
}

// noteKnown says what --known does.
func (a *App) noteKnown(r *knownRecord) {
	if r == nil {
		return
	}
	a.Note("%s for what is foreign: of %s held out, of known classes, %s", answer.Undecided, plural(int(r.Documents), "document"), areOf(int(r.Alarms)))
	if n := len(r.Pooled); n > 0 {
		then := "they are taken together"
		if !r.Shown {
			then = "they are too few together as well, and none of their documents is foreign"
		}
		a.Note("note: --known %v: too few documents held out are given %s %s: %s", r.Share, plural(n, "class"), quoteSome(r.Pooled), then)
	}
}

// quoteSome returns the first few names, quoted.
func quoteSome(names []string) string {
	const few = 5
	var parts []string
	for _, name := range names[:min(few, len(names))] {
		parts = append(parts, fmt.Sprintf("%q", name))
	}
	if len(names) > few {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// foreignJSON returns how many predictions of t, by a model of some classes, are foreign.
func foreignJSON(t *eval.Tally, classes []string) map[string]any {
	f := t.Foreign(classes)
	return map[string]any{
		"documents": f.Alarms + f.Found, "known": f.Known, "alarms": f.Alarms, "others": f.Others, "found": f.Found,
		"accuracy_of_rest": f.Accuracy,
	}
}

// foreignRow returns the same as a row of a table.
func foreignRow(t *eval.Tally, classes []string) []string {
	f := t.Foreign(classes)
	is := fmt.Sprintf("%s of %s of the model's labels", Count(f.Alarms), Count(f.Known))
	if f.Others > 0 {
		is += fmt.Sprintf(", %s of %s of others", Count(f.Found), Count(f.Others))
	}
	return []string{"foreign", Count(f.Alarms + f.Found), is + fmt.Sprintf("; accuracy of the rest %.4f", f.Accuracy)}
}
