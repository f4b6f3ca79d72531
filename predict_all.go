package bayes

import (
	"iter"

	"bayes/internal/parallel"
)

// A Result is an example and what a model predicts for it.
type Result struct {
	Example
	Prediction
}

// PredictAll predicts a stream of examples on several cores and yields them in the order in
// which they came; their labels are not looked at. An error of the stream is yielded in its
// place, and ranging may go on. Zero workers mean GOMAXPROCS.
func (m *Model) PredictAll(examples iter.Seq2[Example, error], workers int) iter.Seq2[Result, error] {
	type job struct {
		*batch
		predictions []Prediction
	}
	jobs := func(yield func(*job) bool) {
		for b := range batches(examples) {
			if !yield(&job{b, make([]Prediction, len(b.examples))}) {
				return
			}
		}
	}
	// Batches are predicted in any order. Ordered gives them back in that of the stream.
	predict := func(j *job) {
		for i, ex := range j.examples {
			if j.errs[i] == nil {
				j.predictions[i] = m.Predict(ex.Document())
			}
		}
	}
	return func(yield func(Result, error) bool) {
		for j := range parallel.Ordered(jobs, workers, func() func(*job) { return predict }) {
			for i, ex := range j.examples {
				if !yield(Result{ex, j.predictions[i]}, j.errs[i]) {
					return
				}
			}
		}
	}
}
