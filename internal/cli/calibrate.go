package cli

import (
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
// example by itself would take a new model for each.
const calibrationFolds = 5

// calibrate calibrates em by what it says of examples held out.
func calibrate(cmd *cobra.Command, c *bayes.Corpus, em bayes.EventModel, how eval.Calibration) (bayes.EventModel, *calibrationRecord, error) {
	// Without folds, each example is left out by itself.
	var fold []int
	if c.Refits(em) {
		var err error
		if fold, err = eval.StratifiedFolds(eval.Labels(c), calibrationFolds, true, 1); err != nil {
			return nil, nil, err
		}
	}
	before, err := eval.CrossValidate(cmd.Context(), c, fold, em)
	if err != nil {
		return nil, nil, err
	}
	calibrated, err := before.Calibrate(em, how)
	if err != nil {
		return nil, nil, err
	}
	// What is reported is of predictions that are calibrated by the others: the
	// calibration that is kept has seen all of them.
	after, err := before.CrossCalibrate(how)
	if err != nil {
		return nil, nil, err
	}
	t := after.Tally()
	return calibrated, &calibrationRecord{how, calibrated.Temperature, t.Documents(), metricsOf(before.Tally()), metricsOf(t)}, nil
}
