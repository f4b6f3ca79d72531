package cli

import (
	"bayes"
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
