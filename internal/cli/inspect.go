package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"bayes"
	"bayes/answer"
	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

func (a *app) inspectCommand() *cobra.Command {
	var (
		terms int
		term  string
		dump  bool
	)
	cmd := &cobra.Command{
		Use:   "inspect MODEL",
		Short: "Show what a model has counted",
		Example: `  bayes inspect mail.nb
  bayes inspect mail.nb --terms 20
  bayes inspect mail.nb --term free
  bayes inspect mail.nb --dump > weights.json`,
		Args: args(1, 1, "one MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, em, err := a.load(args[0])
			if err != nil {
				return err
			}
			m, err := bayes.Fit(c, em)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			switch {
			case dump:
				return a.dump(m)
			case term != "":
				return a.inspectTerm(m, term)
			case terms > 0:
				return a.inspectTerms(m, terms)
			}
			return a.inspectModel(c, em)
		},
	}
	cmd.Flags().IntVar(&terms, "terms", 0, "the `N` most telling terms of each class")
	cmd.Flags().StringVar(&term, "term", "", "the counts and probabilities of one `WORD`")
	cmd.Flags().BoolVar(&dump, "dump", false, "all parameters as JSON")
	return cmd
}

func (a *app) dump(m *bayes.Model) error {
	d := m.Parameters()
	out := dumpRecord{Labels: d.Labels, ClassLogPrior: answer.Reals(d.ClassLogPrior), Terms: d.Terms, TermLogProb: matrix(d.TermLogProb)}
	if len(d.Numbers) > 0 {
		out.Numbers, out.Mean, out.Variance = d.Numbers, matrix(d.Mean), matrix(d.Variance)
		if len(d.Terms) == 0 {
			out.Terms = d.Numbers
		}
	}
	for _, c := range d.Categories {
		out.Categories = append(out.Categories, dumpCategory{c.Name, c.Values, matrix(c.LogProb)})
	}
	return writeJSON(a.stdout, out)
}

// A dumpRecord is a model's parameters in JSON. Matrices have a row for each
// class.
type dumpRecord struct {
	Labels        []string        `json:"labels"`
	ClassLogPrior []answer.Real   `json:"class_log_prior"`
	Terms         []string        `json:"terms"`
	TermLogProb   [][]answer.Real `json:"term_log_prob"`
	Numbers       []string        `json:"numbers,omitempty"`
	Mean          [][]answer.Real `json:"mean,omitempty"`
	Variance      [][]answer.Real `json:"variance,omitempty"`
	Categories    []dumpCategory  `json:"categories,omitempty"`
}

type dumpCategory struct {
	Name    string          `json:"name"`
	Values  []string        `json:"values"`
	LogProb [][]answer.Real `json:"log_prob"`
}

func matrix(rows [][]float64) [][]answer.Real {
	out := make([][]answer.Real, len(rows))
	for k := range rows {
		out[k] = answer.Reals(rows[k])
	}
	return out
}

func (a *app) inspectModel(c *bayes.Counts, em bayes.EventModel) error {
	type class struct {
		Label    string  `json:"label"`
		Examples int64   `json:"examples"`
		Weight   float64 `json:"weight"`
	}
	classes := []class{}
	for _, label := range c.Classes() {
		n, w := c.Class(label)
		classes = append(classes, class{label, n, w})
	}
	if a.json {
		return writeJSON(a.stdout, map[string]any{
			"event": em.String(), "space": c.Space().String(), "analyzer": c.AnalyzerVersion(), "documents": c.Examples(), "terms": c.Len(), "classes": classes,
		})
	}
	table(a.stdout, [][]string{
		{"event model", em.String()}, {"space", c.Space().String()},
		{"documents", count(c.Examples())}, {"terms", count(c.Len())},
	})
	fmt.Fprintln(a.stdout)
	rows := [][]string{{"class", "documents", "share"}}
	for _, cl := range classes {
		rows = append(rows, []string{cl.Label, count(cl.Examples), fmt.Sprintf("%.1f %%", 100*float64(cl.Examples)/float64(max(1, c.Examples())))})
	}
	table(a.stdout, rows)
	return nil
}

func (a *app) inspectTerms(m *bayes.Model, n int) error {
	all := make(map[string][]answer.TopTerm)
	for i, label := range m.Classes() {
		list := answer.NewTopTerms(m, label, n)
		all[label] = list
		if a.json {
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		rows := [][]string{{label, "log-odds", "times", "documents"}}
		var odds []float64
		for _, t := range list {
			odds = append(odds, float64(t.LogOdds))
		}
		written := signedLike(odds)
		for i, t := range list {
			rows = append(rows, []string{t.Term, written(odds[i]), number(t.Sum), number(t.Present)})
		}
		table(a.stdout, rows)
	}
	if a.json {
		return writeJSON(a.stdout, all)
	}
	return nil
}

func (a *app) inspectTerm(m *bayes.Model, word string) error {
	t, ok := answer.NewTerm(m, word)
	if !ok {
		return fmt.Errorf("the model does not know the term %q", word)
	}
	if a.json {
		return writeJSON(a.stdout, t)
	}
	rows := [][]string{{"class", "documents", "times", "weight"}}
	for _, s := range t.Classes {
		rows = append(rows, []string{s.Label, number(s.Present), number(s.Sum), logarithm(float64(s.LogProb))})
	}
	table(a.stdout, rows)
	return nil
}

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check MODEL|STORE...",
		Short: "Verify that model files and stores are whole and can be used",
		Example: `  bayes check mail.nb
  bayes check mail.store /backup/bayes-2026-11-22`,
		Args: args(1, -1, "at least one MODEL or STORE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if err := a.check(name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) check(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() && a.checkFolder != nil {
		return a.checkFolder(name)
	}
	c, em, err := a.load(name)
	if errors.Is(err, bayes.ErrFrozen) {
		return a.checkFrozen(name)
	}
	if err != nil {
		return err
	}
	if _, err := bayes.CheckFit(c, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return a.reportCheck(name, c.Examples(), len(c.Classes()), c.Len())
}

// checkFrozen reads all of a frozen file.
func (a *app) checkFrozen(name string) error {
	data, err := a.readFile(name)
	if err != nil {
		return err
	}
	m, err := bayes.LoadModel(bytes.NewReader(data), languages()...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return a.reportCheck(name, m.Examples(), len(m.Classes()), m.Len())
}

func (a *app) reportCheck(name string, documents int64, classes, terms int) error {
	if a.json {
		return writeJSON(a.stdout, map[string]any{"file": name, "ok": true, "documents": documents, "terms": terms})
	}
	size := int64(0)
	if info, err := os.Stat(name); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(a.stdout, "%s: ok, %s bytes, %s documents, %s classes, %s terms\n", terminal.Line(name), count(size), count(documents), count(classes), count(terms))
	return nil
}
