package bayes

import "iter"

// A Result is an example and what a model predicts for it.
type Result struct {
	Example
	Prediction
}

// PredictAll predicts a stream of examples on several cores and yields them in
// the order in which they came; their labels are not looked at. An error of the
// stream is yielded in its place, and ranging may go on. Zero workers mean
// GOMAXPROCS.
func (m *Model) PredictAll(examples iter.Seq2[Example, error], workers int) iter.Seq2[Result, error] {
	predict := func(j *job[[]Prediction]) {
		j.result = make([]Prediction, len(j.examples))
		for i, ex := range j.examples {
			if j.errs[i] == nil {
				j.result[i] = m.Predict(ex.Document())
			}
		}
	}
	return func(yield func(Result, error) bool) {
		for j := range inOrder(examples, workers, func() func(*job[[]Prediction]) { return predict }) {
			for i, ex := range j.examples {
				if !yield(Result{ex, j.result[i]}, j.errs[i]) {
					return
				}
			}
		}
	}
}
