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

// maxRefits bounds the work of fitting a model anew for each example: examples ×
// classes × terms.
const maxRefits = 1e11

// refitsAll returns an error if leaving out one example after the other takes too
// long.
func refitsAll(c *bayes.Corpus, em bayes.EventModel) error {
	counts := c.Counts()
	work := float64(c.Len()) * float64(len(c.Classes())*counts.Len())
	if c.Refits(em) && work > maxRefits {
		return fmt.Errorf("too much data to fit %v anew for each of %s examples (multinomial, complement and bernoulli on text without --idf need no refitting)", em, count(c.Len()))
	}
	return nil
}

// heldOut returns em with what is chosen by examples held out: the smoothing of
// --alpha loo, the calibration of --calibrate.
func (a *app) heldOut(cmd *cobra.Command, t *trainer, src *source, space *bayes.Space, em bayes.EventModel, r *trainingRecord) (bayes.EventModel, error) {
	how, err := eval.ParseCalibration(t.calibrate)
	if err != nil {
		return nil, wrongUsage(cmd, "--calibrate: %w", err)
	}
	if t.alpha != "loo" && how == eval.NoCalibration {
		return em, nil
	}
	c, err := a.readCorpus(cmd, src, space, t.workers)
	if err != nil {
		return nil, err
	}
	if t.alpha == "loo" {
		if em, err = a.leaveOneOut(cmd, c, em); err != nil {
			return nil, err
		}
	}
	if how == eval.NoCalibration {
		return em, nil
	}
	calibrated, record, err := a.calibrate(cmd, c, em, how)
	if err != nil {
		return nil, fmt.Errorf("--calibrate: %w", err)
	}
	r.Calibration = record
	return calibrated, nil
}

// leaveOneOut returns em with the smoothing of least leave-one-out log loss.
func (a *app) leaveOneOut(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (bayes.EventModel, error) {
	if err := refitsAll(c, em); err != nil {
		return nil, fmt.Errorf("--alpha loo: %w", err)
	}
	alphas := looAlphas()
	var ems []bayes.EventModel
	for _, alpha := range alphas {
		ems = append(ems, bayes.WithSmoothing(em, alpha))
	}
	trials, err := eval.Try(cmd.Context(), c, nil, ems)
	if err != nil {
		return nil, err
	}
	best := 0
	for i, t := range trials {
		if t.LogLoss < trials[best].LogLoss {
			best = i
		}
	}
	a.note("leave-one-out: alpha %v, log loss %.4f (alpha 1: %.4f)", alphas[best], trials[best].LogLoss, trials[slices.Index(alphas, 1)].LogLoss)
	return ems[best], nil
}
