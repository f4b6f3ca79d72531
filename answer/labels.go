package answer

import (
	"slices"
	"strconv"
	"strings"

	"bayes"
	"bayes/internal/labelset"
)

// Labels returns the labels that p gives, where a document may have several, without those less probable than a
// threshold. It returns nil where each has one.
func Labels(p bayes.Prediction, threshold float64) []string {
	if p.Labels == nil || threshold <= 0 {
		return p.Labels
	}
	labels := []string{}
	for _, c := range p.Classes {
		if c.P >= threshold && slices.Contains(p.Labels, c.Class) {
			labels = append(labels, c.Class)
		}
	}
	slices.Sort(labels)
	return labels
}

// LabelSet returns the labels of [Labels] with the separator of m between them, and the probability of each, in the same
// order, as [strconv.FormatFloat] has six digits of it. Both are empty if there are none.
func LabelSet(m *bayes.Model, p bayes.Prediction, threshold float64) (set, probabilities string) {
	labels := Labels(p, threshold)
	if len(labels) == 0 {
		return "", ""
	}
	list := make([]string, len(labels))
	for _, c := range p.Classes {
		if i, ok := slices.BinarySearch(labels, c.Class); ok {
			list[i] = strconv.FormatFloat(c.P, 'g', 6, 64)
		}
	}
	return labelset.Join(labels, m.Space().LabelSeparator), strings.Join(list, " ")
}

// AgainstRest returns ex with a name for what its class is compared with, where a document may have several labels and
// that is the rest.
func AgainstRest(ex *bayes.Explanation) *bayes.Explanation {
	if ex.Labels == nil || ex.Against != "" {
		return ex
	}
	named := *ex
	named.Against = "the rest"
	return &named
}
