package cli

import (
	"slices"

	"bayes"
	"bayes/eval"
	"bayes/internal/labelset"
)

// several reports whether documents may have several labels.
func several(m *bayes.Model) bool { return m.Space().LabelSeparator != "" }

// labelsOf returns the labels in a set of s, or the label itself where each document has one.
func labelsOf(s *bayes.Space, label string) []string {
	if s.LabelSeparator == "" {
		return []string{label}
	}
	return labelset.Split(label, s.LabelSeparator)
}

// strata returns what k folds of c are stratified by: the label of each example, or of several the rarest, so that folds
// share what is rare; nothing where that is too rare.
func strata(c *bayes.Corpus, k int) []string {
	labels := eval.Labels(c)
	if c.Space().LabelSeparator == "" {
		return labels
	}
	examples := make(map[string]int)
	for _, set := range labels {
		for _, label := range labelsOf(c.Space(), set) {
			examples[label]++
		}
	}
	largest, sizes := 0, make(map[string]int)
	for i, set := range labels {
		of := labelsOf(c.Space(), set)
		if labels[i] = ""; len(of) > 0 {
			labels[i] = slices.MinFunc(of, func(a, b string) int { return examples[a] - examples[b] })
		}
		sizes[labels[i]]++
		largest = max(largest, sizes[labels[i]])
	}
	if largest < k {
		clear(labels)
	}
	return labels
}

// isRight reports whether p answers with a label, or with all labels of a set and no other.
func isRight(s *bayes.Space, p bayes.Prediction, label string) bool {
	if s.LabelSeparator != "" {
		return slices.Equal(p.Labels, labelsOf(s, label))
	}
	return p.Answer().Class == label
}
