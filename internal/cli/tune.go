package cli

import (
	"time"

	"bayes/internal/outfile"

	"github.com/spf13/cobra"
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

Where documents may have several labels (--label-separator), corrections are searched:
first their terms, then their kind and strength, by micro F1 of examples held out in
place of the accuracy, in half of the budget.

Each figure is of the model's own folds, and the best of many is a little too good:
test on a file of its own what you report.`,
		Example: `  bayes tune reviews.csv
  bayes tune mail.csv -o mail.nb
  bayes tune tickets.csv --analyzer ko --budget 60 --json
  bayes tune topics.csv --label-separator ';' -o topics.nb`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			start := time.Now()
			to, err := out.Plan(files)
			if err != nil {
				return err
			}
			if to != nil {
				if err := checkReread(files); err != nil {
					return err
				}
			}
			with, shown, err := a.found(cmd, &t, &s, files)
			if err != nil {
				return err
			}
			if err := a.printSearch(cmd, shown, files, out.name, time.Since(start)); err != nil || to == nil {
				return err
			}
			return a.train(cmd, with, files, to)
		},
	}
	t.AddFlags(cmd)
	t.AddLabelFlags(cmd)
	s.addFlags(cmd)
	cmd.Flags().IntVar(&s.folds, "folds", 5, "number of folds")
	cmd.Flags().Uint32Var(&s.seed, "seed", 1, "seed of the shuffling")
	Group(cmd, SearchFlags)
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the best model to")
	return cmd
}
