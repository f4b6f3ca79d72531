// Package parallel has loops run on all cores.
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Workers returns n, or, if n is not positive, GOMAXPROCS.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// For calls f for the numbers from 0 to n-1, chunk of them at a time, on all cores, and
// returns when all calls have.
func For(n, chunk int, f func(from, to int)) {
	var wg sync.WaitGroup
	cores := make(chan struct{}, Workers(0))
	for from := 0; from < n; from += chunk {
		cores <- struct{}{}
		wg.Go(func() {
			f(from, min(from+chunk, n))
			<-cores
		})
	}
	wg.Wait()
}

// Ordered has workers work on jobs, several at a time, and yields the jobs in the order in
// which they came. Each worker, made by worker, is for one goroutine. It reads at most four
// jobs for each worker ahead, and stops the jobs when ranging stops.
func Ordered[J any](jobs iter.Seq[J], workers int, worker func() func(J)) iter.Seq[J] {
	type task struct {
		job  J
		done chan struct{}
	}
	return func(yield func(J) bool) {
		workers := Workers(workers)
		stop := make(chan struct{})
		defer close(stop)
		// Each job goes to a worker, and to the queue, which keeps the order.
		queue, work := make(chan task, 2*workers), make(chan task, 2*workers)
		go func() {
			defer close(queue)
			defer close(work)
			for job := range jobs {
				t := task{job, make(chan struct{})}
				select {
				case queue <- t:
					work <- t
				case <-stop:
					return
				}
			}
		}()
		for range workers {
			f := worker()
			go func() {
				for t := range work {
					f(t.job)
					close(t.done)
				}
			}()
		}
		for t := range queue {
			<-t.done
			if !yield(t.job) {
				return
			}
		}
	}
}

// A Pool runs tasks and parts of tasks, each on all cores: as many tasks as there are cores
// go on at a time, and as many parts of all of them together. It stops at the first error.
type Pool struct {
	ctx   context.Context
	tasks chan struct{}
	parts chan struct{}
	wg    sync.WaitGroup
	mu    sync.Mutex
	err   error
}

// NewPool returns a Pool that begins nothing more once ctx is done.
func NewPool(ctx context.Context) *Pool { return NewPoolOf(ctx, 0) }

// NewPoolOf returns a Pool of n cores, or all if n is not positive.
func NewPoolOf(ctx context.Context, n int) *Pool {
	n = Workers(n)
	return &Pool{ctx: ctx, tasks: make(chan struct{}, n), parts: make(chan struct{}, n)}
}

// Serial has tasks run one after the other, if each of them needs much memory.
func (p *Pool) Serial() { p.tasks = make(chan struct{}, 1) }

// Go runs a task as soon as there is room for it.
func (p *Pool) Go(task func() error) {
	p.tasks <- struct{}{}
	p.wg.Go(func() {
		defer func() { <-p.tasks }()
		if p.stopped() {
			return
		}
		if err := task(); err != nil {
			p.Fail(err)
		}
	})
}

// Part runs f on the numbers from 0 to n-1, chunk of them at a time, and returns when all
// calls have. A task may call it.
func (p *Pool) Part(n, chunk int, f func(from, to int)) {
	var wg sync.WaitGroup
	for from := 0; from < n; from += chunk {
		p.parts <- struct{}{}
		wg.Go(func() {
			defer func() { <-p.parts }()
			if !p.stopped() {
				f(from, min(from+chunk, n))
			}
		})
	}
	wg.Wait()
}

// Fail makes err what Wait returns, unless there is an error already.
func (p *Pool) Fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

func (p *Pool) stopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err != nil || p.ctx.Err() != nil
}

// Wait returns, once all tasks have ended, the first error, or that of the context.
func (p *Pool) Wait() error {
	p.wg.Wait()
	if p.err != nil {
		return p.err
	}
	return p.ctx.Err()
}
