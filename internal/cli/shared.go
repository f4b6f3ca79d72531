package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"bayes"
	"bayes/dataset"
	"bayes/eval"
	"bayes/text"

	"github.com/spf13/cobra"
)

// This file is what bayes-beam, and the commands of the server, see of the
// command: the flags that say what to read, how to count and how to fit, what they
// mean, and what is printed.

// App is where a command prints, and how.
type App = app

// NewApp returns an App that prints to stdout, and notes for people to stderr.
func NewApp(stdout, stderr io.Writer) *App { return newApp(strings.NewReader(""), stdout, stderr) }

// AddFlags defines the flags that all commands share, those of printing.
func (a *app) AddFlags(root *cobra.Command) { a.addFlags(root) }

// CheckFolders makes bayes check call check for a folder.
func (a *app) CheckFolders(check func(name string) error) { a.checkFolder = check }

// JSON reports whether to print for machines.
func (a *app) JSON() bool { return a.json }

// Quiet reports whether to print no notes.
func (a *app) Quiet() bool { return a.quiet }

// Stdout returns where to print.
func (a *app) Stdout() io.Writer { return a.stdout }

// Stderr returns where to print what is not data.
func (a *app) Stderr() io.Writer { return a.stderr }

// PrintJSON prints v as one line of JSON.
func (a *app) PrintJSON(v any) error { return writeJSON(a.stdout, v) }

// HandleSignals says that the command from now on handles signals itself: none
// cancels its context or ends it any more.
func (a *app) HandleSignals() { a.release() }

// Load reads counts that can be used, and their event model, from a file.
func (a *app) Load(name string) (*bayes.Counts, bayes.EventModel, error) {
	c, em, err := a.load(name)
	if err == nil {
		if err = usable(c, em); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, em, err
}

// Note prints a line for people, as fmt.Printf does.
func (a *app) Note(format string, args ...any) { a.note(format, args...) }

// Skipped notes bad records that were skipped, and the first few of them.
func (a *app) Skipped(n int64, first []string) {
	for _, text := range first {
		a.note("skipped: %s", text)
	}
	if n > 0 {
		a.note("skipped %s bad records", count(n))
	}
}

// Warn notes what is dubious about a model of some classes and features, but not wrong.
func (a *app) Warn(classes []string, features int) { a.warn(classes, features) }

// ReportTraining says what was counted, and in what time.
func (a *app) ReportTraining(c *bayes.Counts, out string, took time.Duration) error {
	var r trainingRecord
	r.set(c, took)
	return a.reportTraining(&r, out)
}

// ReportTally shows what is read off t.
func (a *app) ReportTally(t *eval.Tally) error { return a.reportTally(t) }

// Predictor holds the flags that say what is printed of a prediction.
type Predictor = predictor

// AddOutputFlags defines the flags that say what is printed of a prediction.
func (p *predictor) AddOutputFlags(cmd *cobra.Command) { p.addOutputFlags(cmd) }

// Check returns an error if the flags make no sense.
func (p *predictor) Check(cmd *cobra.Command) error { return p.check(cmd) }

// A Printer writes predictions, a line each. It can travel as JSON.
type Printer struct {
	Top       int
	Threshold float64
	JSON      bool
}

// Printer returns what the flags describe.
func (p *predictor) Printer(json bool) Printer { return Printer{p.top, p.threshold, json} }

// Print writes what bayes predict prints of a prediction.
func (p Printer) Print(w io.Writer, pr bayes.Prediction) error {
	return (&predictor{top: p.Top, threshold: p.Threshold}).print(w, pr, nil, p.JSON)
}

// Trainer holds the flags of training.
type Trainer = trainer

// Input holds the flags of reading.
type Input = input

// AddFlags defines the flags of training and reading on cmd.
func (t *trainer) AddFlags(cmd *cobra.Command) { t.addFlags(cmd) }

// AddFlags defines the flags of reading on cmd.
func (in *input) AddFlags(cmd *cobra.Command) { in.addFlags(cmd) }

// SkipBad reports whether bad records are to be skipped.
func (in *input) SkipBad() bool { return in.skipBad }

// For chooses the columns that a model knows, unless flags name others, and
// returns the options to read with.
func (in *input) For(m *bayes.Model) dataset.Options {
	in.knowing(m)
	return in.Options
}

// Space returns the Space that the flags describe, before any IDF.
func (t *trainer) Space(cmd *cobra.Command) (*bayes.Space, error) { return t.space(cmd) }

// EventModel returns the event model that the flags describe.
func (t *trainer) EventModel(cmd *cobra.Command) (bayes.EventModel, error) { return t.eventModel(cmd) }

// Calibrates reports whether probabilities are to be calibrated.
func (t *trainer) Calibrates() bool { return t.calibrate != string(eval.NoCalibration) }

// NeedsIDF reports whether a first pass has to count the documents of each term.
func (t *trainer) NeedsIDF() bool { return t.idf }

// LeavesOneOut reports whether the smoothing is to be found by leaving out one
// example after the other.
func (t *trainer) LeavesOneOut() bool { return t.alpha == "loo" }

// Workers returns how many cores to use, zero for all.
func (t *trainer) Workers() int { return t.workers }

// Languages returns what analyzers may be made of, besides package text's own.
func Languages() []*text.Language { return languages() }

// WrongUsage returns an error that points to the help of cmd.
func WrongUsage(cmd *cobra.Command, format string, args ...any) error {
	return wrongUsage(cmd, format, args...)
}

// Args checks the number of arguments; most may be -1 for any number.
func Args(least, most int, want string) cobra.PositionalArgs { return args(least, most, want) }

// Plain returns an error of the file system as "name: what is wrong".
func Plain(err error) error { return plain(err) }

// Count returns a number with its thousands set apart.
func Count(n int64) string { return count(n) }
