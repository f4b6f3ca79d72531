package cli

import (
	"slices"

	"bayes"
)

// addWords adds to each listed row the features that tell most for the suggestion, by a model of the rows that are not listed.
func (x *auditing) addWords() error {
	em, counts := bayes.WithoutCorrection(x.em), x.corpus.Counts()
	if !x.corpus.Refits(em) { // or else rows cannot be taken off
		x.takeOff(counts)
	}
	m, err := bayes.Fit(counts, em)
	if err != nil {
		return err
	}
	for _, r := range x.listed {
		r.explain(m.ExplainAgainst(x.examples[r.example].Document(), r.Suggested, r.Label))
	}
	return nil
}

// explain adds evidence for what is suggested, and its first words; nil is none.
func (r *auditedRow) explain(why *bayes.Explanation) {
	const most = 3
	if r.why = why; why == nil {
		return
	}
	for _, c := range why.Features {
		if c.LogOdds > 0 && len(r.Words) < most {
			r.Words = append(r.Words, c.Name())
		}
	}
}

// takeOff takes the listed rows off counts, unless they are all that a label has.
func (x *auditing) takeOff(counts *bayes.Counts) {
	left := make(map[string]int)
	for _, ex := range x.examples {
		for _, label := range labelsOf(x.space, ex.Label) {
			left[label]++
		}
	}
	for _, r := range x.listed {
		for _, label := range labelsOf(x.space, r.Label) {
			left[label]--
		}
	}
	for _, r := range x.listed {
		if !slices.ContainsFunc(labelsOf(x.space, r.Label), func(label string) bool { return left[label] == 0 }) {
			counts.Unlearn(x.examples[r.example])
		}
	}
}
