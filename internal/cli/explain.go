package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/outfile"
	"bayes/internal/terminal"
	"bayes/report"

	"github.com/spf13/cobra"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	Input
	row  int
	top  int
	work bool
	of   string
	page Writing
}

func (a *App) explainCommand() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain MODEL [TEXT|FILE]",
		Short: "Show why a text is classified as it is, word by word",
		Long: `Show what each term of a text adds to the log-odds of the answer against the
runner-up. The text is an argument with white space in it, or all of a file of plain
text, or standard input. Of other files, whatever predict reads, it is the first
record, or that of --row, with its numbers and categories.

Where documents may have several labels, each is against the rest: shown are those that
the text is given, or the most probable, or that of --of.`,
		Example: `  bayes explain mail.nb "win a free prize"
  bayes explain mail.nb message.txt --work
  bayes explain mail.nb message.txt --html why.html
  bayes explain topics.nb article.txt --of grain
  bayes explain census.nb people.csv --row 7 --work`,
		Args:              Args(1, 2, "MODEL [TEXT|FILE]"),
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("top") && f.top < 1:
				return WrongUsage(cmd, "--top %d: want at least 1", f.top)
			case f.row < 1:
				return WrongUsage(cmd, "--row %d: want at least 1", f.row)
			}
			return a.explain(&f, args)
		},
	}
	f.AddFlags(cmd)
	cmd.Flags().IntVar(&f.row, "row", 1, "which record of a file")
	Group(cmd, InputFlags)
	cmd.Flags().StringVar(&f.of, "of", "", "where documents may have several labels, explain this `LABEL`")
	cmd.Flags().BoolVar(&f.work, "work", false, "print the whole derivation, prior and factors")
	cmd.Flags().IntVar(&f.top, "top", 0, "with --json or --work, the `K` most probable classes (default all, or 10 of more than 1,000)")
	f.page.AddFlags(cmd, outfile.Page, "html", "", "write the explanation as a page to `FILE`")
	return cmd
}

func (a *App) explain(f *explainFlags, args []string) error {
	to, err := f.page.Plan(args)
	if err != nil {
		return err
	}
	m, err := a.loadModel(args[0])
	if err != nil {
		return err
	}
	d, err := a.document(m, &f.Input, f.row, args[1:])
	if err != nil {
		return err
	}
	if f.work && m.Frozen() {
		return fmt.Errorf("%s: --work: %w", args[0], bayes.ErrFrozen)
	}
	if several(m) || f.of != "" {
		return a.explainLabels(f, m, d, to)
	}
	switch {
	case to != nil:
		return to.Write(func(w io.Writer) error { return report.WriteExplanation(w, d.Text, m.Explain(d)) })
	case a.json && f.work:
		return a.PrintJSON(answer.NewDerivation(m.Derive(d), f.top))
	case a.json:
		return a.PrintJSON(answer.NewExplanation(m.Explain(d), f.top))
	case f.work:
		printDerivation(a.stdout, m, d, f.top)
	default:
		a.printExplanation(d.Text, m.Explain(d), m)
	}
	return nil
}

