package cli

import (
	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// An auditedRow is a row of a file, and what is said of it.
type auditedRow struct {
	File      string      `json:"file"`
	Row       int         `json:"row"`
	Label     string      `json:"label"`
	Suggested string      `json:"suggested"`
	LogOdds   float64     `json:"log_odds"`
	Doubtful  bool        `json:"doubtful"`        // above the cutoff
	P         float64     `json:"probability"`     // of Suggested
	Words     []string    `json:"words,omitempty"` // of a doubtful row, what tells for Suggested
	Twins     []twinOfRow `json:"alike,omitempty"` // of other labels, or in the test files
	example   int
	set       *eval.SetDoubt     // of several labels
	why       *bayes.Explanation // of a doubtful row
	text      string
}

// readPlaced returns the examples of src, and where each was.
func (a *App) readPlaced(cmd *cobra.Command, src *source) (examples []bayes.Example, places []place, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		for ex, err := range src.examples() {
			if err != nil {
				return err
			}
			file, row := src.Place()
			examples, places = append(examples, ex), append(places, place{file, max(row, 1)})
			if progress != nil && len(examples)%1000 == 0 {
				progress(int64(len(examples)))
			}
		}
		return cmd.Context().Err()
	})
	src.finish()
	return examples, places, err
}
