package cli

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/eval"
	"bayes/internal/specgrammar"
	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// goals are the flags of what answers are to keep to.
type goals struct {
	maxFPR, minRecall rates
	costs             string      // a file
	table             *eval.Goals // the costs in it; nil before it is read
}

func (g *goals) addFlags(cmd *cobra.Command) {
	g.minRecall.recall = true
	cmd.Flags().Var(&g.maxFPR, "max-fpr", "give LABEL to at most this share of other documents, with 95 % confidence, by a cutoff set on examples held out; below it the label is unsure")
	cmd.Flags().Var(&g.minRecall, "min-recall", "give LABEL to at least this share of its own documents, with 95 % confidence, from a cutoff on that is set on examples held out, whatever is more probable")
	cmd.Flags().StringVar(&g.costs, "costs", "", "answer what costs least on average, by a table of costs in `FILE`: rows are true labels, columns answers, unsure among them or not")
}

// goalFlags are the names of their flags.
var goalFlags = []string{"max-fpr", "min-recall", "costs"}

// HasCutoffs reports whether cutoffs or costs are to decide.
func (t *Trainer) HasCutoffs() bool { return t.goals.flag() != "" }

// GoalFlag returns the flag by which cutoffs or costs are to decide, empty if none is given.
func (t *Trainer) GoalFlag() string { return t.goals.flag() }

func (g *goals) flag() string {
	switch {
	case len(g.maxFPR.of) > 0:
		return "--max-fpr"
	case len(g.minRecall.of) > 0:
		return "--min-recall"
	case g.costs != "":
		return "--costs"
	}
	return ""
}

// rates are the value of --max-fpr and of --min-recall: by label, a share of documents.
type rates struct {
	of     map[string]float64
	recall bool // whether they are of its own documents
}

func (r *rates) Type() string { return "LABEL=RATE" }

func (r *rates) String() string { return specgrammar.JoinShares(r.of) }

func (r *rates) Set(s string) error {
	list, err := specgrammar.ParseShares(s)
	if err != nil {
		example := "spam=0.001"
		if r.recall {
			example = "urgent=0.95"
		}
		return fmt.Errorf("%w: want LABEL=RATE, such as %s", err, example)
	}
	for label, rate := range list {
		switch {
		case r.recall && !(rate > 0 && rate <= 1):
			return fmt.Errorf("%s: want a rate above 0, up to 1", label)
		case !r.recall && !(rate >= 0 && rate < 1):
			return fmt.Errorf("%s: want a rate from 0 to less than 1", label)
		}
	}
	if r.of == nil {
		r.of = make(map[string]float64)
	}
	maps.Copy(r.of, list)
	return nil
}

// enough returns how many of the examples it takes for manyGiven of those that a goal is about to be wrong.
func (g *goals) enough(labels []string) int {
	own := make(map[string]int)
	for _, label := range labels {
		own[label]++
	}
	n, most := float64(len(labels)), 0.0
	for label, rate := range g.maxFPR.of {
		if others := n - float64(own[label]); rate > 0 && others > 0 {
			most = max(most, manyGiven/rate*n/others)
		}
	}
	for label, rate := range g.minRecall.of {
		if own[label] > 0 && rate < 1 {
			most = max(most, manyGiven/(1-rate)*n/float64(own[label]))
		}
	}
	return int(min(most, n))
}

// check returns an error if a label is none of the classes, or nothing can be unsure, since a class is called so.
func (g *goals) check(classes []string) error {
	for _, r := range []struct {
		flag string
		of   map[string]float64
	}{{"--max-fpr", g.maxFPR.of}, {"--min-recall", g.minRecall.of}} {
		for _, label := range slices.Sorted(maps.Keys(r.of)) {
			if !slices.Contains(classes, label) {
				return fmt.Errorf("%s: %q is none of the classes %s", r.flag, label, quotedLabels(classes))
			}
		}
	}
	if flag := g.flag(); flag == "--max-fpr" || flag == "--costs" {
		if slices.Contains(classes, answer.Unsure) {
			return fmt.Errorf("%s answers %s for what is in doubt, and a class is called so", flag, answer.Unsure)
		}
	}
	return nil
}

// checkFlags returns an error if flags make no sense, whatever the classes are. It leaves the file of costs
// closed, which may be a pipe.
func (g *goals) checkFlags(cmd *cobra.Command) error {
	for _, label := range slices.Sorted(maps.Keys(g.maxFPR.of)) {
		if _, both := g.minRecall.of[label]; both {
			return WrongUsage(cmd, "--max-fpr and --min-recall: %q: a largest share of others and a least recall: want one of the two", label)
		}
	}
	if cmd.Flags().Changed("costs") && g.costs == "" {
		return WrongUsage(cmd, "--costs is empty: want a FILE")
	}
	if g.costs == "" {
		return nil
	}
	if _, err := os.Stat(g.costs); err != nil {
		return fmt.Errorf("--costs: %w", Plain(err))
	}
	return nil
}

