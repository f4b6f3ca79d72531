package eval

import (
	"cmp"
	"fmt"
	"slices"

	"bayes"
)

// A Metric is what [Search] makes as good as it can be. The zero value is [ByAccuracy].
type Metric string

// The metrics, and what decides between trials that are equal by them.
const (
	ByAccuracy Metric = "accuracy" // the most; then the least log loss
	ByMacroF1  Metric = "macro-f1" // the most; then the least log loss
	ByLogLoss  Metric = "log-loss" // the least; then the most accuracy
)

// ParseMetric returns the metric called name.
func ParseMetric(name string) (Metric, error) {
	if m := Metric(name); slices.Contains([]Metric{ByAccuracy, ByMacroF1, ByLogLoss}, m) {
		return m, nil
	}
	return "", fmt.Errorf("unknown metric %q: want accuracy, macro-f1 or log-loss", name)
}

// Compare returns a number below 0 if x is better than y, and above 0 if it is worse.
func (m Metric) Compare(x, y Trial) int {
	less := cmp.Compare(x.LogLoss, y.LogLoss)
	switch m {
	case ByMacroF1:
		return cmp.Or(cmp.Compare(y.MacroF1, x.MacroF1), less)
	case ByLogLoss:
		return cmp.Or(less, cmp.Compare(y.Accuracy, x.Accuracy))
	}
	return cmp.Or(cmp.Compare(y.Accuracy, x.Accuracy), less)
}

// truths returns the place of each example's label among the classes of c.
func truths(c *bayes.Corpus) []int {
	classes, list := c.Classes(), make([]int, c.Len())
	for i := range list {
		list[i], _ = slices.BinarySearch(classes, c.Label(i))
	}
	return list
}

// observe counts what an event model holds an example of class truth to be: the most
// probable class, and of equal ones the first.
func (list outcomes) observe(logP []float64, truth int) {
	best := 0
	for k, p := range logP {
		if p > logP[best] {
			best = k
		}
	}
	list.count(truth, best, 1)
}
