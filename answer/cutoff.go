package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bayes"
	"bayes/internal/calibration"
	"bayes/internal/decision"
)

// Unsure is the label of a prediction whose class is below its cutoff, which the model has of examples held
// out, or which no answer costs less than any.
const Unsure = "unsure"

// The reasons for a label that is no class. The others are the prediction's own.
const (
	byForeign   = "foreign"   // the document is like no class
	byThreshold = "threshold" // it is less probable than that
	byCertain   = "certain"   // no label of a tree is as certain
)

// decide returns the label of p, and why it is not the most probable class, if it is not.
func decide(p *bayes.Prediction, threshold float64) (label, reason string) {
	if p.Labels != nil {
		for _, c := range p.Classes { // the most probable comes first
			if slices.Contains(Labels(*p, threshold), c.Class) {
				return c.Class, ""
			}
		}
		return "", ""
	}
	switch chosen := &p.Classes[p.Chosen]; {
	case p.Foreign:
		return Undecided, byForeign
	case chosen.P < threshold:
		return Undecided, byThreshold
	case p.Unsure:
		return Unsure, cmp.Or(p.Reason, decision.ByCutoff)
	default:
		return chosen.Class, p.Reason
	}
}

// Nearest is why a label is given whose cutoff is not reached.
const Nearest = "as none reaches its cutoff and this is the nearest"

// A Cutoff says how certain the class that is predicted is, and how certain it has to be.
type Cutoff struct {
	LogOdds Real `json:"log_odds" doc:"Of the class against all others, before calibration"`
	Needs   Real `json:"needs" doc:"From which log-odds on it is the label: below, the label is unsure, or if the reason is recall the most probable class"`
	words   string
}

// NewCutoff returns that of the class that ex predicts, or of several labels that of the one it explains, nil if there is none.
func NewCutoff(ex *bayes.Explanation) *Cutoff {
	if math.IsInf(ex.Cutoff, -1) {
		return nil
	}
	if ex.Labels != nil {
		i := slices.IndexFunc(ex.Classes, func(c bayes.Prob) bool { return c.Class == ex.Class })
		odds, verdict := ex.Classes[i].LogJoint, "not given"
		switch {
		case calibration.Reaches(odds, ex.Cutoff):
			verdict = "given"
		case slices.Contains(ex.Labels, ex.Class):
			verdict = "given, " + Nearest
		}
		return &Cutoff{Real(odds), Real(ex.Cutoff), needs(ex.Class, "the rest", odds, ex.Cutoff) + ": " + verdict}
	}
	scores := make([]float64, len(ex.Classes))
	for k, c := range ex.Classes {
		scores[k] = c.LogJoint
	}
	odds := calibration.LogOddsOf(scores, ex.Chosen)
	if math.IsNaN(odds) {
		odds = math.Inf(-1) // an impossible document
	}
	words := needs(ex.Answer().Class, "all others", odds, ex.Cutoff)
	switch {
	case ex.Reason == decision.ByRecall:
		words = fmt.Sprintf("%s is the label from log-odds of %.6g against all others on, whatever is more probable, and has %.6g", ex.Answer().Class, ex.Cutoff, odds)
	case ex.Unsure && ex.Reason != decision.ByCosts:
		words += ": " + Unsure
	}
	return &Cutoff{Real(odds), Real(ex.Cutoff), words}
}

func needs(class, against string, odds, cutoff float64) string {
	return fmt.Sprintf("%s needs log-odds of %.6g against %s, and has %.6g", class, cutoff, against, odds)
}

// String says the same in words.
func (c *Cutoff) String() string { return c.words }
