package eval

import (
	"context"
	"errors"
	"fmt"

	"bayes"
	"bayes/internal/typicality"

	"gonum.org/v1/gonum/floats"
)

// CrossValidateKnown is [CrossValidate] of an event model that is not calibrated, with what
// [Scores.Known] needs. No models are scored together, and a nil fold fits one for each example.
func CrossValidateKnown(ctx context.Context, c *bayes.Corpus, fold []int, em bayes.EventModel) (*Scores, error) {
	s := newScores(c, fold)
	s.evidence = make([]typicality.Evidence, c.Len())
	ems := []bayes.EventModel{bayes.Calibrated{Model: em, Known: 0.5}} // any share makes it say what it rests on
	err := heldOut(ctx, c, fold, ems, func(h *bayes.HeldOutScores) {
		copy(s.LogP(h.Example), h.LogP(0))
		e := &s.evidence[h.Example]
		e.Margin, e.Unknown = h.Evidence(0)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Known returns em with what tells documents of the known classes from foreign ones, by what it said of
// examples held out: of documents like them, this share in (0,1) is known, and the least typical of
// each predicted class are foreign. Classes that fewer examples were given than can show such a share, 19 for
// 0.95, are pooled; of fewer than that in all no document is foreign. The error says that s has no evidence, or
// what is wrong with the share.
func (s *Scores) Known(em bayes.Calibrated, share float64) (bayes.Calibrated, error) {
	if !(share > 0 && share < 1) {
		return em, fmt.Errorf("known %v: want a share between 0 and 1", share)
	}
	if s.evidence == nil {
		return em, errors.New("the scores do not say how typical examples are: want those of CrossValidateKnown")
	}
	var held []typicality.Evidence
	for _, i := range s.tested() {
		held = append(held, s.evidence[i])
	}
	em.Known, em.Unfamiliar = share, round(typicality.Weight(held), 6)
	scores := make(map[string][]float64)
	for _, i := range s.tested() {
		class := s.best(i)
		scores[class] = append(scores[class], s.evidence[i].Score(em.Unfamiliar))
	}
	em.Typical = typicality.New[bayes.Point](scores, 1-share)
	return em, nil
}

// best returns the most probable class of example i.
func (s *Scores) best(i int) string { return s.Classes[floats.MaxIdx(s.LogP(i))] }

// CrossKnown returns s with the typicality of each example by what the other four fifths of the examples
// say, so that what is measured of it is not what it was set by.
func (s *Scores) CrossKnown(share float64) (*Scores, error) {
	after := s.clone()
	after.typicality, after.foreign = make([]float64, len(s.Truth)), make([]bool, len(s.Truth))
	err := s.crossed(func(others *Scores, part []int) error {
		em, err := others.Known(bayes.Calibrated{}, share)
		if err != nil {
			return err
		}
		for _, i := range part {
			p := typicality.Table[bayes.Point](em.Typical).P(s.best(i), s.evidence[i].Score(em.Unfamiliar))
			after.typicality[i], after.foreign[i] = p, typicality.Foreign(p, share)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// Foreign says how many predictions are foreign: see [bayes.Prediction].
type Foreign struct {
	Known    int64   // documents of labels that the model knows,
	Alarms   int64   // and how many of them are foreign
	Others   int64   // documents of other labels,
	Found    int64   // and how many of them are foreign
	Accuracy float64 // the share of those that are not foreign that is right, in [0,1]
}

// Foreign returns how many predictions are foreign, of labels that are among classes and of others.
func (t *Tally) Foreign(classes []string) (f Foreign) {
	known := make(map[string]bool)
	for _, class := range classes {
		known[class] = true
	}
	var right, rest int64
	for _, r := range t.rows {
		documents, foreign := &f.Known, &f.Alarms
		if !known[t.labels[r.truth]] {
			documents, foreign = &f.Others, &f.Found
		}
		*documents++
		if r.foreign {
			*foreign++
			continue
		}
		if rest++; r.truth == r.best {
			right++
		}
	}
	f.Accuracy = ratio(float64(right), float64(rest))
	return f
}
