package cli

import (
	"bayes"
	"bayes/eval"
)

// addWords adds to each listed row the features that tell most for the suggestion, by a model of the rows that are not listed.
func (x *auditing) addWords(listed []eval.Doubt) error {
	em, counts := bayes.WithoutCorrection(x.em), x.corpus.Counts()
	if !x.corpus.Refits(em) { // or else rows cannot be taken off
		x.takeOff(counts, listed)
	}
	m, err := bayes.Fit(counts, em)
	if err != nil {
		return err
	}
	const most = 3
	for n, d := range listed {
		x.listed[n].why = m.ExplainAgainst(x.examples[d.Example].Document(), d.Suggested, d.Label)
		for _, c := range x.listed[n].why.Features {
			if c.LogOdds > 0 && len(x.listed[n].Words) < most {
				x.listed[n].Words = append(x.listed[n].Words, c.Name())
			}
		}
	}
	return nil
}

// takeOff takes rows off counts, unless they are all that their class has.
func (x *auditing) takeOff(counts *bayes.Counts, listed []eval.Doubt) {
	left := make(map[string]int)
	for _, ex := range x.examples {
		left[ex.Label]++
	}
	for _, d := range listed {
		left[d.Label]--
	}
	for _, d := range listed {
		if left[d.Label] > 0 {
			counts.Unlearn(x.examples[d.Example])
		}
	}
}
