package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"bayes"
	"bayes/answer"

	"github.com/spf13/cobra"
)

func (a *App) predictCommand() *cobra.Command {
	var p Predictor
	cmd := &cobra.Command{
		Use:   "predict MODEL [FILE...|TEXT]",
		Short: "Label documents, one line out for each document in",
		Long: `Label documents, one line out for each document in, in order: the label, a tab
and its probability. An argument that names a file or a folder is read, and one
with white space in it is a text. Without either, or with -, standard input is
read: a table if its first line names the columns, and else a document a line.
With --whole, each FILE, or all of standard input, is one document.

Lines that come slowly are answered one by one. Of several files, and of files that
are a document each, the last field of a line is the file; --json always has it.`,
		Example: `  echo "win a free prize" | bayes predict mail.nb
  bayes predict mail.nb "win a free prize"
  tail -f inbox.log | bayes predict mail.nb
  bayes predict mail.nb --whole letters/*.txt
  bayes predict mail.nb new.csv --json
  bayes predict mail.nb new.csv --append > labelled.csv
  bayes predict tickets.nb inbox.txt --top 3 --threshold 0.8
  bayes predict tickets.nb inbox.txt --coverage 0.95`,
		Args:              Args(1, -1, "MODEL [FILE...|TEXT]"),
		ValidArgsFunction: completeModel,
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

// onlyText returns the argument if there is one and it is a text, rather than files.
func onlyText(cmd *cobra.Command, args []string) (text string, isText bool, err error) {
	for i, arg := range args {
		if isText, err = textOrFile(arg); err != nil {
			if i == 0 && len(args) > 1 && errors.Is(err, errNeither) {
				err = fmt.Errorf("%s: no such file (hint: put a text of several words in quotes)", arg)
			}
			return "", false, err
		}
		if isText && len(args) > 1 {
			return "", false, WrongUsage(cmd, "%.40q is a text, and not a file: want files, or one text", arg)
		}
		text = arg
	}
	return text, isText, nil
}

// reading returns a with text for its standard input.
func (a *App) reading(text string) *App {
	with := *a
	with.stdin = strings.NewReader(text)
	return &with
}

func (a *App) predict(cmd *cobra.Command, p *Predictor, model string, files []string) error {
	text, isText, err := onlyText(cmd, files)
	if err != nil {
		return err
	}
	m, err := a.loadModel(model)
	if err != nil {
		return err
	}
	if p.coverage > 0 && several(m) {
		return fmt.Errorf("%s: --coverage: its documents have any number of labels: --json has the probability of each", model)
	}
	if p.printer.Certain > 0 && m.LabelTree() == "" {
		return fmt.Errorf("%s: --certain: its labels are no tree: train it with --label-tree", model)
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
	if isText {
		a.noteFileName(text)
		if err := checkReadsText(m); err != nil {
			return err
		}
		a, files, p.Whole = a.reading(text), nil, true
	}
	if p.Whole {
		p.Format = "text" // whatever the name of the file says
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

// printPredictions prints a line for each document, and sees to it that a line is not kept
// back while input is waited for.
func (a *App) printPredictions(w *bufio.Writer, p *Predictor, m *bayes.Model, files []string) error {
	src, err := a.openFor(&p.Input, files, m.EventModel(), m)
	if err != nil {
		return err
	}
	defer src.finish()
	printer := p.Printer(a.json)
	for batch := range src.responses(m, p.most(m), p.workers) {
		for i := range batch {
			r := &batch[i]
			if r.err != nil {
				return r.err
			}
			if err := p.print(w, printer, m, r, p.namedFile(r.file, files, a.json)); err != nil {
				return err
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// most returns how many classes have to be predicted: for a set of them, all.
func (p *Predictor) most(m *bayes.Model) int {
	if p.coverage > 0 || several(m) && !p.printer.JSON {
		return math.MaxInt
	}
	return p.printer.most(answer.Most(p.printer.Top))
}

// print prints what m says of a document in a file, which is empty if it is not to be
// named.
func (p *Predictor) print(w io.Writer, printer Printer, m *bayes.Model, r *response, file string) (err error) {
	var set []bayes.Prob
	if p.coverage > 0 {
		if set, err = m.Cover(r.Prediction, p.coverage); err != nil {
			return notCovered(p.coverage, err)
		}
	}
	return printer.print(w, m, &r.Prediction, set, file)
}

// namedFile returns the file that an answer names, empty if it names none. In JSON it names
// each; in a line only where there are several, or where a file is a document.
func (p *Predictor) namedFile(file string, files []string, json bool) string {
	switch {
	case len(files) == 0, len(files) == 1 && files[0] == "-":
		return ""
	case json, len(files) > 1, p.Whole, file != files[0]:
		return file
	}
	return ""
}

// notCovered returns err with what can be done about it.
func notCovered(coverage float64, err error) error {
	if errors.Is(err, bayes.ErrNoCoverage) {
		return fmt.Errorf("--coverage %v: the model is not calibrated: train it with --calibrate temperature or isotonic", coverage)
	}
	return err
}
