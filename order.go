package bayes

import (
	"iter"
	"runtime"
)

// A job is a batch of examples on its way through a worker, and what becomes of
// it.
type job[R any] struct {
	examples []Example
	errs     []error // of the stream, in place of examples
	bytes    int
	result   R
	done     chan struct{}
}

// inOrder has workers, each made by worker, work on batches of a stream, and
// yields the batches in the order in which they came. Zero workers mean
// GOMAXPROCS.
func inOrder[R any](examples iter.Seq2[Example, error], workers int, worker func() func(*job[R])) iter.Seq[*job[R]] {
	workers = orAll(workers)
	return func(yield func(*job[R]) bool) {
		stop := make(chan struct{})
		defer close(stop)
		queue := make(chan *job[R], 2*workers)
		jobs := make(chan *job[R], 2*workers)
		go func() {
			defer close(queue)
			defer close(jobs)
			enqueue(examples, func(j *job[R]) bool {
				select {
				case queue <- j:
					jobs <- j
					return true
				case <-stop:
					return false
				}
			})
		}()
		for range workers {
			work := worker()
			go func() {
				for j := range jobs {
					work(j)
					close(j.done)
				}
			}()
		}
		for j := range queue {
			<-j.done
			if !yield(j) {
				return
			}
		}
	}
}

// orAll returns the number of workers, of which zero means all cores.
func orAll(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}

// enqueue cuts the examples into batches.
func enqueue[R any](examples iter.Seq2[Example, error], send func(*job[R]) bool) {
	const batchBytes, batchExamples = 64 << 10, 512
	next := func(n int) *job[R] {
		return &job[R]{examples: make([]Example, 0, n), errs: make([]error, 0, n), done: make(chan struct{})}
	}
	j := next(0)
	for ex, err := range examples {
		j.examples = append(j.examples, ex)
		j.errs = append(j.errs, err)
		if j.bytes += len(ex.Text); j.bytes >= batchBytes || len(j.examples) == batchExamples {
			if !send(j) {
				return
			}
			j = next(len(j.examples))
		}
	}
	send(j)
}
