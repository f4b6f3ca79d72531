package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/dataset"
	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

type predictor struct {
	input
	top       int
	threshold float64
	coverage  float64
	appendTo  bool
	prior     string
	workers   int
}

func (a *app) predictCommand() *cobra.Command {
	var p predictor
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
		Args: args(1, -1, "MODEL [FILE...]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("coverage") && !(p.coverage > 0 && p.coverage < 1) {
				return wrongUsage(cmd, "--coverage %v: want a share between 0 and 1", p.coverage)
			}
			if p.coverage > 0 && (p.appendTo || p.threshold > 0 || p.top != 1) {
				return wrongUsage(cmd, "--coverage goes with none of --threshold, --top and --append")
			}
			if err := p.check(cmd); err != nil {
				return err
			}
			if p.appendTo && (a.json || p.top != 1) {
				return wrongUsage(cmd, "--append goes with neither --json nor --top")
			}
			return a.predict(cmd, &p, args[0], args[1:])
		},
	}
	p.addFlags(cmd)
	p.addOutputFlags(cmd)
	cmd.Flags().Float64Var(&p.coverage, "coverage", 0, "print as many labels as it takes to have the right one among them in this `SHARE` of documents")
	cmd.Flags().StringVar(&p.prior, "prior", "", "another prior than the model's: empirical, uniform or LABEL=P,LABEL=P")
	cmd.Flags().BoolVar(&p.appendTo, "append", false, "CSV in, CSV out with two columns more, predicted and probability")
	cmd.Flags().IntVar(&p.workers, "workers", 0, "cores to use (default all)")
	return cmd
}

// addOutputFlags defines the flags that say what is printed of a prediction.
func (p *predictor) addOutputFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&p.top, "top", 1, "print the `K` most probable labels")
	cmd.Flags().Float64Var(&p.threshold, "threshold", 0, "answer ? where the best label is less probable than `P`")
}

// check returns an error if the flags make no sense.
func (p *predictor) check(cmd *cobra.Command) error {
	if !(p.threshold >= 0 && p.threshold <= 1) {
		return wrongUsage(cmd, "--threshold %v: want a probability from 0 to 1", p.threshold)
	}
	if p.top < 1 {
		return wrongUsage(cmd, "--top %d: want at least 1", p.top)
	}
	return nil
}

func (a *app) predict(cmd *cobra.Command, p *predictor, model string, files []string) error {
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
			return wrongUsage(cmd, "--prior: %w", err)
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

func (a *app) printPredictions(w *bufio.Writer, p *predictor, m *bayes.Model, files []string) error {
	src, err := a.openFor(&p.input, files, m.EventModel(), m)
	if err != nil {
		return err
	}
	defer src.finish()
	live := isTerminal(a.stdout)
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
		err = p.print(w, s.Prediction, set, a.json)
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

// print writes a prediction as one line, with a set of classes if there is one.
func (p *predictor) print(w io.Writer, pr bayes.Prediction, set []bayes.Prob, json bool) error {
	if json {
		r := answer.NewPrediction(pr, p.threshold)
		for _, c := range set {
			r.Set = append(r.Set, c.Class)
		}
		return writeJSON(w, r)
	}
	_, err := fmt.Fprintln(w, p.line(pr, set))
	return err
}

// line returns what is printed of a prediction: the classes of a set if there is
// one, and else the most probable.
func (p *predictor) line(pr bayes.Prediction, set []bayes.Prob) string {
	if set == nil {
		set = pr.Classes[:min(p.top, len(pr.Classes))]
	}
	var b strings.Builder
	for i, c := range set {
		if i > 0 {
			b.WriteByte('\t')
		}
		label := c.Class
		if i == 0 {
			label = answer.Decide(pr, p.threshold)
		}
		b.WriteString(terminal.Line(label) + "\t" + probability(c.P))
	}
	if pr.Known == 0 {
		b.WriteString("\t(no known term)")
	}
	return b.String()
}

// appendPredictions copies CSV and adds two columns.
func (a *app) appendPredictions(w *bufio.Writer, p *predictor, m *bayes.Model, files []string) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for i, name := range files {
		if err := a.appendFile(w, p, m, name, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// appendFile copies one CSV file. It is read twice, in step: as rows, which are
// copied byte for byte, and as documents. The header is written once.
func (a *app) appendFile(w *bufio.Writer, p *predictor, m *bayes.Model, name string, first bool) error {
	if p.skipBad {
		return errors.New("--append and --skip-bad: a row that is skipped has no prediction")
	}
	data, err := a.readFile(name)
	if err != nil {
		return err
	}
	raw, err := dataset.Decompress(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer raw.Close()
	comma := ","
	if p.Format == "tsv" || p.Format == "auto" && strings.HasSuffix(name, ".tsv") {
		comma = "\t"
	}
	src, err := (&app{stdin: bytes.NewReader(data), stdout: a.stdout, stderr: a.stderr, quiet: a.quiet}).openFor(&p.input, []string{name}, m.EventModel(), m)
	if err != nil {
		return err
	}
	if formats, err := src.Formats(); err != nil {
		return err
	} else if formats[0] != "csv" && formats[0] != "tsv" {
		return fmt.Errorf("%s: --append is for csv and tsv, not %s", name, formats[0])
	}
	next, stop := iter.Pull2(m.PredictAll(src.examples(), p.workers))
	defer stop()
	header := !p.NoHeader
	for rec, err := range dataset.Records(raw, name, comma[0]) {
		if err != nil {
			return err
		}
		columns := "predicted" + comma + "probability"
		if !header {
			s, err, ok := next()
			if err != nil || !ok {
				return cmp.Or(err, fmt.Errorf("%s:%d: no prediction for this row", name, rec.Line))
			}
			columns = quoteField(answer.Decide(s.Prediction, p.threshold), comma) + comma + probability(s.Best().P)
		}
		if !header || first {
			w.Write(bytes.TrimRight(rec.Raw, "\r\n"))
			fmt.Fprintf(w, "%s%s\n", comma, columns)
		}
		header = false
	}
	src.finish()
	return nil
}

// quoteField returns a field of CSV.
func quoteField(s, comma string) string {
	if strings.ContainsAny(s, comma+"\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
