package answer

import (
	"cmp"
	"fmt"
	"math"

	"bayes"
	"bayes/internal/calibration"
	"bayes/internal/decision"
)

// Unsure is the label of a prediction whose class is below its cutoff, which the model has of examples held
// out, or which no answer costs less than any.
const Unsure = "unsure"

// byThreshold is the reason for a label that is no class as it is less probable than a threshold. The others are the
// prediction's own.
const byThreshold = "threshold"

// decide returns the label of p, and why it is not the most probable class, if it is not.
func decide(p bayes.Prediction, threshold float64) (label, reason string) {
	switch chosen := p.Answer(); {
	case chosen.P < threshold:
		return Undecided, byThreshold
	case p.Unsure:
		return Unsure, cmp.Or(p.Reason, decision.ByCutoff)
	default:
		return chosen.Class, p.Reason
	}
}

// A Cutoff says how certain the class that is predicted is, and how certain it has to be.
type Cutoff struct {
	LogOdds Real `json:"log_odds" doc:"Of the class against all others, before calibration"`
	Needs   Real `json:"needs" doc:"From which log-odds on it is the label: below, the label is unsure, or if the reason is recall the most probable class"`
	class   string
	unsure  bool
	recall  bool
}

// NewCutoff returns that of the class that ex predicts, nil if it has none.
func NewCutoff(ex *bayes.Explanation) *Cutoff {
	if math.IsInf(ex.Cutoff, -1) {
		return nil
	}
	scores := make([]float64, len(ex.Classes))
	for k, c := range ex.Classes {
		scores[k] = c.LogJoint
	}
	odds := calibration.LogOddsOf(scores, ex.Chosen)
	if math.IsNaN(odds) {
		odds = math.Inf(-1) // an impossible document
	}
	return &Cutoff{Real(odds), Real(ex.Cutoff), ex.Answer().Class, ex.Unsure && ex.Reason != decision.ByCosts, ex.Reason == decision.ByRecall}
}

// String says the same in words.
func (c *Cutoff) String() string {
	if c.recall {
		return fmt.Sprintf("%s is the label from log-odds of %.6g against all others on, whatever is more probable, and has %.6g", c.class, float64(c.Needs), float64(c.LogOdds))
	}
	s := fmt.Sprintf("%s needs log-odds of %.6g against all others, and has %.6g", c.class, float64(c.Needs), float64(c.LogOdds))
	if c.unsure {
		s += ": " + Unsure
	}
	return s
}
