package cli

import (
	"bufio"
	"errors"
	"fmt"

	"bayes"

	"github.com/spf13/cobra"
)

func (a *App) predictCommand() *cobra.Command {
	var p Predictor
	cmd := &cobra.Command{
		Use:   "predict MODEL [FILE...]",
		Short: "Label documents, one line out for each document in",
		Long: `Label documents, one line out for each document in, in order: the label, a tab
and its probability. Without a FILE, or with -, standard input is read: a table
if its first line names the columns, and else a document a line.`,
		Example: `  echo "win a free prize" | bayes predict mail.nb
  bayes predict mail.nb new.csv --json
  bayes predict mail.nb new.csv --append > labelled.csv
  bayes predict tickets.nb inbox.txt --top 3 --threshold 0.8
  bayes predict tickets.nb inbox.txt --coverage 0.95`,
		Args: Args(1, -1, "MODEL [FILE...]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.checkAll(cmd, a.json); err != nil {
				return err
			}
			return a.predict(cmd, &p, args[0], args[1:])
		},
	}
	p.addAllFlags(cmd)
	return cmd
}

func (a *App) predict(cmd *cobra.Command, p *Predictor, model string, files []string) error {
	m, err := a.loadModel(model)
	if err != nil {
		return err
	}
	if p.prior != "" {
		prior, err := bayes.ParsePrior(p.prior)
		if err == nil {
			m, err = m.WithPrior(prior)
		}
		if err != nil {
			return WrongUsage(cmd, "--prior: %w", err)
		}
	}
	p.Unlabelled = true
	w := bufio.NewWriterSize(a.stdout, 64<<10)
	if p.appendTo {
		err = a.appendPredictions(w, p, m, files)
	} else {
		err = a.printPredictions(w, p, m, files)
	}
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

func (a *App) printPredictions(w *bufio.Writer, p *Predictor, m *bayes.Model, files []string) error {
	src, err := a.openFor(&p.Input, files, m.EventModel(), m)
	if err != nil {
		return err
	}
	defer src.finish()
	printer, live := p.Printer(a.json), isTerminal(a.stdout)
	for s, err := range m.PredictAll(src.examples(), p.workers) {
		if err != nil {
			return err
		}
		var set []bayes.Prob
		if p.coverage > 0 {
			if set, err = m.Cover(s.Prediction, p.coverage); err != nil {
				return notCovered(p.coverage, err)
			}
		}
		err = printer.print(w, s.Prediction, set)
		if err == nil && live {
			err = w.Flush()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notCovered returns err with what can be done about it.
func notCovered(coverage float64, err error) error {
	if errors.Is(err, bayes.ErrNoCoverage) {
		return fmt.Errorf("--coverage %v: the model is not calibrated: train it with --calibrate temperature or isotonic", coverage)
	}
	return err
}
