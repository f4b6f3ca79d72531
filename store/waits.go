package store

import (
	"slices"
	"time"
)

// Waits say how long events waited, once they could be acknowledged, until they were in the model that
// predicts: of the events that one fit makes visible, the first.
type Waits struct {
	AtMost []time.Duration // bounds, rising
	Counts []uint64        // how many waits were at most as long as each bound
	Count  uint64          // how many there were
	Sum    time.Duration
}

// waitBounds are the bounds that waits are counted by.
var waitBounds = [...]time.Duration{
	25 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 10 * time.Second,
}

// waits are what Waits returns, and when the first event was applied that no model has.
type waits struct {
	since  time.Time
	counts [len(waitBounds)]uint64
	count  uint64
	sum    time.Duration
}

// begin begins a wait, unless one has begun.
func (w *waits) begin() {
	if w.since.IsZero() {
		w.since = time.Now()
	}
}

// take ends the wait that has begun, if there is one, and returns when that was. A fit that fails gives
// it back.
func (w *waits) take() time.Time {
	since := w.since
	w.since = time.Time{}
	return since
}

// end counts a wait, unless there was none.
func (w *waits) end(since time.Time) {
	if since.IsZero() {
		return
	}
	wait := time.Since(since)
	w.count, w.sum = w.count+1, w.sum+wait
	for i, most := range waitBounds {
		if wait <= most {
			w.counts[i]++
		}
	}
}

// Waits returns how long events have waited since the store was opened.
func (s *Store) Waits() Waits {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &s.waits
	return Waits{AtMost: slices.Clone(waitBounds[:]), Counts: slices.Clone(w.counts[:]), Count: w.count, Sum: w.sum}
}
