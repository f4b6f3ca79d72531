package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/outfile"
	"bayes/internal/terminal"
	"bayes/report"

	"github.com/spf13/cobra"
)

func (a *app) explainCommand() *cobra.Command {
	var (
		in   input
		row  int
		work bool
		page Writing
	)
	cmd := &cobra.Command{
		Use:   "explain MODEL [TEXT|FILE]",
		Short: "Show why a text is classified as it is, word by word",
		Long: `Show what each term of a text adds to the log-odds of the best class against the
runner-up. The text is the argument, or the file that the argument names, or
standard input. Of a table, a .csv, .tsv, .jsonl or .svm file, it is the first
record, or that of --row, with its numbers and categories.`,
		Example: `  bayes explain mail.nb "win a free prize"
  bayes explain mail.nb message.txt --work
  bayes explain mail.nb message.txt --html why.html
  bayes explain census.nb people.csv --row 7 --work`,
		Args: args(1, 2, "MODEL [TEXT|FILE]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := page.Plan(args)
			if err != nil {
				return err
			}
			m, err := a.loadModel(args[0])
			if err != nil {
				return err
			}
			d, err := a.document(m, &in, row, args[1:])
			if err != nil {
				return err
			}
			if work && m.Frozen() {
				return fmt.Errorf("%s: --work: %w", args[0], bayes.ErrFrozen)
			}
			switch {
			case to != nil:
				return to.Write(func(w io.Writer) error { return report.WriteExplanation(w, d.Text, m.Explain(d)) })
			case a.json && work:
				return writeJSON(a.stdout, answer.NewDerivation(m.Derive(d)))
			case a.json:
				return writeJSON(a.stdout, answer.NewExplanation(m.Explain(d)))
			case work:
				printWork(a.stdout, m, d)
			default:
				a.printExplanation(d.Text, m.Explain(d))
			}
			return nil
		},
	}
	in.addFlags(cmd)
	cmd.Flags().IntVar(&row, "row", 1, "which record of a table")
	cmd.Flags().BoolVar(&work, "work", false, "print the whole derivation, prior and factors")
	page.AddFlags(cmd, outfile.Page, "html", "", "write the explanation as a page to `FILE`")
	return cmd
}

// document returns the document that an argument is or names.
func (a *app) document(m *bayes.Model, in *input, row int, args []string) (bayes.Document, error) {
	if len(args) == 0 || !isTable(args[0]) {
		text, err := a.textOf(args)
		return bayes.Document{Text: text}, err
	}
	in.Unlabelled = true
	src, err := a.openFor(in, args, m.EventModel(), m)
	if err != nil {
		return bayes.Document{}, err
	}
	n := 0
	for ex, err := range src.examples() {
		if n++; err != nil || n == row {
			return ex.Document(), err
		}
	}
	return bayes.Document{}, fmt.Errorf("%s: no row %d, there are %d", args[0], row, n)
}

// isTable reports whether an argument names a file of records.
func isTable(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".jsonl", ".svm", ".parquet":
		return true
	}
	return false
}

// textOf returns the text that an argument is or names.
func (a *app) textOf(args []string) (string, error) {
	if len(args) == 0 || args[0] == "-" {
		b, err := io.ReadAll(a.stdin)
		return string(b), err
	}
	if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
		b, err := os.ReadFile(args[0])
		return string(b), plain(err)
	}
	return args[0], nil
}

func (a *app) printExplanation(text string, ex *bayes.Explanation) {
	p := paintFor(a.stdout)
	w := a.stdout
	best := ex.Best()
	if ex.Against == "" {
		fmt.Fprintf(w, "%s  (the only class)\n", p.bold(terminal.Line(ex.Class)))
		return
	}
	fmt.Fprintf(w, "%s  %s, against %s %s\n", p.bold(terminal.Line(ex.Class)), probability(best.P), terminal.Line(ex.Against), probability(ex.Classes[1].P))
	if ex.Known == 0 {
		fmt.Fprintln(w, "no term of the text is known, so this is the prior")
	}
	if p.on() {
		fmt.Fprintf(w, "\n%s\n", highlight(text, ex, p))
	}
	fmt.Fprintln(w)
	rows := [][]string{{"log-odds", "term", "times", ex.Class, ex.Against}}
	share := shares(ex)
	rows = append(rows, []string{share(ex.Prior), "(prior)"})
	if ex.Absent != 0 {
		rows = append(rows, []string{share(ex.Absent), "(terms the text lacks)"})
	}
	total := ex.Prior + ex.Absent
	for _, f := range ex.Features {
		total += f.LogOdds
		rows = append(rows, []string{
			p.share(share(f.LogOdds), f.LogOdds), f.Name(), number(f.Value), number(f.Counts[0].Sum), number(f.Counts[1].Sum),
		})
	}
	if math.IsNaN(total) {
		fmt.Fprintf(w, "the text is impossible in both classes, so the prior decides\n\n")
		total = ex.Prior
	}
	odds := "ln P(" + ex.Class + "|text) - ln P(" + ex.Against + "|text)"
	if ex.Power == 1 {
		rows = append(rows, []string{p.bold(share(total)), "sum = " + odds})
	} else {
		rows = append(rows, []string{p.bold(share(total)), "sum"}, []string{p.bold(signed(total * ex.Power)), fmt.Sprintf("calibrated: times %.4g = %s", ex.Power, odds)})
	}
	leftTable(w, rows)
	if ex.Unknown > 0 {
		fmt.Fprintf(w, "%s not known and ignored\n", plural(ex.Unknown, "term"))
	}
}

// leftTable writes rows with the second column flush left and the others flush
// right.
func leftTable(w io.Writer, rows [][]string) {
	inLines(w, rows)
	wide := [5]int{}
	for _, row := range rows {
		if len(row) < 3 { // a row of prose does not widen the columns
			wide[0] = max(wide[0], width(row[0]))
			continue
		}
		for i, cell := range row {
			wide[i] = max(wide[i], width(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", max(0, wide[i]-width(cell)))
			switch i {
			case 0:
				b.WriteString(pad + cell)
			case 1:
				b.WriteString("  " + cell + pad)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// shares returns how to write log-odds of ex, all alike.
func shares(ex *bayes.Explanation) func(v float64) string {
	all := []float64{ex.Prior, ex.Absent}
	for _, f := range ex.Features {
		all = append(all, f.LogOdds)
	}
	return signedLike(all)
}

// signedLike returns how to write some log-odds: as signed does, unless that would leave
// nothing, as of normalised weights.
func signedLike(all []float64) func(v float64) string {
	largest := 0.0
	for _, v := range all {
		largest = max(largest, math.Abs(v))
	}
	if 0 < largest && largest < 0.01 {
		return func(v float64) string { return fmt.Sprintf("%+.2e", v) }
	}
	return signed
}

// signed returns v with its sign and four decimals.
func signed(v float64) string { return fmt.Sprintf("%+.4f", v) }

// number returns a count as briefly as it can be said.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// highlight returns text with each term coloured by its share.
func highlight(text string, ex *bayes.Explanation, p paint) string {
	var b strings.Builder
	for _, s := range ex.Highlights(text) {
		b.WriteString(p.share(s.Text, s.LogOdds))
	}
	return strings.TrimRight(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
}
