package bayes

import (
	"bayes/internal/wire"
	"context"
	"math"
	"slices"

	"bayes/feature"
	"bayes/internal/correction"
)

// SetPartRows sets how many rows are encoded at a time, and returns how many were.
func SetPartRows(n int) (before int) {
	before, wire.PartRows = wire.PartRows, n
	return before
}

// SetTolerance sets how far corrections may be off the best ones, and returns what it was.
func SetTolerance(v float64) (before float64) {
	before, tolerance = tolerance, v
	return before
}

// Scores returns how much each feature of c's main text tells of the class, by
// feature. The error is [ErrEmpty] or [ErrNegative].
func Scores(c *Counts, score feature.Score) (map[string]float64, error) {
	blocks, err := collect(c)
	if err != nil {
		return nil, err
	}
	s := blocks[0]
	scores := make(map[string]float64)
	for _, i := range s.existing() {
		scores[string(s.index.Bytes(i))] = score.Of(s.observed(i, score.OfPresence()), s.weight)
	}
	return scores, nil
}

// AnswersOf calls visit with what em, with the correction that the examples of other folds teach it, says of
// each example of fold f, by a model fitted to the counts of the others.
func AnswersOf(c *Corpus, fold []int, f int, em EventModel, visit func(i int, logP []float64)) error {
	var members []int
	for i := range fold {
		if fold[i] == f {
			members = append(members, i)
		}
	}
	part := c.without(fold, f, members, new(workspace))
	em, err := em.(recorrected).withCorrection(func(m Corrected) (*Correction, error) {
		l, err := c.newBaseLearner(part, m)
		if err != nil {
			return nil, err
		}
		var learned *Correction
		err = l.Learn(context.Background(), []correction.Options{m.learning()}, func(_ int, m *correction.Machines) error {
			learned = &Correction{m.Data().Encode()}
			return nil
		})
		return learned, err
	})
	if err != nil {
		return err
	}
	m, err := Fit(part.counts, em)
	if err != nil {
		return err
	}
	positions := c.positions(m.labels())
	for _, i := range members {
		var x features
		c.fill(i, &x, part.idf)
		logP := make([]float64, len(c.Classes()))
		for k := range logP {
			logP[k] = math.Inf(-1)
		}
		joint, _ := m.appendJoint(nil, &x)
		m.posterior(joint)
		for k, p := range joint {
			logP[positions[k]] = p
		}
		visit(i, logP)
	}
	return nil
}

// EvidenceOf returns what the typicality of d rests on.
func (m *Model) EvidenceOf(d Document) (margin, unknown float64) {
	e := newExtractor(m.space)
	x := e.extract(d)
	joint, known := m.appendJoint(nil, x)
	of := m.evidence(m.space, joint, slices.Index(joint, slices.Max(joint)), x, known)
	return of.Margin, of.Unknown
}
