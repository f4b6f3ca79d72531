package answer

import (
	"fmt"

	"bayes"
)

// A Correction says what a model's correction was learned from, and how old it is.
type Correction struct {
	Examples int64 `json:"examples" doc:"How many examples it was learned from"`
	Since    int64 `json:"since" doc:"How many more examples the model has now; below zero, how many fewer"`
	Trust    Real  `json:"trust" doc:"What the weights of naive Bayes are multiplied by"`
	Features int   `json:"features,omitempty" doc:"How many terms, values and intervals of numbers have a correction; left out of a frozen model, which does not know"`
}

// NewCorrection returns what is known of the correction of em, of a model with a number of examples; nil
// if there is none.
func NewCorrection(em bayes.EventModel, examples int64) *Correction {
	c := bayes.CorrectionOf(em)
	if c == nil {
		return nil
	}
	return &Correction{c.Examples(), examples - c.Examples(), Real(c.Trust()), c.Len()}
}

// String says the same in words.
func (c *Correction) String() string {
	s := fmt.Sprintf("learned from %d examples", c.Examples)
	if c.Features > 0 {
		s += fmt.Sprintf(", for %d features", c.Features)
	}
	s += ", with naive Bayes times " + brief(float64(c.Trust), 4)
	switch {
	case c.Since > 0:
		s += fmt.Sprintf("; since then the model has learned %d more", c.Since)
	case c.Since < 0:
		s += fmt.Sprintf("; since then the model has unlearned %d", -c.Since)
	}
	return s
}
