package cli

import (
	"context"
	"io"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/internal/labelset"
)

// Where rows may have several labels, the label of a row is the set of them as package bayes has it, and what is
// suggested is the set with the changes that are more probable than not.

// judgeSets is judge where rows may have several labels.
func (x *auditing) judgeSets(ctx context.Context, f *auditFlags) error {
	result, err := eval.AuditSets(ctx, x.corpus, x.em, f.options())
	if err != nil {
		return err
	}
	cutoff, expected, err := result.Cutoff(f.clean)
	if err != nil {
		return err
	}
	x.expected, x.wrong, x.missing = expected, result.Wrong, result.Missing
	listed := len(result.Above(cutoff))
	for n := range result.Doubts {
		d := &result.Doubts[n]
		r := x.newRow(d.Example, n < listed)
		r.set, r.LogOdds = d, d.LogOdds
		r.Suggested = labelset.Join(d.Suggested, x.space.LabelSeparator)
		if len(d.Changes) > 0 {
			r.P = d.Changes[0].Probability()
		}
		x.add(r)
	}
	if err := x.addSetWords(); err != nil {
		return err
	}
	return ctx.Err()
}

// addSetWords adds to each listed row the features that tell most for the first change.
func (x *auditing) addSetWords() error {
	if len(x.listed) == 0 {
		return nil // perhaps no row has a label
	}
	em, counts := bayes.WithoutCorrection(x.em), x.corpus.Counts()
	if x.space.IDF == nil { // or else rows cannot be taken off
		x.takeOff(counts)
	}
	m, err := bayes.Fit(counts, em)
	if err != nil {
		return err
	}
	for _, r := range x.listed {
		change := r.set.Changes[0]
		why := m.ExplainAgainst(x.examples[r.example].Document(), change.Label, "")
		if why != nil && change.Given {
			turnRound(why)
		}
		r.explain(why)
	}
	return nil
}

// turnRound makes evidence for a class evidence against it.
func turnRound(ex *bayes.Explanation) {
	ex.Prior, ex.Bias, ex.Absent = -ex.Prior, -ex.Bias, -ex.Absent
	for i := range ex.Features {
		f := &ex.Features[i]
		f.LogOdds, f.Correction = -f.LogOdds, -f.Correction
		f.Counts[0], f.Counts[1] = f.Counts[1], f.Counts[0]
	}
}

// An auditedSetRow is a row with several labels in JSON.
type auditedSetRow struct {
	File      string      `json:"file"`
	Row       int         `json:"row"`
	Labels    []string    `json:"labels"`
	Suggested []string    `json:"suggested"`
	LogOdds   float64     `json:"log_odds"`
	Doubtful  bool        `json:"doubtful"`
	P         float64     `json:"probability"` // that the first change is right
	Changes   []setChange `json:"changes"`
	Words     []string    `json:"words,omitempty"`
	Twins     []setTwin   `json:"alike,omitempty"`
}

// A setChange is a label to take away, if it is given, or to add.
type setChange struct {
	Label   string  `json:"label"`
	Given   bool    `json:"given"`
	LogOdds float64 `json:"log_odds"`
	P       float64 `json:"probability"`
}

// A setTwin is a twinOfRow with several labels.
type setTwin struct {
	File   string   `json:"file"`
	Row    int      `json:"row"`
	Labels []string `json:"labels"`
	Exact  bool     `json:"exact"`
}

// record returns what JSON has of a row.
func (x *auditing) record(r *auditedRow) any {
	if r.set == nil {
		return r
	}
	record := auditedSetRow{
		File: r.File, Row: r.Row, Labels: append([]string{}, r.set.Labels...), Suggested: append([]string{}, r.set.Suggested...), LogOdds: r.LogOdds, Doubtful: r.Doubtful,
		P: r.P, Changes: []setChange{}, Words: r.Words,
	}
	for _, c := range r.set.Changes {
		record.Changes = append(record.Changes, setChange{c.Label, c.Given, c.LogOdds, c.Probability()})
	}
	for _, t := range r.Twins {
		record.Twins = append(record.Twins, setTwin{t.File, t.Row, append([]string{}, labelsOf(x.space, t.Label)...), t.Exact})
	}
	return record
}

// shownLabel returns a label, or a set of them, as people are shown it.
func (x *auditing) shownLabel(label string) string {
	if x.space.LabelSeparator != "" && label == x.space.LabelSeparator {
		return "(none)"
	}
	return label
}

// suggestion returns what is suggested for a row as a table has it: the label, or what is to be changed.
func (r *auditedRow) suggestion() string {
	if r.set == nil {
		return r.Suggested
	}
	var changes []string
	for _, c := range r.set.Changes {
		sign := "+"
		if c.Given {
			sign = "-"
		}
		changes = append(changes, sign+c.Label)
	}
	return strings.Join(changes, ", ")
}

// surest returns the highest probability with which a change of a row is right.
func (r *auditedRow) surest() float64 {
	if r.set == nil {
		return r.P
	}
	most := 0.0
	for _, c := range r.set.Changes {
		most = max(most, c.Probability())
	}
	return most
}

// relabelSets writes the file with the changes of some rows, of each those that have at least the probability of --yes.
func (x *auditing) relabelSets(f *auditFlags, src *source, w io.Writer, rows []*auditedRow) error {
	taken := make(map[int][]string)
	for _, r := range rows {
		taken[r.Row-1] = r.set.With(f.yes)
	}
	return src.RelabelSets(w, func(record int) ([]string, bool) {
		labels, ok := taken[record]
		return labels, ok
	})
}
