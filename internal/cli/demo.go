package cli

import (
	_ "embed"
	"fmt"
	"strings"

	"bayes"
	"bayes/dataset"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// sampleCSV holds support messages in English, Korean and Japanese, written for
// this demonstration.
//
//go:embed sample.csv
var sampleCSV string

func (a *App) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "demo",
		Short:   "Train on a built-in sample, and show what comes of it",
		Example: `  bayes demo`,
		Args:    Args(0, 0, "no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.demo() },
	}
}

// demo learns four fifths of the sample, tests with the rest, and explains one
// message.
func (a *App) demo() error {
	// Every fifth message is held out.
	c := bayes.NewCounts(nil)
	var held []bayes.Example
	n := 0
	for ex, err := range dataset.CSV(strings.NewReader(sampleCSV), "sample.csv", nil) {
		if err != nil {
			return err
		}
		if n++; n%5 == 0 {
			held = append(held, ex)
		} else {
			c.Learn(ex)
		}
	}
	m, err := bayes.Fit(c, bayes.Multinomial{})
	if err != nil {
		return err
	}
	t := new(eval.Tally)
	for _, ex := range held {
		t.Observe(m.Predict(ex.Document()), ex.Label)
	}
	accuracy, low, high := t.Accuracy()
	if a.json {
		return a.PrintJSON(map[string]any{
			"documents": c.Examples(), "classes": c.Classes(), "terms": c.Len(), "test": tallyJSON(t),
		})
	}
	p := paintFor(a.stdout)
	fmt.Fprintf(a.stdout, "%s of a made-up company's support messages learned, in %s and %s.\n",
		p.bold(Count(c.Examples())), p.bold(Count(len(c.Classes()))+" classes"), p.bold(plural(c.Len(), "term")))
	fmt.Fprintf(a.stdout, "On %s it had not seen, it was right in %s (95 %% interval %.0f to %.0f %%; guessing is right in %.0f %%).\n\n",
		plural(len(held), "message"), p.bold(fmt.Sprintf("%.0f %%", 100*accuracy)), 100*low, 100*high, 100/float64(len(c.Classes())))
	for _, text := range []string{
		"you charged my card twice this month, I want a refund",
		"アプリが開けません、エラーになります",
		"비밀번호를 바꿀 수 없어요",
	} {
		best := m.Predict(bayes.Document{Text: text}).Best()
		fmt.Fprintf(a.stdout, "  %s  →  %s %.2f\n", text, p.bold(best.Class), best.P)
	}
	const text = "The app crashes and shows an error when I save my report"
	fmt.Fprintf(a.stdout, "\nWhy is “%s” what it is?\n\n", text)
	a.printExplanation(text, m.Explain(bayes.Document{Text: text}), m)
	fmt.Fprintln(a.stdout, "\nNext: bayes train YOUR.csv -o your.nb   (columns label and text; see bayes train --help)")
	return nil
}
