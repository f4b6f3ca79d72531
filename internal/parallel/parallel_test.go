package parallel_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"bayes/internal/parallel"
)

func TestFor(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 1000} {
		seen := make([]int32, n)
		parallel.For(n, 10, func(from, to int) {
			for i := from; i < to; i++ {
				atomic.AddInt32(&seen[i], 1)
			}
		})
		if i := slices.IndexFunc(seen, func(times int32) bool { return times != 1 }); i >= 0 {
			t.Errorf("of %d numbers, %d came %d times", n, i, seen[i])
		}
	}
}

// Jobs come in order, each after its work, and none is read once ranging has stopped.
func TestOrdered(t *testing.T) {
	for _, workers := range []int{0, 1, 7} {
		var read atomic.Int32
		jobs := func(yield func(*[2]int) bool) {
			for i := range 1000 {
				read.Add(1)
				if !yield(&[2]int{i}) {
					return
				}
			}
		}
		square := func(j *[2]int) { j[1] = j[0] * j[0] }
		n := 0
		for j := range parallel.Ordered(jobs, workers, func() func(*[2]int) { return square }) {
			if *j != [2]int{n, n * n} {
				t.Fatalf("job %d is %v", n, *j)
			}
			n++
		}
		if n != 1000 {
			t.Errorf("%d jobs", n)
		}
		read.Store(0)
		for range parallel.Ordered(jobs, workers, func() func(*[2]int) { return square }) {
			break
		}
		if most := 4*parallel.Workers(workers) + 3; int(read.Load()) > most {
			t.Errorf("%d jobs were read by %d workers, for one", read.Load(), workers)
		}
	}
}

func TestPool(t *testing.T) {
	p := parallel.NewPool(t.Context())
	var sum atomic.Int64
	for range 20 {
		p.Go(func() error {
			p.Part(100, 7, func(from, to int) { sum.Add(int64(to - from)) })
			return nil
		})
	}
	if err := p.Wait(); err != nil || sum.Load() != 2000 {
		t.Errorf("%d, %v", sum.Load(), err)
	}
	failed := errors.New("failed")
	p = parallel.NewPool(t.Context())
	p.Go(func() error { return failed })
	if err := p.Wait(); err != failed {
		t.Errorf("%v", err)
	}
	p.Part(1, 1, func(int, int) { t.Error("a part runs after an error") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = parallel.NewPool(ctx)
	p.Go(func() error { t.Error("a task runs after the end"); return nil })
	if err := p.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
