package cli

import (
	"fmt"

	"bayes"

	"github.com/spf13/cobra"
)

// correctionFlags say whether what naive Bayes says is corrected, and how.
type correctionFlags struct {
	correct  bool
	strength float64
	spread   bool
	trust    float64
}

func (f *correctionFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.correct, "correct", false, "learn from the examples how far the weights of terms are from where naive Bayes has them (train and cv do, unless told otherwise, of several labels and of mail)")
	flags.Float64Var(&f.strength, "strength", 1, "how freely corrections move: `C`, from 1e-6 to 1e6 (--correct)")
	flags.BoolVar(&f.spread, "spread", false, "let them move more the more a term tells of the class (--correct)")
	flags.Float64Var(&f.trust, "trust", 0, "`SHARE` of naive Bayes in the score, from 0, none, to 1 (--correct)")
	Group(cmd, CorrectionFlags)
}

// corrected returns em, with a correction to be learned if the flags ask for one.
func (f *correctionFlags) corrected(cmd *cobra.Command, em bayes.EventModel) (bayes.EventModel, error) {
	if !f.correct {
		for _, name := range []string{"strength", "spread", "trust"} {
			if given := cmd.Flags().Lookup(name); given != nil && given.Changed {
				return nil, WrongUsage(cmd, "--%s goes with --correct", name)
			}
		}
		return em, nil
	}
	if !(f.strength >= 1e-6 && f.strength <= 1e6) {
		return nil, WrongUsage(cmd, "--strength %v: want a number from 1e-6 to 1e6", f.strength)
	}
	if !(f.trust >= 0 && f.trust <= 1) {
		return nil, WrongUsage(cmd, "--trust %v: want a number from 0 to 1", f.trust)
	}
	return bayes.Corrected{Model: em, Strength: f.strength, Spread: f.spread, Trust: f.trust}, nil
}

// learnCorrection returns em with the correction that c teaches, if em wants one.
func learnCorrection(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (bayes.EventModel, error) {
	corrected, err := c.Correct(cmd.Context(), em)
	if err != nil {
		return nil, fmt.Errorf("--correct: %w", err)
	}
	return corrected, nil
}
