package main

import (
	"fmt"
	"math"
	"slices"

	"bayes"

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
// classes × terms × smoothings.
const maxRefits = 1e11

// leaveOneOut returns em with the smoothing of least leave-one-out log loss.
func (a *app) leaveOneOut(cmd *cobra.Command, src *source, c *bayes.Counts, em bayes.EventModel) (bayes.EventModel, error) {
	alphas := looAlphas()
	var ems []bayes.EventModel
	for _, alpha := range alphas {
		ems = append(ems, withSmoothing(em, alpha))
	}
	_, text := em.(bayes.Multinomial)
	if work := float64(c.Examples()) * float64(len(c.Classes())*c.Len()*len(ems)); !text && work > maxRefits {
		return nil, fmt.Errorf("--alpha loo: too much data to fit %v anew for each of %s examples (multinomial needs no refitting)", em, count(c.Examples()))
	}
	losses, err := bayes.LeaveOneOut(cmd.Context(), c, src.examples(), ems)
	if err != nil {
		return nil, err
	}
	best := slices.Index(losses, slices.Min(losses))
	a.note("leave-one-out: alpha %v, log loss %.4f (alpha 1: %.4f)", alphas[best], losses[best], losses[slices.Index(alphas, 1)])
	return ems[best], nil
}

// withSmoothing returns em with another smoothing wherever it has one.
func withSmoothing(em bayes.EventModel, s bayes.Smoothing) bayes.EventModel {
	switch em := em.(type) {
	case bayes.Multinomial:
		em.Smoothing = s
		return em
	case bayes.Complement:
		em.Smoothing = s
		return em
	case bayes.Bernoulli:
		em.Smoothing = s
		return em
	case bayes.Categorical:
		em.Smoothing = s
		return em
	case bayes.Discrete:
		em.Smoothing = s
		return em
	case bayes.Mixed:
		em.Text, em.Number, em.Category = withSmoothing(em.Text, s), withSmoothing(em.Number, s), withSmoothing(em.Category, s)
		return em
	}
	return em
}
