package bayes

import (
	"iter"
	"runtime"
)

// A Scored is an example and what a model predicts for it.
type Scored struct {
	Example
	Prediction
}

// PredictAll predicts a stream of examples on several cores and yields them in
// the order in which they came; their labels are not looked at. An error of the
// stream is yielded in its place, and ranging may go on. Zero workers mean
// GOMAXPROCS.
func (m *Model) PredictAll(examples iter.Seq2[Example, error], workers int) iter.Seq2[Scored, error] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Scored, error) bool) {
		stop := make(chan struct{})
		defer close(stop)
		queue := make(chan *scoring, 2*workers) // in order
		jobs := make(chan *scoring, 2*workers)
		go func() {
			defer close(queue)
			defer close(jobs)
			enqueue(examples, func(s *scoring) bool {
				select {
				case queue <- s:
					jobs <- s
					return true
				case <-stop:
					return false
				}
			})
		}()
		for range workers {
			go func() {
				for s := range jobs {
					s.run(m)
				}
			}()
		}
		for s := range queue {
			<-s.done
			for i := range s.scored {
				if !yield(s.scored[i], s.errs[i]) {
					return
				}
			}
		}
	}
}

// A scoring is a batch of examples on its way through a worker.
type scoring struct {
	scored []Scored
	errs   []error
	bytes  int
	done   chan struct{}
}

func newScoring() *scoring { return &scoring{done: make(chan struct{})} }

func (s *scoring) run(m *Model) {
	for i := range s.scored {
		if s.errs[i] == nil {
			s.scored[i].Prediction = m.Predict(s.scored[i].Document())
		}
	}
	close(s.done)
}

// enqueue cuts the examples into batches.
func enqueue(examples iter.Seq2[Example, error], send func(*scoring) bool) {
	const batchBytes, batchExamples = 64 << 10, 512
	s := newScoring()
	for ex, err := range examples {
		s.scored = append(s.scored, Scored{Example: ex})
		s.errs = append(s.errs, err)
		if s.bytes += len(ex.Text); s.bytes >= batchBytes || len(s.scored) == batchExamples {
			if !send(s) {
				return
			}
			s = newScoring()
		}
	}
	send(s)
}
