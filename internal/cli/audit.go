package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/internal/outfile"
	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// auditFlags are the flags of audit.
type auditFlags struct {
	Trainer
	against []string
	clean   float64
	yes     float64
	fix     Writing

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
label that fits better, the log-odds of that against the label, and the words that tell.

Listed are rows above a cutoff, which is set so that of as many rows with right labels at most
--clean are expected to be listed. Texts that are hard are no sign of wrong labels: what counts
is how certain the models may be, by what they say of rows that they have not seen.

Then come groups of rows that have about the same words and different labels, and with
--against rows that are in the test files too: a test on what was learned says little.

--fix writes the file with other labels, after a question for each row that is listed: y takes the
suggestion, n or an empty line leaves the row as it is, q ends the questions. With --yes P, rows whose
suggestion has at least that probability against the label are changed without a question, and no others.

With --json there is a line for every row, most doubtful first.`,
		Example: `  bayes audit mail.csv
  bayes audit train.csv --against test.csv
  bayes audit mail.csv --fix better.csv
  bayes audit mail.csv --fix better.csv --yes 0.99
  bayes audit tickets.jsonl --label team --json`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error { return a.audit(cmd, &f, files) },
	}
	f.AddFlags(cmd)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.against, "against", nil, "labelled test `FILE`s, of which none should be among the rows")
	flags.Float64Var(&f.clean, "clean", 0.005, "list at most this share of rows whose labels are right")
	flags.Float64Var(&f.yes, "yes", 0, "with --fix, ask nothing: take what has at least the probability `P`")
	Group(cmd, "Audit")
	f.fix.AddFlags(cmd, outfile.New, "fix", "", "write the one FILE with better labels to `OUT`")
	return cmd
}

// check returns an error if flags make no sense.
func (f *auditFlags) check(cmd *cobra.Command, files []string) error {
	given := cmd.Flags().Changed
	switch {
	case f.HasCutoffs():
		return WrongUsage(cmd, "--max-fpr is for train, tune and cv")
	case f.Calibrates():
		return WrongUsage(cmd, "--calibrate is for train, tune and cv: an audit is calibrated")
	case !(f.clean > 0 && f.clean <= 1):
		return WrongUsage(cmd, "--clean %v: want a share above 0, up to 1", f.clean)
	case given("yes") && f.fix.name == "":
		return WrongUsage(cmd, "--yes goes with --fix")
	case given("yes") && !(f.yes > 0.5 && f.yes <= 1):
		return WrongUsage(cmd, "--yes %v: want a probability above 0.5, up to 1", f.yes)
	case f.fix.name != "" && len(files) != 1:
		return WrongUsage(cmd, "--fix writes one file, and %d are given", len(files))
	}
	return nil
}

// An auditedRow is a row of a file, and what is said of it.
type auditedRow struct {
	File      string      `json:"file"`
	Row       int         `json:"row"`
	Label     string      `json:"label"`
	Suggested string      `json:"suggested"`
	LogOdds   float64     `json:"log_odds"`
	Doubtful  bool        `json:"doubtful"`        // above the cutoff
	Words     []string    `json:"words,omitempty"` // of a doubtful row, what tells for Suggested
	Twins     []twinOfRow `json:"alike,omitempty"` // of other labels, or in the test files
	example   int
	text      string
}

// A twinOfRow is another row that has about the same features.
type twinOfRow struct {
	File  string `json:"file"`
	Row   int    `json:"row"`
	Label string `json:"label"`
	Exact bool   `json:"exact"` // all of that group have the very same features
	test  bool
}

// readPlaced returns the examples of src, and where each was.
func (a *App) readPlaced(cmd *cobra.Command, src *source) (examples []bayes.Example, places []place, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		for ex, err := range src.examples() {
			if err != nil {
				return err
			}
			file, row := src.Place()
			examples, places = append(examples, ex), append(places, place{file, max(row, 1)})
			if progress != nil && len(examples)%1000 == 0 {
				progress(int64(len(examples)))
			}
		}
		return cmd.Context().Err()
	})
	src.finish()
	return examples, places, err
}

// An auditing is an audit while it is made.
type auditing struct {
	app      *App
	space    *bayes.Space
	em       bayes.EventModel
	examples []bayes.Example
	places   []place
	corpus   *bayes.Corpus
	result   *eval.Audited
	expected float64
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
	if err := x.findAlike(cmd, f); err != nil {
		return inFiles(files, err)
	}
	if a.json {
		for _, r := range x.rows {
			if err := a.PrintJSON(r); err != nil {
				return err
			}
		}
	} else {
		x.print(len(f.against) > 0)
	}
	if to != nil {
		return x.fix(cmd, f, files, to)
	}
	return nil
}

// checkFix returns an error if the one file cannot be written with other labels.
func (a *App) checkFix(f *auditFlags, files []string) error {
	src, err := a.open(&f.Input, files)
	if err == nil {
		err = src.CheckRelabel()
	}
	if err != nil {
		return fmt.Errorf("--fix: %w", err)
	}
	return nil
}

// newAuditing reads and analyzes files, as the flags say.
func (a *App) newAuditing(cmd *cobra.Command, f *auditFlags, files []string) (*auditing, error) {
	space, em, src, err := a.prepare(cmd, &f.Trainer, files, f.spaceWithIDF)
	if err != nil {
		return nil, err
	}
	x := &auditing{app: a, space: space}
	if x.examples, x.places, err = a.readPlaced(cmd, src); err != nil {
		return nil, err
	}
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
	x.em = a.settleMail(cmd, &f.Trainer, examplesOf(nil, x.corpus), em)
	if f.LeavesOneOut() {
		x.em, err = a.leaveOneOut(cmd, x.corpus, x.em)
	}
	return x, err
}

// judge sets the rows, and what is said of each.
func (x *auditing) judge(ctx context.Context, f *auditFlags) (err error) {
	var opts eval.AuditOptions
	if !f.alphaGiven {
		opts.Smoothings = []bayes.Smoothing{bayes.Additive(1), bayes.Additive(0.5), bayes.Additive(0.25), bayes.Additive(0.1)}
	}
	if x.result, err = eval.Audit(ctx, x.corpus, x.em, &opts); err != nil {
		return err
	}
	cutoff, expected, err := x.result.Cutoff(f.clean)
	if err != nil {
		return err
	}
	x.expected = expected
	listed := len(x.result.Above(cutoff))
	words, err := newWordFinder(x)
	if err != nil {
		return err
	}
	for n, d := range x.result.Doubts {
		at := x.places[d.Example]
		r := &auditedRow{
			File: at.File, Row: at.Row, Label: d.Label, Suggested: d.Suggested, LogOdds: d.LogOdds, Doubtful: n < listed,
			example: d.Example, text: x.examples[d.Example].Text,
		}
		if r.Doubtful {
			if r.Words, err = words.of(d); err != nil {
				return err
			}
			x.listed = append(x.listed, r)
		}
		x.rows = append(x.rows, r)
	}
	return ctx.Err()
}

// A wordFinder finds what tells for a suggestion, by counts that lack the example.
type wordFinder struct {
	x      *auditing
	em     bayes.EventModel
	counts *bayes.Counts
	model  *bayes.Model // of all examples, where one cannot be taken off; nil otherwise
}

func newWordFinder(x *auditing) (*wordFinder, error) {
	w := &wordFinder{x: x, em: bayes.WithoutCorrection(x.em), counts: x.corpus.Counts()}
	if !x.corpus.Refits(w.em) {
		return w, nil
	}
	var err error
	w.model, err = bayes.Fit(w.counts, w.em)
	return w, err
}

// of returns the features that tell most for the suggestion, three at most.
func (w *wordFinder) of(d eval.Doubt) ([]string, error) {
	ex, m := w.x.examples[d.Example], w.model
	if m == nil {
		w.counts.Unlearn(ex)
		defer w.counts.Learn(ex)
		var err error
		if m, err = bayes.Fit(w.counts, w.em); err != nil {
			return nil, err
		}
	}
	const most = 3
	var words []string
	for _, c := range m.ExplainAgainst(ex.Document(), d.Suggested, d.Label).Features {
		if c.LogOdds > 0 && len(words) < most {
			words = append(words, c.Name())
		}
	}
	return words, nil
}

// findAlike finds rows that are alike and have different labels, or are in the test files.
func (x *auditing) findAlike(cmd *cobra.Command, f *auditFlags) error {
	all, places := x.examples, x.places
	if len(f.against) > 0 {
		src, err := x.app.open(&f.Input, f.against)
		if err != nil {
			return err
		}
		tests, tested, err := x.app.readPlaced(cmd, src)
		if err != nil {
			return err
		}
		all, places = append(all[:len(all):len(all)], tests...), append(places[:len(places):len(places)], tested...)
	}
	plain := *x.space // weights make no difference
	plain.IDF, plain.Norm = nil, ""
	groups, err := eval.FindAlike(cmd.Context(), &plain, all)
	if err != nil {
		return err
	}
	byExample := make([]*auditedRow, len(x.examples))
	for _, r := range x.rows {
		byExample[r.example] = r
	}
	for _, g := range groups {
		x.addTwins(byExample, g, all, places)
	}
	return nil
}

// addTwins adds what a group of examples says of the rows, which are the first of them.
func (x *auditing) addTwins(rows []*auditedRow, g eval.Alike, all []bayes.Example, places []place) {
	var twins []twinOfRow // the first few of each label, and of the test files
	times := make(map[string]int)
	const test = "\x00" // no label
	for _, i := range g.Examples {
		key, inTest := all[i].Label, i >= len(rows)
		if inTest {
			key = test
		}
		if times[key]++; times[key] <= mostTwins {
			twins = append(twins, twinOfRow{places[i].File, places[i].Row, all[i].Label, g.Exact, inTest})
		}
	}
	for n, i := range g.Examples {
		if i >= len(rows) {
			break
		}
		r := rows[i]
		for _, t := range twins {
			if len(r.Twins) == mostTwins || !t.test && t.Label == r.Label {
				continue
			}
			r.Twins = append(r.Twins, t)
			switch seen := times[t.Label+test]; {
			case t.test && (len(x.tested) == 0 || x.tested[len(x.tested)-1].row != r):
				x.tested = append(x.tested, twinLine{r, t})
			case !t.test && n == 0 && seen == 0:
				times[t.Label+test] = 1
				x.differ = append(x.differ, twinLine{r, t})
			}
		}
	}
}

// mostTwins is how many rows that are alike are named of a row.
const mostTwins = 20

// print lists what is doubtful.
func (x *auditing) print(against bool) {
	a := x.app
	x.printDoubts()
	x.printTwins("Alike, with different labels:", x.differ)
	x.printTwins("In the test files too:", x.tested)
	rows := len(x.rows)
	switch {
	case len(x.corpus.Classes()) < 2:
		a.Note("%s of one class: no label is doubtful", plural(rows, "row"))
	default:
		a.Note("%s of %s doubtful; if all labels were right, at most %.1f would be expected", Count(len(x.listed)), plural(rows, "row"), x.expected)
		if x.result.Wrong > 0 {
			a.Note("as many labels seem to be wrong as if %.1f %% had been drawn at random", 100*x.result.Wrong)
		}
	}
	if against {
		a.Note("%s in the test files too", plural(len(x.tested), "row"))
	}
}

func (x *auditing) printDoubts() {
	if len(x.listed) == 0 {
		return
	}
	rows := [][]string{{"row", "label", "suggested", "log-odds", "words", "text"}}
	for _, r := range x.listed {
		rows = append(rows, []string{
			x.name(r.File, r.Row), r.Label, r.Suggested, fmt.Sprintf("%.1f", r.LogOdds), strings.Join(r.Words, " "), excerpt(r.text),
		})
	}
	listing(x.app.stdout, rows)
}

// name returns the place of a row: its number alone where there is one file.
func (x *auditing) name(file string, row int) string {
	if x.places[0].File == file && x.places[len(x.places)-1].File == file {
		return fmt.Sprint(row)
	}
	return fmt.Sprintf("%s:%d", file, row)
}

// excerpt returns the beginning of a text, in one line.
func excerpt(text string) string {
	const most = 60
	cut := []rune(strings.Join(strings.Fields(text[:min(len(text), 8*most)]), " "))
	if len(cut) > most {
		return string(cut[:most]) + "…"
	}
	return string(cut)
}

// A twinLine is a row, and one that is like it.
type twinLine struct {
	row  *auditedRow
	twin twinOfRow
}

// printTwins lists rows and what is like them, under a title.
func (x *auditing) printTwins(title string, list []twinLine) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(x.app.stdout, "\n%s\n", title)
	rows := [][]string{{"row", "label", "as row", "label", "", "text"}}
	for _, l := range list {
		how, as := "nearly", x.name(l.twin.File, l.twin.Row)
		if l.twin.Exact {
			how = "exactly"
		}
		if l.twin.test {
			as = fmt.Sprintf("%s:%d", l.twin.File, l.twin.Row)
		}
		rows = append(rows, []string{x.name(l.row.File, l.row.Row), l.row.Label, as, l.twin.Label, how, excerpt(l.row.text)})
	}
	listing(x.app.stdout, rows)
}

// fix writes the file with the labels that are suggested, where that is answered with yes or certain enough.
func (x *auditing) fix(cmd *cobra.Command, f *auditFlags, files []string, to Destination) error {
	taken, err := x.choose(f)
	if err != nil {
		return err
	}
	src, err := x.app.open(&f.Input, files)
	if err != nil {
		return err
	}
	err = to.Write(func(w io.Writer) error {
		return src.Relabel(untilDone{cmd.Context(), w}, func(record int) int {
			if like, ok := taken[record]; ok {
				return like
			}
			return record
		})
	})
	if err == nil {
		x.app.Note("%s: %s changed", to.Name(), plural(len(taken), "label"))
	}
	return err
}

// choose returns which records get another label, and a record that has it.
func (x *auditing) choose(f *auditFlags) (map[int]int, error) {
	having := make(map[string]int) // a record of each label, counted from 0
	for i := len(x.examples) - 1; i >= 0; i-- {
		having[x.examples[i].Label] = x.places[i].Row - 1
	}
	taken := make(map[int]int)
	next, stop := iter.Pull(linesOf(x.app.stdin))
	defer stop()
	for _, r := range x.rows {
		if r.Suggested == "" {
			continue
		}
		if f.yes > 0 {
			if 1/(1+math.Exp(-r.LogOdds)) >= f.yes {
				taken[r.Row-1] = having[r.Suggested]
			}
			continue
		}
		if !r.Doubtful {
			break
		}
		fmt.Fprintf(x.app.stderr, "row %d: %s\n  %s -> %s? [y/N/q] ", r.Row, terminal.Line(excerpt(r.text)), terminal.Line(r.Label), terminal.Line(r.Suggested))
		answer, ok := next()
		if !ok || answer == "q" {
			fmt.Fprintln(x.app.stderr)
			break
		}
		if answer == "y" || answer == "yes" {
			taken[r.Row-1] = having[r.Suggested]
		}
	}
	return taken, nil
}

// linesOf returns the lines of r, lower-cased and without surrounding space.
func linesOf(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := bufio.NewScanner(r); s.Scan(); {
			if !yield(strings.ToLower(strings.TrimSpace(s.Text()))) {
				return
			}
		}
	}
}
