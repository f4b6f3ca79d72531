package answer

import (
	"cmp"
	"slices"

	"bayes"
)

// An answer has all classes of a model, unless there are more than [Many]: then it has the
// [Few] most probable, since a list of ten thousand helps nobody. Whoever asks for a number of
// classes gets that many.
const (
	Many = 1000
	Few  = 10
)

// Top returns how many of n classes an answer has where top are asked for, or zero if none
// has said.
func Top(n, top int) int {
	switch {
	case top > 0:
		return min(top, n)
	case n > Many:
		return Few
	}
	return n
}

// Most returns how many classes have to be predicted for an answer where top are asked for.
func Most(top int) int {
	if top > 0 {
		return top
	}
	return Many
}

// DerivationOf returns der with some of its classes alone, such as the labels that a document is given.
func DerivationOf(der *bayes.Derivation, labels []string) *bayes.Derivation {
	some := *der
	some.Classes = slices.DeleteFunc(slices.Clone(der.Classes), func(c bayes.ClassDerivation) bool { return !slices.Contains(labels, c.Class) })
	return &some
}

// TopDerivation returns der with the top most probable classes alone, in their order, and how
// many are left out: see [Top].
func TopDerivation(der *bayes.Derivation, top int) (few *bayes.Derivation, leftOut int) {
	classes := der.Classes
	if top = Top(len(classes), top); top == len(classes) {
		return der, 0
	}
	order := make([]int, len(classes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(classes[b].P, classes[a].P), cmp.Compare(classes[b].LogJoint, classes[a].LogJoint))
	})
	cut := *der
	cut.Classes = nil
	for _, k := range slices.Sorted(slices.Values(order[:top])) {
		cut.Classes = append(cut.Classes, classes[k])
	}
	return &cut, len(classes) - top
}