// explainLabels explains labels of a document, each against its rest: that of --of, or those that it is given, or of none
// the most probable.
func (a *App) explainLabels(f *explainFlags, m *bayes.Model, d bayes.Document, to Destination) error {
	if !several(m) {
		return errors.New("--of is for models of several labels a document")
	}
	first := m.Explain(d)
	labels := first.Labels
	if f.of != "" {
		labels = []string{f.of}
	} else if len(labels) == 0 || to != nil || a.json && !f.work {
		labels = []string{first.Class}
	}
	if f.work && to == nil {
		return a.deriveLabels(f, m, d, labels)
	}
	for i, label := range labels {
		ex := m.ExplainAgainst(d, label, "")
		switch {
		case ex == nil:
			return fmt.Errorf("--of %s: none of the labels of the model", terminal.Line(label))
		case to != nil:
			return to.Write(func(w io.Writer) error { return report.WriteExplanation(w, d.Text, ex) })
		case a.json:
			return a.PrintJSON(answer.NewExplanation(ex, f.top))
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		a.printExplanation(d.Text, ex, m)
	}
	return nil
}

// deriveLabels prints the derivation of labels of a document.
func (a *App) deriveLabels(f *explainFlags, m *bayes.Model, d bayes.Document, labels []string) error {
	der := answer.DerivationOf(m.Derive(d), labels)
	switch {
	case len(der.Classes) == 0:
		return fmt.Errorf("--of %s: none of the labels of the model", terminal.Line(f.of))
	case a.json:
		return a.PrintJSON(answer.NewDerivation(der, f.top))
	}
	printLabels(a.stdout, m, der, m.Predict(d).Labels)
	return nil
}

// document returns the document that arguments are or name: a text, or a record of a
// file, which is read as predict reads it. Plain text is one record.
func (a *App) document(m *bayes.Model, in *Input, row int, args []string) (bayes.Document, error) {
	if len(args) > 0 {
		isText, err := textOrFile(args[0])
		if isText {
			if row != 1 {
				a.Note("note: --row is for files, and changes nothing here")
			}
			a.noteFileName(args[0])
			err = checkReadsText(m)
		}
		if isText || err != nil {
			return bayes.Document{Text: args[0]}, err
		}
	}
	in.Unlabelled, in.Whole = true, true
	src, err := a.openFor(in, args, m.EventModel(), m)
	if err != nil {
		return bayes.Document{}, err
	}
	defer src.finish()
	n := 0
	for ex, err := range src.examples() {
		if n++; err != nil || n == row {
			return ex.Document(), err
		}
	}
	return bayes.Document{}, fmt.Errorf("%s: no row %d, there are %d", cmp.Or(strings.Join(args, " "), "stdin"), row, n)
}

// printExplanation shows what each term adds to the log-odds of the best class
// against the runner-up, and their sum.
func (a *App) printExplanation(text string, ex *bayes.Explanation, k answer.Known) {
	p := paintFor(a.stdout)
	w := a.stdout
	best := ex.Answer()
	if ex = answer.AgainstRest(ex); ex.Labels != nil {
		best = ex.Classes[slices.IndexFunc(ex.Classes, func(c bayes.Prob) bool { return c.Class == ex.Class })]
	}
	feature, document := answer.FeatureWord(k), documentWord(k)
	if ex.Against == "" {
		fmt.Fprintf(w, "%s  (the only class)\n", p.bold(terminal.Line(ex.Class)))
		return
	}
	rival := 1 - best.P
	if ex.Labels == nil {
		rival = ex.Classes[max(0, 1-ex.Chosen)].P
	}
	fmt.Fprintf(w, "%s  %s, against %s %s\n", p.bold(terminal.Line(ex.Class)), probability(best.P), terminal.Line(ex.Against), probability(rival))
	if c := answer.NewCutoff(ex); c != nil {
		fmt.Fprintln(w, terminal.Line(c.String()))
	}
	if ex.Known == 0 {
		fmt.Fprintf(w, "no %s of the %s is known, so this is the prior\n", feature, document)
	}
	if p.on() {
		fmt.Fprintf(w, "\n%s\n", highlight(text, ex, p))
	}
	fmt.Fprintln(w)
	share := shares(ex)
	rows, total := a.explanationRows(ex, feature, share)
	// Where a term rules out each of the two classes, the sum is ∞ - ∞.
	if math.IsNaN(total) {
		fmt.Fprintf(w, "the %s is impossible in both classes, so the prior decides\n\n", document)
		total = ex.Prior
	}
	// A calibration multiplies the log-odds by a power.
	odds := "ln P(" + ex.Class + "|" + document + ") - ln P(" + ex.Against + "|" + document + ")"
	if ex.Power == 1 {
		rows = append(rows, []string{p.bold(share(total)), "sum = " + odds})
	} else {
		rows = append(rows, []string{p.bold(share(total)), "sum"}, []string{p.bold(signed(total * ex.Power)), fmt.Sprintf("calibrated: times %.4g = %s", ex.Power, odds)})
	}
	explanationTable(w, rows)
	if ex.Unknown > 0 {
		fmt.Fprintf(w, "%s not known and ignored\n", plural(ex.Unknown, feature))
	}
}

// explanationRows returns the parts of the score, the prior and then the terms, beneath a heading, and
// their sum.
func (a *App) explanationRows(ex *bayes.Explanation, feature string, share func(v float64) string) (rows [][]string, total float64) {
	p := paintFor(a.stdout)
	// A frozen model has no counts to show.
	head := []string{"log-odds", feature, "times", ex.Class, ex.Against}
	if !answer.Counted(ex) {
		head = head[:3]
	}
	columns, corrected, prior := len(head), answer.Corrected(ex), "(prior)"
	if corrected {
		head = append(head, "naive Bayes", "correction")
	}
	if ex.Bias != 0 {
		prior = "(prior and bias)"
	}
	rows = [][]string{head}
	// add adds a row, and at its end what naive Bayes says and what is corrected.
	add := func(row []string, logOdds, correction float64) {
		row = row[:min(len(row), columns)]
		if corrected {
			row = append(row, make([]string, columns-len(row))...)
			row = append(row, share(answer.Base(logOdds, correction)), share(correction))
		}
		rows, total = append(rows, row), total+logOdds
	}
	add([]string{share(ex.Prior), prior}, ex.Prior, ex.Bias)
	if ex.Absent != 0 {
		add([]string{share(ex.Absent), "(terms the text lacks)"}, ex.Absent, 0)
	}
	for _, f := range ex.Features {
		row := []string{p.share(share(f.LogOdds), f.LogOdds), f.Name(), number(f.Value), number(f.Counts[0].Sum), number(f.Counts[1].Sum)}
		if class, against, ok := answer.Spreads(f); ok {
			row = []string{row[0], f.Name() + " = " + number(f.Value), "", class.String(), against.String()}
		}
		add(row, f.LogOdds, f.Correction)
	}
	return rows, total
}

// documentWord returns what a document of k is called: a text, unless k has none.
func documentWord(k answer.Known) string {
	if answer.FeatureWord(k) == "term" {
		return "text"
	}
	return "row"
}

// shares returns the function that writes each of the log-odds of ex.
func shares(ex *bayes.Explanation) func(v float64) string {
	all := []float64{ex.Prior, ex.Absent}
	for _, f := range ex.Features {
		all = append(all, f.LogOdds)
	}
	// Where a correction is taken off what naive Bayes says, each may be larger than both.
	if answer.Corrected(ex) {
		all = append(all, ex.Bias, answer.Base(ex.Prior, ex.Bias))
		for _, f := range ex.Features {
			all = append(all, f.Correction, answer.Base(f.LogOdds, f.Correction))
		}
	}
	return signedLike(all)
}

// highlight returns text with each term coloured by its share.
func highlight(text string, ex *bayes.Explanation, p paint) string {
	var b strings.Builder
	for _, s := range ex.Highlights(text) {
		b.WriteString(p.share(s.Text, s.LogOdds))
	}
	return strings.TrimRight(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
}
