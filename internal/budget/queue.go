package budget

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A Queue admits work when there is room for it, first come, first served. Of each holder
// only some pieces of work are in the queue at once, and its others wait for those: so a
// holder that asks for much delays itself, and another waits for a few pieces of work at
// most. Its methods may be called by many goroutines at once.
type Queue struct {
	size int64
	each int64
	room *semaphore.Weighted

	mu    sync.Mutex
	lines map[string]*line
}

// A line is where the work of one holder waits.
type line struct {
	first *semaphore.Weighted // to be in the queue
	users int                 // who wait or work
}

// NewQueue returns a Queue with a size, which takes in a number of pieces of work of each
// holder at once.
func NewQueue(size int64, each int) *Queue {
	return &Queue{size: size, each: int64(each), room: semaphore.NewWeighted(size), lines: make(map[string]*line)}
}

// Size returns the size of the largest piece of work that there can ever be room for.
func (q *Queue) Size() int64 { return q.size }

// Enter waits until there is room for n, which must not exceed the size. The room is taken
// until leave is called. The error is that of ctx.
func (q *Queue) Enter(ctx context.Context, holder string, n int64) (leave func(), err error) {
	// First among the holder's own work, then among the work of all.
	l := q.join(holder)
	if err := l.first.Acquire(ctx, 1); err != nil {
		q.part(holder, l)
		return nil, err
	}
	if err := q.room.Acquire(ctx, n); err != nil {
		l.first.Release(1)
		q.part(holder, l)
		return nil, err
	}
	return func() {
		q.room.Release(n)
		l.first.Release(1)
		q.part(holder, l)
	}, nil
}

// join adds one who waits or works to the line of a holder.
func (q *Queue) join(holder string) *line {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[holder]
	if l == nil {
		l = &line{first: semaphore.NewWeighted(q.each)}
		q.lines[holder] = l
	}
	l.users++
	return l
}

// part takes one off the line of a holder, which goes with its last.
func (q *Queue) part(holder string, l *line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(q.lines, holder)
	}
}
