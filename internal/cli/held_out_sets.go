package cli

import (
	"context"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// setsHeldOut is what train says of examples held out, where documents have several labels.
type setsHeldOut struct {
	Documents int64   `json:"documents"`
	MicroF1   float64 `json:"micro_f1"`
	MacroF1   float64 `json:"macro_f1"`
	LogLoss   float64 `json:"log_loss"`
	Cost      float64 `json:"cost,omitzero"` // of a document, where cutoffs go by costs
	missCost  float64
	before    *eval.SetTally
}

func (r *setsHeldOut) note(a *App) {
	switch {
	case r == nil:
	case r.Cost != 0:
		a.Note("%s documents held out: a document costs %.4f, %.4f without cutoffs; micro F1 %.4f, was %.4f", Count(r.Documents), r.Cost, costOf(r.before, r.missCost), r.MicroF1, r.before.MicroF1())
	default:
		a.Note("%s documents held out: micro F1 %.4f, was %.4f without cutoffs; macro F1 %.4f, was %.4f", Count(r.Documents), r.MicroF1, r.before.MicroF1(), r.MacroF1, r.before.MacroF1())
	}
}

// costOf returns what a document costs on average, where a label given wrongly costs 1; 0 if a missed one costs nothing.
func costOf(t *eval.SetTally, missCost float64) (cost float64) {
	if missCost == 0 {
		return 0
	}
	for _, c := range t.Classes() {
		_, wrong, missed := t.Decisions(c.Label)
		cost += float64(wrong) + missCost*float64(missed)
	}
	return cost / float64(max(1, t.Documents()))
}

// setScores returns what is said of examples held out, with what a missed label costs.
func (t *Trainer) setScores(ctx context.Context, c *bayes.Corpus, fold []int, em bayes.EventModel) (*eval.SetScores, error) {
	s, err := eval.CrossValidateSets(ctx, c, fold, em)
	if err == nil {
		s.MissCost, err = t.labels.missCost()
	}
	return s, err
}

// setsHeldOut reports what is chosen by examples held out, where documents may have several labels.
func (t *Trainer) setsHeldOut(cmd *cobra.Command) (cutoffs, calibrates bool) {
	cutoffs = t.labels.wantsCutoffs(t)
	return cutoffs, t.Calibrates() || cutoffs && !cmd.Flags().Changed("calibrate")
}

// chooseSets returns em with the cutoffs of labels, the temperature of their probabilities, and the correction, as the
// flags ask for them.
func (t *Trainer) chooseSets(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (_ bayes.EventModel, r heldOutRecord, err error) {
	if cutoffs, calibrates := t.setsHeldOut(cmd); cutoffs || calibrates {
		if em, r.sets, err = t.decideSets(cmd, c, em); err != nil {
			return nil, r, err
		}
	}
	if t.model.correct {
		em, err = learnCorrection(cmd, c, em)
	}
	return em, r, err
}

// decideSets returns em with the cutoffs and the temperature that the flags ask for, and what is said of examples held
// out, nil if they ask for neither.
func (t *Trainer) decideSets(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (decided bayes.Calibrated, r *setsHeldOut, err error) {
	decided.Model = em
	cutoffs, calibrates := t.setsHeldOut(cmd)
	if !cutoffs && !calibrates {
		return decided, nil, nil
	}
	fold, err := eval.SomeFolds(strata(c, calibrationFolds), calibrationFolds, calibrationSeed, max(setsEnough, eval.Enough))
	if err != nil {
		return decided, nil, err
	}
	s, err := t.setScores(cmd.Context(), c, fold, em)
	if err != nil {
		return decided, nil, err
	}
	if cutoffs {
		decided.Cutoffs = s.Cutoffs()
	}
	if calibrates {
		decided.Temperature = s.Temperature()
	}
	crossed := new(eval.SetTally)
	for _, t := range s.CrossTallies(cutoffs, calibrates) {
		crossed.Add(t)
	}
	return decided, &setsHeldOut{
		Documents: crossed.Documents(), MicroF1: crossed.MicroF1(), MacroF1: crossed.MacroF1(), LogLoss: crossed.LogLoss(),
		Cost: costOf(crossed, s.MissCost), missCost: s.MissCost, before: s.Tally(nil, 0),
	}, nil
}

// setsEnough is how many examples are held out to set cutoffs: of rare labels each counts.
const setsEnough = 50_000
