package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bayes/internal/outfile"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *App) tuneCommand() *cobra.Command {
	var (
		t   Trainer
		s   = searchFlags{folds: 10, seed: 1}
		out Writing
	)
	cmd := &cobra.Command{
		Use:   "tune FILE... [-o MODEL]",
		Short: "Search for the best flags of train, by cross-validation",
		Long: `Search for the flags of train that give the most accurate model in
cross-validation: analyzer, n-grams, subwords, weighting, idf and norm, limits and
selection of terms, event model, smoothing. What is given is left as it is. All
settings are tried on a few documents, the best quarter of them on four times as
many, and so on to all documents. With -o the best one is trained.

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
			best := found[0].calibrated(cmd, &t)
			if err := a.printSearch(cmd, found, best, files, out.name, time.Since(start)); err != nil || to == nil {
				return err
			}
			return a.train(cmd, best.on(&t), files, to)
		},
	}
	t.AddFlags(cmd)
	s.addFlags(cmd)
	cmd.Flags().IntVar(&s.folds, "folds", 10, "number of folds")
	cmd.Flags().Uint32Var(&s.seed, "seed", 1, "seed of the shuffling")
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the best model to")
	return cmd
}

// printSearch shows the best settings, and the command that trains the best.
func (a *App) printSearch(cmd *cobra.Command, found []trial, best setting, files []string, out string, took time.Duration) error {
	if a.json {
		return a.printSearchJSON(found, best, took)
	}
	rows := [][]string{{"flags", "accuracy", "log loss", "documents"}}
	for _, f := range found {
		if len(rows) > 10 {
			break
		}
		if f.best {
			rows = append(rows, []string{f.setting.String(), fmt.Sprintf("%.4f", f.Accuracy), fmt.Sprintf("%.4f", f.LogLoss), Count(f.documents)})
		}
	}
	table(a.stdout, rows)
	if out == "" {
		out = "model.nb"
	}
	fmt.Fprintf(a.stdout, "\nbayes train %s\n", strings.Join(trainWords(cmd, best, files, out), " "))
	a.Note("%s settings in %.1f s", Count(len(found)), took.Seconds())
	return nil
}

func (a *App) printSearchJSON(found []trial, best setting, took time.Duration) error {
	type record struct {
		Flags     map[string]string `json:"flags"`
		Accuracy  float64           `json:"accuracy"`
		LogLoss   float64           `json:"log_loss"`
		Documents int               `json:"documents"`
	}
	var trials []record
	for _, f := range found {
		trials = append(trials, record{f.values(), f.Accuracy, f.LogLoss, f.documents})
	}
	return a.PrintJSON(map[string]any{"best": best.values(), "trials": trials, "seconds": took.Seconds()})
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
