package cli

import (
	"cmp"
	"fmt"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// A calibrationRecord is what a calibration did, in JSON. The figures are those of
// examples held out.
type calibrationRecord struct {
	Method      eval.Calibration   `json:"method"`
	Temperature float64            `json:"temperature,omitempty"`
	Documents   int64              `json:"documents"`
	Before      calibrationMetrics `json:"before"`
	After       calibrationMetrics `json:"after"`
}

type calibrationMetrics struct {
	Accuracy float64 `json:"accuracy"`
	LogLoss  float64 `json:"log_loss"`
	Brier    float64 `json:"brier"`
	ECE      float64 `json:"ece"`
}

func metricsOf(t *eval.Tally) calibrationMetrics {
	accuracy, _, _ := t.Accuracy()
	return calibrationMetrics{accuracy, t.LogLoss(), t.Brier(), t.ECE()}
}

// calibrationFolds is the number of folds that data is cut into if leaving out each
// example by itself would take a new model for each, and promiseFolds that where something is promised: a correction of
// four fifths of the examples is less sure than the one in use, so cutoffs set by it would be passed too often.
const calibrationFolds, promiseFolds, calibrationSeed = 5, 10, 1

// folds returns which of them it is.
func (t *Trainer) folds() int {
	if t.HasCutoffs() {
		return promiseFolds
	}
	return calibrationFolds
}

// A heldOutRecord is what was chosen by examples held out, as train reports it.
type heldOutRecord struct {
	calibration *calibrationRecord // nil without --calibrate
	known       *knownRecord       // nil without --known
	sets        *setsHeldOut       // of several labels a document
	cutoffs     []eval.Cutoff      // of --max-fpr and --min-recall
	costs       *costsRecord       // nil without --costs
}

// decide returns em with the calibration, the cutoffs and the costs that the flags ask for, by what it says of
// examples held out: before, if that is known already.
func (t *Trainer) decide(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel, how eval.Calibration) (_ bayes.EventModel, r heldOutRecord, err error) {
	goals, err := t.goals.of(c.Classes())
	if err != nil {
		return nil, r, err
	}
	before := t.scores
	if before == nil || t.known > 0 { // a search does not ask how typical examples are
		if before, err = t.scoresHeldOut(cmd, c, em); err != nil {
			return nil, r, err
		}
	}
	decided := bayes.Calibrated{Model: em}
	if how != eval.NoCalibration {
		if decided, r.calibration, goals.Calibrated, err = calibrate(em, how, before); err != nil {
			return nil, r, fmt.Errorf("%s: %w", t.calibrationFlag(cmd), err)
		}
	}
	if t.HasCutoffs() {
		if decided, r.cutoffs, err = t.goals.cutoffs(decided, before, goals); err != nil {
			return nil, r, err
		}
	}
	if t.goals.costs != "" {
		if r.costs, err = newCostsRecord(before, goals); err != nil {
			return nil, r, err
		}
	}
	if t.known > 0 {
		if decided, r.known, err = t.learnKnown(decided, before); err != nil {
			return nil, r, err
		}
	}
	return decided, r, nil
}

// calibrate calibrates em by what it says of examples held out. It returns what is said of each after calibration
// by the others, too.
func calibrate(em bayes.EventModel, how eval.Calibration, before *eval.Scores) (bayes.Calibrated, *calibrationRecord, *eval.Scores, error) {
	calibrated, err := before.Calibrate(em, how)
	if err != nil {
		return calibrated, nil, nil, err
	}
	// What is reported is of predictions that are calibrated by the others: the
	// calibration that is kept has seen all of them.
	after, err := before.CrossCalibrate(how)
	if err != nil {
		return calibrated, nil, nil, err
	}
	t := after.Tally()
	return calibrated, &calibrationRecord{how, calibrated.Temperature, t.Documents(), metricsOf(before.Tally()), metricsOf(t)}, after, nil
}

// manyGiven is how many of the examples held out are expected to break a goal at its rate, where there are enough.
const manyGiven = 10

// scoresHeldOut returns what em says of each example, fitted to others.
func (t *Trainer) scoresHeldOut(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel) (*eval.Scores, error) {
	if t.known > 0 {
		return t.scoresKnown(cmd, c, em)
	}
	// Without folds, each example is left out by itself.
	var fold []int
	if c.Refits(em) {
		var err error
		k := min(t.folds(), max(calibrationFolds, largestOf(c)))
		if fold, err = eval.SomeFolds(eval.Labels(c), k, calibrationSeed, t.enoughHeldOut(c, em)); err != nil {
			return nil, fmt.Errorf("%s: %w", cmp.Or(t.GoalFlag(), "--calibrate"), err)
		}
	}
	return eval.CrossValidate(cmd.Context(), c, fold, em)
}

// enoughHeldOut returns how many examples of c have to be held out: all, unless corrections are learned, which takes
// longer than all else.
func (t *Trainer) enoughHeldOut(c *bayes.Corpus, em bayes.EventModel) int {
	if bayes.WithoutCorrection(em).String() == em.String() {
		return c.Len()
	}
	return max(eval.Enough, t.goals.enough(eval.Labels(c)))
}

// calibrated returns s with the calibration under which examples held out are most
// probable, none if none helps, and what it says of them, which may be known before. It leaves --calibrate as it is, if
// that is given, and is not decided by a few examples.
func (a *App) calibrated(cmd *cobra.Command, t *Trainer, s setting, examples []bayes.Example, before *eval.Scores) (setting, *eval.Scores, error) {
	const enough, enoughIsotonic = 20, 1000 // a function needs more than a number
	with := s.on(t)
	space, err := with.spaceWithIDF(cmd)
	if err != nil || cmd.Flags().Changed("calibrate") || len(examples) < enough || largestClass(examples) == len(examples) {
		return s, nil, err
	}
	em, err := with.EventModel(cmd)
	if err != nil {
		return s, nil, err
	}
	if before == nil {
		c, err := bayes.ReadCorpus(cmd.Context(), space, streamOf(examples), nil)
		if err != nil {
			return s, nil, err
		}
		if c.Refits(em) && largestOf(c) < calibrationFolds {
			return s, nil, nil // too few for the folds that others are held out in
		}
		if before, err = t.scoresHeldOut(cmd, c, em); err != nil {
			return s, nil, err
		}
	}
	least := before.Tally().LogLoss()
	for _, how := range []eval.Calibration{eval.Temperature, eval.Isotonic} {
		if how == eval.Isotonic && len(examples) < enoughIsotonic {
			break
		}
		after, err := before.CrossCalibrate(how)
		if err != nil {
			return s, nil, err
		}
		if loss := after.Tally().LogLoss(); loss < least {
			least, s.calibrate = loss, string(how)
		}
	}
	return s, before, nil
}

// largestClass returns how many examples the largest class has.
func largestClass(examples []bayes.Example) int {
	_, largest := classSizes(examples)
	return largest
}

// classSizes returns how many classes there are, and how many examples the largest has.
func classSizes(examples []bayes.Example) (classes, largest int) {
	n := make(map[string]int)
	for _, ex := range examples {
		n[ex.Label]++
		largest = max(largest, n[ex.Label])
	}
	return len(n), largest
}
