package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"bayes"
	"bayes/answer"
	"bayes/eval"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

// auditFlags are the flags of audit.
type auditFlags struct {
	Trainer
	against []string
	clean   float64
	yes     float64
	fix     Writing
	page    Writing

	alphaGiven bool // or else the smoothing is chosen
}

func (a *App) auditCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit FILE...",
		Short: "Find labels that are probably wrong, and doubles",
		Long: `Find labels that are probably wrong. Each row is judged by models that have not seen it: by naive
Bayes, which leaves out one row after the other, and by a correction of it (see train
--correct), learned from two thirds of the rows. The most doubtful come first, with the
label that fits better, the log-odds that the label is wrong by the text alone, and the words
that tell.

Listed are rows above a cutoff, which is set so that of as many rows with right labels at most
--clean are expected to be listed. Texts that are hard are no sign of wrong labels: what counts
is how certain the models may be, by what they say of rows that they have not seen.

Then come groups of rows that have about the same words and different labels, and with
--against rows that are in the test files too: a test on what was learned says little.

--fix writes the file with other labels, after a question for each row that is listed: y takes the
suggestion, n or an empty line leaves the row as it is, q ends the questions. With --yes P, rows whose
suggestion is right with at least that probability, by the text and the label that was given, are changed without a question, and no others.

Where rows may have several labels (--label-separator), each label is a question by itself: one
that a row has may be wrong, one that it lacks may be missing. Shown is what to take away (-) and
what to add (+).

With --json there is a line for every row, most doubtful first.`,
		Example: `  bayes audit mail.csv
  bayes audit train.csv --against test.csv
  bayes audit mail.csv --report audit.html
  bayes audit mail.csv --fix better.csv
  bayes audit mail.csv --fix better.csv --yes 0.99
  bayes audit tickets.jsonl --label team --json
  bayes audit topics.csv --label-separator ';'`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error { return a.audit(cmd, &f, files) },
	}
	f.AddFlags(cmd)
	f.AddLabelSeparator(cmd)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.against, "against", nil, "labelled test `FILE`s, of which none should be among the rows")
	flags.Float64Var(&f.clean, "clean", 0.005, "list at most this share of rows whose labels are right")
	flags.Float64Var(&f.yes, "yes", 0, "with --fix, ask nothing: take what has at least the probability `P`")
	Group(cmd, "Audit")
	f.page.AddFlags(cmd, outfile.Page, "report", "", "also write what is listed as a page, with the texts, to `FILE`")
	f.fix.AddFlags(cmd, outfile.New, "fix", "", "write the one FILE with better labels to `OUT`")
	return cmd
}

// check returns an error if flags make no sense.
func (f *auditFlags) check(cmd *cobra.Command, files []string) error {
	given := cmd.Flags().Changed
	switch {
	case f.HasCutoffs():
		return WrongUsage(cmd, "%s is for train, tune and cv", f.GoalFlag())
	case f.Calibrates():
		return WrongUsage(cmd, "--calibrate is for train, tune and cv: an audit is calibrated")
	case given("correct") && !f.Corrects():
		return WrongUsage(cmd, "--correct=false: an audit always learns corrections: leave it out")
	case !(f.clean > 0 && f.clean <= 1):
		return WrongUsage(cmd, "--clean %v: want a share above 0, up to 1", f.clean)
	case given("yes") && f.fix.name == "":
		return WrongUsage(cmd, "--yes goes with --fix")
	case given("yes") && !(f.yes > 0.5 && f.yes <= 1):
		return WrongUsage(cmd, "--yes %v: want a probability above 0.5, up to 1", f.yes)
	case f.fix.name != "" && filepath.Clean(f.fix.name) == filepath.Clean(f.page.name):
		return WrongUsage(cmd, "--fix and --report both name %s", f.fix.name)
	case f.fix.name == "-":
		return WrongUsage(cmd, "--fix -: standard output has the listing: name a file")
	case f.fix.name != "" && f.SkipBad():
		return WrongUsage(cmd, "--fix goes without --skip-bad: it writes all of FILE, so bad records have to be mended first")
	case f.fix.name != "" && len(files) != 1:
		return WrongUsage(cmd, "--fix writes one file, and %d are given", len(files))
	}
	return nil
}

