package report

import "bayes/eval"

// A levelRow is how good predictions are at a level of a tree of labels.
type levelRow struct {
	Level    int
	Labels   int64
	Accuracy eval.Interval
	Cut      float64 // accuracy of the whole labels that were predicted, cut to the level
	MacroF1  float64
}

// levelRows returns the levels of a tree of labels, none if the separator is empty.
func levelRows(t *eval.Tally, separator string) []levelRow {
	if separator == "" {
		return nil
	}
	var rows []levelRow
	for _, l := range t.Levels(separator) {
		p, low, high := l.Accuracy()
		rows = append(rows, levelRow{
			l.Level, int64(len(l.Labels())), eval.Interval{Value: p, Low: low, High: high},
			float64(l.Cut) / float64(max(1, l.Documents())), l.MacroF1(),
		})
	}
	return rows
}
