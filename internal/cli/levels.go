package cli

import (
	"fmt"

	"bayes/eval"
)

// A levelRecord is a level of a tree of labels in JSON.
type levelRecord struct {
	Level            int       `json:"level"`
	Labels           int       `json:"labels"`
	Accuracy         float64   `json:"accuracy"`
	AccuracyInterval []float64 `json:"accuracy_interval"`
	CutAccuracy      float64   `json:"cut_accuracy"` // of the whole labels predicted, cut to the level
	MacroF1          float64   `json:"macro_f1"`
	LogLoss          float64   `json:"log_loss"`
}

func levelRecords(t *eval.Tally, separator string) []levelRecord {
	var list []levelRecord
	for _, l := range t.Levels(separator) {
		accuracy, low, high := l.Accuracy()
		list = append(list, levelRecord{
			l.Level, len(l.Labels()), accuracy, []float64{low, high},
			float64(l.Cut) / float64(max(1, l.Documents())), l.MacroF1(), l.LogLoss(),
		})
	}
	return list
}

// printLevels prints how good predictions are at each level of a tree of labels, if there is one.
func (a *App) printLevels(t *eval.Tally, separator string) {
	if separator == "" {
		return
	}
	rows := [][]string{{"level", "labels", "accuracy", "95 % interval", "of whole labels, cut", "macro F1"}}
	for _, l := range levelRecords(t, separator) {
		rows = append(rows, []string{
			fmt.Sprint(l.Level), Count(l.Labels), fmt.Sprintf("%.4f", l.Accuracy), fmt.Sprintf("%.4f to %.4f", l.AccuracyInterval[0], l.AccuracyInterval[1]),
			fmt.Sprintf("%.4f", l.CutAccuracy), fmt.Sprintf("%.4f", l.MacroF1),
		})
	}
	table(a.stdout, rows)
	fmt.Fprintln(a.stdout)
}