// of returns the goals for such classes. The file of costs is read the first time.
func (g *goals) of(classes []string) (eval.Goals, error) {
	list := eval.Goals{MaxFPR: g.maxFPR.of, MinRecall: g.minRecall.of}
	if err := g.check(classes); err != nil {
		return list, err
	}
	if g.costs != "" && g.table == nil {
		costs, reject, err := readCosts(g.costs, classes)
		if err != nil {
			return list, fmt.Errorf("--costs: %w", err)
		}
		g.table = &eval.Goals{Costs: costs, Reject: reject}
	}
	if g.table != nil {
		list.Costs, list.Reject = g.table.Costs, g.table.Reject
	}
	return list, nil
}

// cutoffs sets those of em, by scores that are before calibration, and the costs.
func (g *goals) cutoffs(em bayes.Calibrated, before *eval.Scores, list eval.Goals) (bayes.Calibrated, []eval.Cutoff, error) {
	cutoffs, err := before.CutoffsFor(list)
	if err != nil {
		return em, nil, fmt.Errorf("%s: %w", g.flag(), err)
	}
	em = eval.Operate(em, cutoffs)
	em.Costs, em.Reject = list.Costs, list.Reject
	return em, cutoffs, nil
}

// A cutoffRecord is a cutoff in JSON. All but log_odds, promise and confidence is of examples held out.
type cutoffRecord struct {
	Label      string      `json:"label"`
	LogOdds    answer.Real `json:"log_odds"`
	MaxFPR     *float64    `json:"max_fpr,omitempty"`
	MinRecall  float64     `json:"min_recall,omitempty"`
	Promise    float64     `json:"promise"`    // the rate that holds
	Confidence float64     `json:"confidence"` // with this
	Others     int         `json:"others"`     // documents of other labels,
	Given      int         `json:"given"`      // and how many of them are given the label
	GivenIn    [2]float64  `json:"given_interval"`
	Own        int         `json:"own"`    // documents of the label,
	Missed     int         `json:"missed"` // and how many of them are not given it
	MissedIn   [2]float64  `json:"missed_interval"`
	Shown      bool        `json:"shown"` // whether as many can show such a rate
}

// cutoffRecords returns cutoffs in JSON.
func cutoffRecords(cutoffs []eval.Cutoff) []cutoffRecord {
	var list []cutoffRecord
	for _, c := range cutoffs {
		r := cutoffRecord{
			Label: c.Label, LogOdds: answer.Real(c.LogOdds), MinRecall: c.MinRecall, Promise: c.Promise, Confidence: eval.Confidence,
			Others: c.Others, Given: c.Given, Own: c.Own, Missed: c.Missed, Shown: c.Shows(),
		}
		if c.MinRecall == 0 {
			r.MaxFPR = &c.MaxFPR
		}
		r.GivenIn[0], r.GivenIn[1] = eval.ClopperPearson(c.Given, c.Others)
		r.MissedIn[0], r.MissedIn[1] = eval.ClopperPearson(c.Missed, c.Own)
		list = append(list, r)
	}
	return list
}

// noteCutoffs says what cutoffs do and promise, and which rates are more than as many examples can promise.
func (a *App) noteCutoffs(cutoffs []eval.Cutoff) {
	for _, c := range cutoffs {
		of, share := shareOf(c.Promise)
		if c.MinRecall > 0 {
			a.Note("%s from log-odds of %.6g on, whatever is more probable: of %s of its documents at least %s are given it, with 95 %% confidence (of %s held out %s not); of %s of other labels %s given it%s",
				c.Label, c.LogOdds, of, share, Count(c.Own), areOf(c.Missed), Count(c.Others), areOf(c.Given), intervalOf(c.Given, c.Others))
		} else {
			a.Note("%s from log-odds of %.6g on, else %s: of %s documents of other labels at most %s given it, with 95 %% confidence (of %s held out %s); of its own %s of %s are not%s",
				c.Label, c.LogOdds, answer.Unsure, of, isOrAre(share), Count(c.Others), areOf(c.Given), Count(c.Missed), Count(c.Own), intervalOf(c.Missed, c.Own))
		}
		if !c.Shows() {
			a.noteNotShown(c)
		}
	}
}

