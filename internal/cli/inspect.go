package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"bayes"
	"bayes/answer"
	"bayes/internal/unlabelled"

	"github.com/spf13/cobra"
)

func (a *App) inspectCommand() *cobra.Command {
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
		Args:              Args(1, 1, "one MODEL"),
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			if terms < 0 {
				return WrongUsage(cmd, "--terms %d: want 1 or more, or 0 for none", terms)
			}
			c, em, err := a.load(args[0])
			if errors.Is(err, bayes.ErrFrozen) && !dump && term == "" && terms <= 0 {
				return a.inspectFrozen(args[0])
			}
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
			return a.inspectModel(c, em, knownTerms(c, m), classesOf(c, m))
		},
	}
	cmd.Flags().IntVar(&terms, "terms", 0, "the `N` most telling terms, categories and numbers of each class")
	cmd.Flags().StringVar(&term, "term", "", "the counts and probabilities of one `WORD`; of a number, mean and deviation")
	cmd.Flags().BoolVar(&dump, "dump", false, "all parameters as JSON")
	Group(cmd, OutputFlags)
	return cmd
}

func (a *App) dump(m *bayes.Model) error {
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
	return a.PrintJSON(out)
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

// inspectFrozen shows what is known of a frozen model: all but what it has counted of terms.
func (a *App) inspectFrozen(name string) error {
	m, err := a.loadModel(name)
	if err != nil {
		return err
	}
	if err := a.inspectModel(m, m.EventModel(), m.Len(), m.Classes()); err != nil || a.json {
		return err
	}
	fmt.Fprintln(a.stdout, "\nThis model is frozen: it has weights and no counts. It predicts; to learn, or to show\nterms, take the file that it was frozen from, or train again.")
	return nil
}

// A counted is Counts or a Model.
type counted interface {
	attributed
	Classes() []string
	Class(label string) (examples int64, weight float64)
	Examples() int64
	Len() int
	Space() *bayes.Space
	AnalyzerVersion() string
}

func (a *App) inspectModel(c counted, em bayes.EventModel, terms int, labels []string) error {
	type class struct {
		Label    string  `json:"label"`
		Examples int64   `json:"examples"`
		Weight   float64 `json:"weight"`
	}
	classes := []class{}
	var shares float64 // of documents without a label
	for _, label := range labels {
		n, w := c.Class(label)
		classes = append(classes, class{label, n, w})
		_, more := c.Class(unlabelled.Label(label))
		shares += more
	}
	if a.json {
		record := map[string]any{
			"event": em.String(), "space": c.Space().String(), "analyzer": c.AnalyzerVersion(), "documents": c.Examples(), "terms": terms, "counted_terms": c.Len(), "classes": classes,
			"columns": c.Columns(),
		}
		addCorrection(record, em, c.Examples())
		if shares > 0 {
			record["unlabelled_weight"] = shares
		}
		return a.PrintJSON(record)
	}
	known := Count(terms)
	if terms < c.Len() {
		known += " of " + Count(c.Len()) + " counted"
	}
	about := [][]string{
		{"event model", answer.EventModel(em, c)}, {"space", c.Space().String()},
		{"documents", Count(c.Examples())}, {answer.FeatureWord(c) + "s", known},
	}
	if correction := answer.NewCorrection(em, c.Examples()); correction != nil {
		about = append(about, []string{"correction", correction.String()})
	}
	if shares > 0 {
		about = append(about, []string{"unlabelled", fmt.Sprintf("documents that count as %s in all, in shares of the classes", Count(int64(math.Round(shares))))})
	}
	if v := c.Columns(); !reflect.DeepEqual(v, bayes.Columns{}) {
		about = append(about, []string{"read by", columnWords(v)})
	}
	inLines(a.stdout, about)
	for _, row := range about {
		fmt.Fprintf(a.stdout, "%-11s  %s\n", row[0], row[1]) // the event model of a table is long
	}
	fmt.Fprintln(a.stdout)
	shown, heading := largest(classes, func(cl class) float64 { return float64(cl.Examples) })
	rows := [][]string{{heading, "documents", "share"}}
	for _, cl := range shown {
		rows = append(rows, []string{cl.Label, Count(cl.Examples), fmt.Sprintf("%.1f %%", 100*float64(cl.Examples)/float64(max(1, c.Examples())))})
	}
	table(a.stdout, rows)
	return nil
}

// addCorrection adds what is known of the correction of em to a record, if there is one.
func addCorrection(record map[string]any, em bayes.EventModel, examples int64) {
	if c := answer.NewCorrection(em, examples); c != nil {
		record["correction"] = c
	}
}

// largest returns what is printed of a list that has an entry for each class, and the heading of
// their names: all, or of many classes those with the most documents.
func largest[T any](list []T, documents func(T) float64) (shown []T, heading string) {
	if len(list) <= mostClasses {
		return list, "class"
	}
	shown = slices.Clone(list)
	slices.SortStableFunc(shown, func(a, b T) int { return cmp.Compare(documents(b), documents(a)) })
	return shown[:fewClasses], fmt.Sprintf("largest of %s classes", Count(len(list)))
}

func (a *App) inspectTerms(m *bayes.Model, n int) error {
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
		a.printTopTerms(label, list)
	}
	if a.json {
		return a.PrintJSON(all)
	}
	return nil
}

// printTopTerms prints the most telling terms of a class. Of a number it is the mean that tells,
// and not the sum.
func (a *App) printTopTerms(label string, list []answer.TopTerm) {
	rows := [][]string{{label, "log-odds", "times", "documents"}}
	var odds []float64
	for _, t := range list {
		odds = append(odds, float64(t.LogOdds))
	}
	written := signedLike(odds)
	for i, t := range list {
		times := number(t.Sum)
		if t.Spread != nil {
			times, rows[0][2] = t.Spread.String(), "times, or mean ± deviation"
		}
		rows = append(rows, []string{t.Term, written(odds[i]), times, number(t.Present)})
	}
	table(a.stdout, rows)
}

func (a *App) inspectTerm(m *bayes.Model, word string) error {
	t, ok := answer.NewTerm(m, word)
	if !ok {
		return fmt.Errorf("the model does not know the %s %q", answer.FeatureWord(m), word)
	}
	if a.json {
		return a.PrintJSON(t)
	}
	shown, heading := largest(t.Classes, func(s answer.TermStat) float64 { return s.Present })
	rows := [][]string{{heading, "documents", "times", "weight"}}
	for _, s := range shown {
		if s.Spread != nil {
			rows[0] = []string{heading, "documents", "mean", "deviation"}
			rows = append(rows, []string{s.Label, number(s.Present), number(s.Spread.Mean), number(s.Spread.Deviation)})
			continue
		}
		rows = append(rows, []string{s.Label, number(s.Present), number(s.Sum), logarithm(float64(s.LogProb))})
	}
	table(a.stdout, rows)
	return nil
}