// An auditing is an audit while it is made.
type auditing struct {
	app      *App
	space    *bayes.Space
	em       bayes.EventModel
	examples []bayes.Example
	places   []place
	several  bool // of several files
	corpus   *bayes.Corpus
	expected float64
	wrong    float64       // the share of labels that seem to be wrong: as if drawn at random, or, of several, of those that are given
	missing  float64       // of several, the share that rows lack of those that they should have
	rows     []*auditedRow // most doubtful first
	listed   []*auditedRow // of rows, those above the cutoff
	differ   []twinLine    // rows that are alike and have different labels
	tested   []twinLine    // rows that are in the test files too
}

func (a *App) audit(cmd *cobra.Command, f *auditFlags, files []string) error {
	if err := f.check(cmd, files); err != nil {
		return err
	}
	to, err := f.fix.Plan(files)
	if err != nil {
		return err
	}
	page, err := f.page.Plan(files)
	if err != nil {
		return err
	}
	if to != nil {
		if err := a.checkFix(f, files); err != nil {
			return err
		}
	}
	f.alphaGiven = cmd.Flags().Changed("alpha")
	x, err := a.newAuditing(cmd, f, files)
	if err != nil {
		return err
	}
	if err := x.judge(cmd.Context(), f); err != nil {
		return inFiles(files, err)
	}
	if err := x.findAlike(cmd, f, files); err != nil {
		return err
	}
	if a.json {
		for _, r := range x.rows {
			if err := a.PrintJSON(x.record(r)); err != nil {
				return err
			}
		}
	} else {
		x.print(len(f.against) > 0)
	}
	if page != nil {
		if err := page.Write(func(w io.Writer) error { return x.report(w, f, files) }); err != nil {
			return err
		}
	}
	if to != nil {
		return x.fix(cmd, f, files, to)
	}
	return nil
}

// newAuditing reads and analyzes files, as the flags say.
func (a *App) newAuditing(cmd *cobra.Command, f *auditFlags, files []string) (*auditing, error) {
	f.everyAnswer = true
	space, em, src, err := a.prepare(cmd, &f.Trainer, files, f.spaceWithIDF)
	if err != nil {
		return nil, err
	}
	x := &auditing{app: a, space: space}
	if x.examples, x.places, err = a.readPlaced(cmd, src); err != nil {
		return nil, err
	}
	x.several = severalFiles(x.places)
	if len(x.examples) == 0 {
		return nil, inFiles(files, bayes.ErrEmpty)
	}
	x.corpus, err = bayes.ReadCorpus(cmd.Context(), space, streamOf(x.examples), &bayes.CountOptions{Workers: f.workers})
	if err != nil {
		return nil, inFiles(files, err)
	}
	if x.corpus.Len() != len(x.examples) {
		return nil, inFiles(files, fmt.Errorf("%s without a weight cannot be audited", plural(len(x.examples)-x.corpus.Len(), "row")))
	}
	a.noteLabels(x.corpus.Classes())
	x.em = a.settleDefaults(cmd, &f.Trainer, nil, x.corpus, em)
	if f.LeavesOneOut() {
		x.em, err = a.leaveOneOut(cmd, x.corpus, x.em)
	}
	return x, err
}

// options returns how to audit.
func (f *auditFlags) options() *eval.AuditOptions {
	if f.alphaGiven {
		return nil
	}
	return &eval.AuditOptions{Smoothings: []bayes.Smoothing{bayes.Additive(1), bayes.Additive(0.2)}}
}

// judge sets the rows, and what is said of each.
func (x *auditing) judge(ctx context.Context, f *auditFlags) error {
	if x.space.LabelSeparator != "" {
		return x.judgeSets(ctx, f)
	}
	result, err := eval.Audit(ctx, x.corpus, x.em, f.options())
	if err != nil {
		return err
	}
	cutoff, expected, err := result.Cutoff(f.clean)
	if err != nil {
		return err
	}
	x.expected, x.wrong = expected, result.Wrong
	listed := len(result.Above(cutoff))
	for n, d := range result.Doubts {
		r := x.newRow(d.Example, n < listed)
		r.Suggested, r.LogOdds, r.P = d.Suggested, d.LogOdds, d.Probability
		x.add(r)
	}
	if err := x.addWords(); err != nil {
		return err
	}
	return ctx.Err()
}

// newRow returns the row of an example, without what is said of it.
func (x *auditing) newRow(example int, doubtful bool) *auditedRow {
	at, ex := x.places[example], &x.examples[example]
	return &auditedRow{File: at.File, Row: at.Row, Label: ex.Label, Doubtful: doubtful, example: example, text: answer.Text(ex.Document())}
}

// add adds a row behind the more doubtful ones.
func (x *auditing) add(r *auditedRow) {
	if r.Doubtful {
		x.listed = append(x.listed, r)
	}
	x.rows = append(x.rows, r)
}
