package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bayes/eval"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *App) tuneCommand() *cobra.Command {
	var (
		t   Trainer
		s   = searchFlags{folds: 5, seed: 1}
		out Writing
	)
	cmd := &cobra.Command{
		Use:   "tune FILE... [-o MODEL]",
		Short: "Search for the best flags of train, by cross-validation",
		Long: `Search for the flags of train that give the best model, by --metric, in
cross-validation: analyzer, n-grams, subwords, weighting, idf and norm, limits and
selection of terms, event model, smoothing. What is given is left as it is. All
settings are tried on a few documents, the best quarter of them on four times as
many, and so on to all documents. With -o the best one is trained. Ctrl-C ends the
search, not the command: what is best so far is printed and trained.

Each figure is of the model's own folds, and the best of many is a little too good:
test on a file of its own what you report.`,
		Example: `  bayes tune reviews.csv
  bayes tune mail.csv -o mail.nb
  bayes tune tickets.csv --analyzer ko --budget 60 --json`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			start := time.Now()
			to, err := out.Plan(files)
			if err != nil {
				return err
			}
			found, err := a.search(cmd, &t, &s, files)
			if err != nil {
				return err
			}
			if err := a.printSearch(cmd, found, files, out.name, time.Since(start)); err != nil || to == nil {
				return err
			}
			return a.train(cmd, found.trainer(&t), files, to)
		},
	}
	t.AddFlags(cmd)
	s.addFlags(cmd)
	cmd.Flags().IntVar(&s.folds, "folds", 5, "number of folds")
	cmd.Flags().Uint32Var(&s.seed, "seed", 1, "seed of the shuffling")
	Group(cmd, SearchFlags)
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the best model to")
	return cmd
}

// printSearch shows the best settings, and the command that trains the best.
func (a *App) printSearch(cmd *cobra.Command, found *search, files []string, out string, took time.Duration) error {
	if a.json {
		return a.printSearchJSON(found, took)
	}
	metrics := found.metrics()
	header := []string{"flags"}
	for _, m := range metrics {
		header = append(header, m.title)
	}
	rows := [][]string{append(header, "documents")}
	for _, f := range found.trials {
		if len(rows) > 10 {
			break
		}
		if f.best {
			row := []string{f.setting.String()}
			for _, m := range metrics {
				row = append(row, fmt.Sprintf("%.4f", m.of(f.Trial)))
			}
			rows = append(rows, append(row, Count(f.documents)))
		}
	}
	table(a.stdout, rows)
	if out == "" {
		out = "model.nb"
	}
	fmt.Fprintf(a.stdout, "\nbayes train %s\n", strings.Join(trainWords(cmd, found.best, files, out), " "))
	a.Note("%s settings in %.1f s", Count(len(found.trials)), took.Seconds())
	a.noteCut(found)
	return nil
}

func (a *App) printSearchJSON(found *search, took time.Duration) error {
	var trials []map[string]any
	for _, f := range found.trials {
		record := map[string]any{"flags": f.values(), "documents": f.documents}
		for _, m := range found.metrics() {
			record[m.key] = m.of(f.Trial)
		}
		trials = append(trials, record)
	}
	record := map[string]any{"best": found.best.values(), "trials": trials, "seconds": took.Seconds()}
	if found.cut != nil {
		record["partial"] = found.cut
	}
	return a.PrintJSON(record)
}

// A trialMetric is a metric that is shown of each trial.
type trialMetric struct {
	key, title string
	of         func(t eval.Trial) float64
}

// metrics returns those that were worked out.
func (s *search) metrics() []trialMetric {
	list := []trialMetric{{"accuracy", "accuracy", func(t eval.Trial) float64 { return t.Accuracy }}}
	if s.metric == eval.ByMacroF1 {
		list = append(list, trialMetric{"macro_f1", "macro F1", func(t eval.Trial) float64 { return t.MacroF1 }})
	}
	return append(list, trialMetric{"log_loss", "log loss", func(t eval.Trial) float64 { return t.LogLoss }})
}

// noteSearch says in a line what train --auto chose.
func (a *App) noteSearch(found *search) {
	var figures []string
	for _, m := range found.metrics() {
		figures = append(figures, fmt.Sprintf("%s %.4f", m.title, m.of(found.trials[0].Trial)))
	}
	a.Note("best of %s settings: %v, %s in cross-validation", Count(len(found.trials)), found.trials[0].setting, strings.Join(figures, ", "))
	a.noteCut(found)
}

// noteCut says that a search ended early.
func (a *App) noteCut(found *search) {
	if found.cut != nil {
		a.Note("note: %v", found.cut)
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
	new(Trainer).AddFlags(train)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if train.Flags().Lookup(f.Name) == nil {
			return // one of tune's own
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, shellQuoted("--"+f.Name+"="+value))
	})
	return slices.Concat(words, s.words(), []string{"-o", shellQuoted(out)})
}
