package eval

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"bayes"
)

// A Progress is how a model did that predicted each example before it learned it.
type Progress struct {
	Tally  *Tally          // of all predictions
	Labels []string        // those of the examples, sorted
	Curve  []ProgressPoint // the last is of all examples
	Model  *bayes.Model    // that has learned all
}

// A ProgressPoint is what a Progress had come to.
type ProgressPoint struct {
	Documents    int64   // learned
	Predicted    int64   // of these, all but the first, which there is no model for
	Wrong        []int64 // predicted wrongly, by true label: of mail, ham lost and spam missed
	Accuracy     float64 // of those that were predicted
	OneMinusROCA float64 // of two labels: see [Ranking]
	HasROCA      bool
}

// curvePoints is how many points a curve has.
const curvePoints = 100

// Progressive predicts each example and then learns it, in their order, as a filter does that is
// corrected after each message. So all examples test the model, and each is predicted by what came before
// it alone (progressive validation: Blum, Kalai and Langford 1999). It calls visit, unless that is nil,
// with each prediction.
//
// A correction is learned anew whenever there are a quarter more examples, or, of two classes, of the rarer
// one. The space has no IDF: that
// would be of later examples too.
func Progressive(ctx context.Context, s *bayes.Space, em bayes.EventModel, examples []bayes.Example, visit func(bayes.Result)) (*Progress, error) {
	p := &Progress{Tally: new(Tally), Labels: labelsOf(examples)}
	l := learner{counts: bayes.NewCounts(s), em: em}
	wrong, step := make([]int64, len(p.Labels)), (len(examples)+curvePoints-1)/curvePoints
	for i, ex := range examples {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l.model != nil {
			prediction := l.model.Predict(ex.Document())
			p.Tally.Observe(prediction, ex.Label)
			if prediction.Answer().Class != ex.Label {
				k, _ := slices.BinarySearch(p.Labels, ex.Label)
				wrong[k]++
			}
			if visit != nil {
				visit(bayes.Result{Example: ex, Prediction: prediction})
			}
		}
		if err := l.learn(ctx, examples[:i+1]); err != nil {
			return nil, fmt.Errorf("after %d examples: %w", i+1, err)
		}
		if n := i + 1; n%step == 0 || n == len(examples) {
			p.Curve = append(p.Curve, p.Tally.progress(int64(n), slices.Clone(wrong)))
		}
	}
	p.Model = l.model
	return p, nil
}

// labelsOf returns the labels of examples, each once, sorted.
func labelsOf(examples []bayes.Example) []string {
	var labels []string
	for _, ex := range examples {
		if i, ok := slices.BinarySearch(labels, ex.Label); !ok {
			labels = slices.Insert(labels, i, ex.Label)
		}
	}
	return labels
}

// A learner is a model that learns an example at a time.
type learner struct {
	counts *bayes.Counts
	em     bayes.EventModel
	model  *bayes.Model
	all    int64 // examples from which on a correction is learned anew
	rarer  int64 // and those of the rarer of two classes
}

// learn adds the last of the examples; all others are learned.
func (l *learner) learn(ctx context.Context, examples []bayes.Example) (err error) {
	l.counts.Learn(examples[len(examples)-1])
	em := l.em
	switch {
	case len(l.counts.Classes()) < 2:
		em = bayes.WithoutCorrection(em)
	case corrects(em) && l.due():
		if em, err = correctedOn(ctx, l.counts, em, seqOf(examples)); err != nil {
			return err
		}
		l.em = em
	}
	if len(l.counts.Classes()) == 0 {
		return nil // an example without a label
	}
	l.model, err = bayes.Fit(l.counts, em)
	return err
}

// due reports whether a correction is to be learned anew, and assumes that it is: there are a quarter more
// examples, or, of two classes, of the rarer one. Spam may come long before the first ham.
func (l *learner) due() bool {
	all, rarer := l.counts.Examples(), int64(math.MaxInt64)
	for _, class := range l.counts.Classes() {
		n, _ := l.counts.Class(class)
		rarer = min(rarer, n)
	}
	if all < l.all && (rarer < l.rarer || len(l.counts.Classes()) > 2) {
		return false
	}
	l.all, l.rarer = all+max(1, all/4), rarer+max(1, rarer/4)
	return true
}

// seqOf returns examples as a stream.
func seqOf(examples []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range examples {
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// progress returns what t has come to.
func (t *Tally) progress(learned int64, wrong []int64) ProgressPoint {
	p := ProgressPoint{Documents: learned, Predicted: t.Documents(), Wrong: wrong}
	p.Accuracy, _, _ = t.Accuracy()
	if r, ok := t.Ranking(); ok {
		p.OneMinusROCA, p.HasROCA = r.OneMinusROCA, true
	}
	return p
}
