package answer

import (
	"fmt"
	"math"
	"slices"

	"bayes"
	"bayes/internal/calibration"
)

// Unsure is the label of a prediction whose most probable class is below its cutoff, which the model
// has of examples held out.
const Unsure = "unsure"

// The reasons for a label that is no class.
const (
	byThreshold = "threshold"
	byCutoff    = "cutoff"
	byCertain   = "certain"
)

// decide returns the label of p, and why it is no class, if it is none.
func decide(p bayes.Prediction, threshold float64) (label, reason string) {
	if p.Labels != nil {
		for _, c := range p.Classes { // the most probable comes first
			if slices.Contains(Labels(p, threshold), c.Class) {
				return c.Class, ""
			}
		}
		return "", ""
	}
	switch best := p.Best(); {
	case best.P < threshold:
		return Undecided, byThreshold
	case p.Unsure:
		return Unsure, byCutoff
	default:
		return best.Class, ""
	}
}

// A Cutoff says how certain the most probable class is, and how certain it has to be.
type Cutoff struct {
	LogOdds Real `json:"log_odds" doc:"Of the most probable class against all others, before calibration"`
	Needs   Real `json:"needs" doc:"From which log-odds on it is the label; below, the label is unsure"`
	class   string
	against string
	verdict string
}

// NewCutoff returns that of the class that ex predicts, nil if it has none.
func NewCutoff(ex *bayes.Explanation) *Cutoff {
	if math.IsInf(ex.Cutoff, -1) {
		return nil
	}
	if ex.Labels != nil {
		i := slices.IndexFunc(ex.Classes, func(c bayes.Prob) bool { return c.Class == ex.Class })
		odds := ex.Classes[i].LogJoint
		return &Cutoff{Real(odds), Real(ex.Cutoff), ex.Class, "the rest", verdict(calibration.Reaches(odds, ex.Cutoff), "given", "not given")}
	}
	scores := make([]float64, len(ex.Classes))
	for k, c := range ex.Classes {
		scores[k] = c.LogJoint
	}
	odds := calibration.LogOddsOf(scores, 0)
	if math.IsNaN(odds) {
		odds = math.Inf(-1) // an impossible document
	}
	return &Cutoff{Real(odds), Real(ex.Cutoff), ex.Best().Class, "all others", verdict(ex.Unsure, Unsure, "")}
}

func verdict(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// String says the same in words.
func (c *Cutoff) String() string {
	s := fmt.Sprintf("%s needs log-odds of %.6g against %s, and has %.6g", c.class, float64(c.Needs), c.against, float64(c.LogOdds))
	if c.verdict != "" {
		s += ": " + c.verdict
	}
	return s
}