// noteNotShown says that a rate cannot be promised, and what it takes.
func (a *App) noteNotShown(c eval.Cutoff) {
	flag, rate, of, n, event := "--max-fpr", c.MaxFPR, "of other labels", c.Others, "given it"
	if c.MinRecall > 0 {
		flag, rate, of, n, event = "--min-recall", 1-c.MinRecall, "of the label", c.Own, "missed"
	}
	if rate == 0 {
		return // nobody can, and the cutoff says what it promises
	}
	asked := c.MaxFPR + c.MinRecall // one of them is 0
	needed := eval.Needed(rate)
	if n >= needed {
		a.Note("note: %s %s=%v is more than can be promised: another label of --min-recall claims documents that are its own", flag, c.Label, asked)
		return
	}
	a.Note("note: %s %s=%v: to promise that with 95 %% confidence takes %s held out %s with none %s, and there are %s: the cutoff is the tightest that they can set, and promises %v",
		flag, c.Label, asked, plural(needed, "document"), of, event, Count(n), c.Promise)
}

// shareOf returns a share as people count: of 1,000, 1.
func shareOf(share float64) (of, n string) {
	hundreds, rare := 100, min(share, 1-share)
	for hundreds < 1_000_000 && rare > 0 && rare*float64(hundreds) < 0.999 {
		hundreds *= 10
	}
	return Count(hundreds), trimmed(share * float64(hundreds))
}

// isOrAre returns a number with the verb.
func isOrAre(n string) string {
	if n == "1" {
		return n + " is"
	}
	return n + " are"
}

// trimmed returns v with at most two decimals.
func trimmed(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", math.Round(v*100)/100), "0"), ".")
}

// intervalOf returns the 95 % interval of a share, in parentheses.
func intervalOf(k, n int) string {
	if n == 0 {
		return ""
	}
	low, high := eval.ClopperPearson(k, n)
	return fmt.Sprintf(" (95 %% interval %.2f to %.2f %%)", 100*low, 100*high)
}

// A goalRecord is how a goal that a model was trained for is kept, in JSON.
type goalRecord struct {
	Label      string     `json:"label"`
	MaxFPR     *float64   `json:"max_fpr,omitempty"`    // what is promised,
	MinRecall  *float64   `json:"min_recall,omitempty"` // one of the two
	Confidence float64    `json:"confidence"`
	Documents  int        `json:"documents"` // of other labels, or of its own,
	Share      float64    `json:"share"`     // and which share is given the label
	Interval   [2]float64 `json:"interval"`  // of 95 %
}

// goalsJSON adds to record how the goals of a model are kept, and what its answers cost.
func goalsJSON(record map[string]any, em bayes.Calibrated, t *eval.Tally) {
	var list []goalRecord
	for _, k := range t.Kept(em) {
		r := goalRecord{Label: k.Label, Confidence: eval.Confidence, Documents: k.Documents, Share: k.Share(), MaxFPR: &k.Promise}
		if k.Recall {
			r.MaxFPR, r.MinRecall = nil, &k.Promise
		}
		r.Interval[0], r.Interval[1] = eval.ClopperPearson(k.Given, k.Documents)
		list = append(list, r)
	}
	if list != nil {
		record["goals"] = list
	}
	if cost, ok := t.CostOf(em); ok {
		record["cost"] = map[string]any{"mean": cost.Value, "interval": []float64{cost.Low, cost.High}}
	}
}

// goalRows returns the same as rows of a table.
func goalRows(em bayes.Calibrated, t *eval.Tally) (rows [][]string) {
	for _, k := range t.Kept(em) {
		low, high := eval.ClopperPearson(k.Given, k.Documents)
		rows = append(rows, []string{
			terminal.Line(k.Label) + " given to", fmt.Sprintf("%.4f", k.Share()),
			fmt.Sprintf("of %s %s, 95 %% interval %.4f to %.4f; promised %s", Count(k.Documents), k.Of(), low, high, k.Promised()),
		})
	}
	if cost, ok := t.CostOf(em); ok {
		rows = append(rows, []string{"cost", fmt.Sprintf("%.4f", cost.Value), fmt.Sprintf("a document, 95 %% interval %.4f to %.4f", cost.Low, cost.High)})
	}
	return rows
}

// areOf returns how many there are, with the verb.
func areOf(n int) string {
	switch n {
	case 0:
		return "none is"
	case 1:
		return "1 is"
	}
	return Count(n) + " are"
}

// unsureJSON returns how many predictions of t are unsure, and how good the others are.
func unsureJSON(t *eval.Tally) map[string]any {
	n, accuracy := t.Unsure()
	return map[string]any{"documents": n, "share": float64(n) / float64(max(1, t.Documents())), "accuracy_of_rest": accuracy}
}

// unsureRow returns the same as a row of a table.
func unsureRow(t *eval.Tally) []string {
	n, accuracy := t.Unsure()
	return []string{answer.Unsure, Count(n), fmt.Sprintf("accuracy of the other %s %.4f", Count(t.Documents()-n), accuracy)}
}
