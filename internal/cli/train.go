package cli

import (
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

func (a *App) trainCommand() *cobra.Command {
	var (
		t    Trainer
		s    = searchFlags{folds: 10, seed: 1}
		auto bool
		out  Writing
	)
	cmd := &cobra.Command{
		Use:   "train FILE... -o MODEL",
		Short: "Count labelled examples and write a model",
		Example: `  bayes train mail.csv -o mail.nb
  bayes train spam.csv --label v1 --text v2 --model bernoulli -o sms.nb
  bayes train reviews.jsonl --ngrams 1-2 --alpha 0.1 -o reviews.nb
  bayes train reviews.csv --auto -o reviews.nb
  zcat big.csv.gz | bayes train - --format csv -o big.nb`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := out.missing(cmd, "-o MODEL"); err != nil {
				return err
			}
			to, err := out.Plan(files)
			if err != nil {
				return err
			}
			if !auto {
				return a.train(cmd, &t, files, to)
			}
			found, err := a.search(cmd, &t, &s, files)
			if err != nil {
				return err
			}
			best := found[0]
			a.Note("best of %s settings: %v, accuracy %.4f, log loss %.4f in cross-validation", Count(len(found)), best.setting, best.Accuracy, best.LogLoss)
			return a.train(cmd, best.calibrated(cmd, &t).on(&t), files, to)
		},
	}
	t.AddFlags(cmd)
	s.addFlags(cmd)
	cmd.Flags().BoolVar(&auto, "auto", false, "choose the flags that are not given by cross-validation, as tune does")
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	return cmd
}
