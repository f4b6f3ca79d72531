package cli

import (
	"fmt"
	"math"
	"slices"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// looAlphas are the smoothings that --alpha loo tries: five a decade from 0.001
// to 10.
func looAlphas() []bayes.Additive {
	var alphas []bayes.Additive
	for i := -15; i <= 5; i++ {
		alphas = append(alphas, bayes.Additive(math.Round(1e6*math.Pow(10, float64(i)/5))/1e6))
	}
	return alphas
}

// maxRefits is the most work that fitting a model anew for each example may be, as
// examples × classes × terms.
const maxRefits = 1e11

// checkRefits returns an error if leaving out one example after the other would take too
// long.
func checkRefits(c *bayes.Corpus, em bayes.EventModel) error {
	counts := c.Counts()
	work := float64(c.Len()) * float64(len(c.Classes())*counts.Len())
	if c.Refits(em) && work > maxRefits {
		return fmt.Errorf("too much data to fit %v anew for each of %s examples (multinomial, complement, one-versus-rest and bernoulli on text without --idf need no refitting)", em, Count(c.Len()))
	}
	return nil
}

// chooseHeldOut returns em with what is chosen by examples held out: the smoothing of
// --alpha loo, the calibration of --calibrate, the cutoffs of --max-fpr, what --known needs, and with what --correct learns. The
// examples are c, and read again if that is nil.
func (a *App) chooseHeldOut(cmd *cobra.Command, t *Trainer, src *source, c *bayes.Corpus, space *bayes.Space, em bayes.EventModel) (_ bayes.EventModel, r heldOutRecord, err error) {
	how, err := t.calibration(cmd)
	if err != nil {
		return nil, r, err
	}
	if len(t.unlabelled) > 0 { // after these are learned
		how = eval.NoCalibration
	}
	decides := how != eval.NoCalibration || t.HasCutoffs() || t.known > 0
	if !t.LeavesOneOut() && !t.model.correct && !decides && !t.labels.wantsCutoffs(t) {
		return em, r, nil
	}
	if c == nil {
		if c, err = a.readCorpus(cmd, src, space, t.workers); err != nil {
			return nil, r, err
		}
		em = a.settleSize(t, c, em)
	}
	if t.LeavesOneOut() {
		if em, err = a.leaveOneOut(cmd, c, em); err != nil {
			return nil, r, err
		}
	}
	if t.model.correct {
		defer a.waitFor("learning corrections")()
	}
	if c.Space().LabelSeparator != "" {
		return t.chooseSets(cmd, c, em)
	}
	if decides {
		if em, r, err = t.decide(cmd, c, em, how); err != nil {
			return nil, r, err
		}
	}
	if t.model.correct {
		if em, err = learnCorrection(cmd, c, em); err != nil {
			return nil, r, err
		}
	}
	return em, r, nil
}

// leaveOneOut returns em with the smoothing of least leave-one-out log loss, before any correction.
func (a *App) leaveOneOut(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (bayes.EventModel, error) {
	base := bayes.WithoutCorrection(em)
	if err := checkRefits(c, base); err != nil {
		return nil, fmt.Errorf("--alpha loo: %w", err)
	}
	alphas := looAlphas()
	var ems []bayes.EventModel
	for _, alpha := range alphas {
		ems = append(ems, bayes.WithSmoothing(base, alpha))
	}
	trials, err := eval.Try(cmd.Context(), c, nil, ems)
	if err != nil {
		return nil, err
	}
	// The accuracy of neighbouring smoothings is often the same; the log loss is not.
	best := 0
	for i, t := range trials {
		if t.LogLoss < trials[best].LogLoss {
			best = i
		}
	}
	a.Note("leave-one-out: alpha %v, log loss %.4f (alpha 1: %.4f)", alphas[best], trials[best].LogLoss, trials[slices.Index(alphas, 1)].LogLoss)
	return bayes.WithSmoothing(em, alphas[best]), nil
}
