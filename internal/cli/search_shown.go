package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A shownSearch is what tune and train --auto say of a search, be it of one label a document or of several.
type shownSearch struct {
	metrics []searchMetric
	trials  []shownTrial // best first
	best    setting
	cut     *cut // nil if all was tried
}

// A searchMetric is a metric that is shown of each trial.
type searchMetric struct{ key, title string }

// A shownTrial is a setting that was tried, with its figures, by metric.
type shownTrial struct {
	setting
	figures   []float64
	documents int64
	listed    bool // in the table for people
}

// A cut says why a search ended before all was tried, and how far it had come.
type cut struct {
	Reason      string `json:"reason"`       // budget or interrupted
	Tried       int    `json:"tried"`        // combinations of settings, on some documents
	Of          int    `json:"of"`           //
	Documents   int    `json:"documents"`    // of that round
	OfDocuments int    `json:"of_documents"` // of the last round
	onAll       bool   // whether the best of these went on to all documents
}

func (c *cut) String() string {
	why := "the budget is used up (--budget 0 has no limit)"
	if c.Reason == "interrupted" {
		why = "interrupted"
	}
	best := ""
	if c.onAll {
		best = ", and the best of these on all"
	}
	return fmt.Sprintf("%s: %s of %s combinations were tried on %s of %s documents%s", why, Count(c.Tried), Count(c.Of), Count(c.Documents), Count(c.OfDocuments), best)
}

// mostListed is how many settings are shown to people.
const mostListed = 10

// printSearch shows the best settings, and the command that trains the best.
func (a *App) printSearch(cmd *cobra.Command, s *shownSearch, files []string, out string, took time.Duration) error {
	if a.json {
		return a.printSearchJSON(s, took)
	}
	header := []string{"flags"}
	for _, m := range s.metrics {
		header = append(header, m.title)
	}
	rows := [][]string{append(header, "documents")}
	for _, t := range s.trials {
		if len(rows) > mostListed {
			break
		}
		if t.listed {
			row := []string{t.setting.String()}
			for _, v := range t.figures {
				row = append(row, fmt.Sprintf("%.4f", v))
			}
			rows = append(rows, append(row, Count(t.documents)))
		}
	}
	table(a.stdout, rows)
	if out == "" {
		out = "model.nb"
	}
	fmt.Fprintf(a.stdout, "\nbayes train %s\n", strings.Join(trainWords(cmd, s.best, files, out), " "))
	a.Note("%s settings in %.1f s", Count(len(s.trials)), took.Seconds())
	a.noteCut(s.cut)
	return nil
}

func (a *App) printSearchJSON(s *shownSearch, took time.Duration) error {
	var trials []map[string]any
	for _, t := range s.trials {
		record := map[string]any{"flags": t.values(), "documents": t.documents}
		for i, m := range s.metrics {
			record[m.key] = t.figures[i]
		}
		trials = append(trials, record)
	}
	record := map[string]any{"best": s.best.values(), "trials": trials, "seconds": took.Seconds()}
	if s.cut != nil {
		record["partial"] = s.cut
	}
	return a.PrintJSON(record)
}

// noteSearch says in a line what train --auto chose.
func (a *App) noteSearch(s *shownSearch) {
	var figures []string
	for i, m := range s.metrics {
		figures = append(figures, fmt.Sprintf("%s %.4f", m.title, s.trials[0].figures[i]))
	}
	a.Note("best of %s settings: %v, %s in cross-validation", Count(len(s.trials)), s.trials[0].setting, strings.Join(figures, ", "))
	a.noteCut(s.cut)
}

// noteCut says that a search ended early, if it did.
func (a *App) noteCut(c *cut) {
	if c != nil {
		a.Note("note: %v", c)
	}
}

// trainWords returns the words after "bayes train" that train files with s and with the
// flags of training that cmd was given.
func trainWords(cmd *cobra.Command, s setting, files []string, out string) []string {
	var words []string
	for _, name := range files {
		words = append(words, shellQuoted(name))
	}
	train := new(cobra.Command)
	all := new(Trainer)
	all.AddFlags(train)
	all.AddLabelFlags(train)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if train.Flags().Lookup(f.Name) == nil {
			return // one of tune's own
		}
		words = append(words, flagWord(f))
	})
	return slices.Concat(words, s.words(), []string{"-o", shellQuoted(out)})
}

// flagWord returns a flag that was given, as a shell reads it.
func flagWord(f *pflag.Flag) string {
	value := f.Value.String()
	if list, ok := f.Value.(pflag.SliceValue); ok {
		value = strings.Join(list.GetSlice(), ",")
	}
	return shellQuoted("--" + f.Name + "=" + value)
}
