package eval

import (
	"fmt"
	"maps"
	"slices"

	"bayes"
)

// A Kept says how a rate that a model promises of a label is kept by the documents of a test.
type Kept struct {
	Label     string
	Recall    bool    // whether it is the share of its own documents that is given the label, rather than of others
	Promise   float64 // at least, if it is, else at most
	Documents int     // of the label, or of others
	Given     int     // those that are given it
}

// Share returns the share that is given the label, 0 of no documents.
func (k Kept) Share() float64 { return ratio(float64(k.Given), float64(k.Documents)) }

// Of says what the documents are: of its own, or of other labels.
func (k Kept) Of() string {
	if k.Recall {
		return "of its own"
	}
	return "of other labels"
}

// Promised returns the promise in words.
func (k Kept) Promised() string {
	if k.Recall {
		return fmt.Sprintf("at least %v", k.Promise)
	}
	return fmt.Sprintf("at most %v", k.Promise)
}

// Kept returns how t keeps the promises of em, sorted by label.
func (t *Tally) Kept(em bayes.Calibrated) []Kept {
	var list []Kept
	for _, label := range slices.Sorted(maps.Keys(em.Promises)) {
		k := Kept{Label: label, Promise: em.Promises[label]}
		_, k.Recall = em.Overrides[label]
		number, known := t.index[label]
		for _, r := range t.rows {
			if own := known && r.truth == int32(number); own != k.Recall {
				continue
			}
			k.Documents++
			if known && r.best == int32(number) && !r.unsure && !r.foreign {
				k.Given++
			}
		}
		list = append(list, k)
	}
	return list
}

// CostOf returns what the answers of t cost by the costs of em, and false if it has none: see [Tally.Cost].
func (t *Tally) CostOf(em bayes.Calibrated) (Interval, bool) {
	if len(em.Costs)+len(em.Reject) == 0 {
		return Interval{}, false
	}
	return t.Cost(em.Costs, em.Reject), true
}
