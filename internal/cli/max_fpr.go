package cli

import (
	"fmt"
	"maps"

	"bayes/answer"
	"bayes/eval"
	"bayes/internal/specgrammar"
)

// maxFPR is the value of --max-fpr: by label, the share of the other documents that may be given it.
type maxFPR map[string]float64

func (m *maxFPR) Type() string { return "LABEL=RATE" }

func (m *maxFPR) String() string { return specgrammar.JoinShares(*m) }

func (m *maxFPR) Set(s string) error {
	rates, err := specgrammar.ParseShares(s)
	if err != nil {
		return fmt.Errorf("%w: want LABEL=RATE, such as spam=0.001", err)
	}
	for label, rate := range rates {
		if !(rate >= 0 && rate < 1) {
			return fmt.Errorf("%s: want a rate from 0 to less than 1", label)
		}
	}
	if *m == nil {
		*m = make(maxFPR)
	}
	maps.Copy(*m, rates)
	return nil
}

// rarest returns the least of the rates that is not 0, 1 if there is none.
func (m maxFPR) rarest() float64 {
	least := 1.0
	for _, rate := range m {
		if rate > 0 {
			least = min(least, rate)
		}
	}
	return least
}

// check returns an error if no cutoff can be for such classes.
func (m maxFPR) check(classes []string) error {
	for _, class := range classes {
		if class == answer.Unsure && len(m) > 0 {
			return fmt.Errorf("--max-fpr answers %s for what is below a cutoff, and a class is called so", answer.Unsure)
		}
	}
	return nil
}

// A cutoffRecord is a cutoff in JSON. All but log_odds is of examples held out.
type cutoffRecord struct {
	Label   string      `json:"label"`
	LogOdds answer.Real `json:"log_odds"`
	MaxFPR  float64     `json:"max_fpr"`
	Others  int         `json:"others"` // documents of other labels,
	Given   int         `json:"given"`  // and how many of them are given the label
	Own     int         `json:"own"`    // documents of the label,
	Missed  int         `json:"missed"` // and how many of them are not given it
	Shown   bool        `json:"shown"`  // whether as many others can show such a rate
}

// cutoffRecords returns cutoffs in JSON.
func cutoffRecords(cutoffs []eval.Cutoff) []cutoffRecord {
	var list []cutoffRecord
	for _, c := range cutoffs {
		list = append(list, cutoffRecord{c.Label, answer.Real(c.LogOdds), c.MaxFPR, c.Others, c.Given, c.Own, c.Missed, c.Shows()})
	}
	return list
}

// noteCutoffs says what cutoffs do, and which rates are too low to be shown by as many examples.
func (a *App) noteCutoffs(cutoffs []eval.Cutoff) {
	for _, c := range cutoffs {
		a.Note("%s from log-odds of %.6g on, else %s: of %s held out of other labels %s given it, of its own %s of %s are not",
			c.Label, c.LogOdds, answer.Unsure, plural(c.Others, "document"), areOf(c.Given), Count(c.Missed), Count(c.Own))
		if !c.Shows() && c.MaxFPR > 0 {
			a.Note("note: --max-fpr %s=%v: %s held out of other labels cannot show a rate below 1 in %s: none of them is given it, and that is all that is known",
				c.Label, c.MaxFPR, plural(c.Others, "document"), Count(c.Others))
		}
	}
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
