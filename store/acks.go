package store

import (
	"fmt"
	"sync"
)

// A request is a call of Apply.
type request struct {
	events  []Event
	size    int  // of them, in bytes
	room    size // that was made for what they add
	receipt Receipt
	left    int        // events that have not been applied
	done    chan error // takes one
}

// acks tell callers when their events have been applied. An event can be applied
// before its Append returns, and so before its number is known here.
type acks struct {
	mu        sync.Mutex
	open      sync.WaitGroup // of requests that are waited for
	waiting   map[uint64]waiting
	early     map[uint64]bool // what was applied while an Append is going on
	expecting bool            // whether one is
	err       error           // what ended it all
}

// waiting is one event of a request.
type waiting struct {
	request *request
	index   int
}

func newAcks() acks { return acks{waiting: make(map[uint64]waiting), early: make(map[uint64]bool)} }

// expect begins an Append.
func (a *acks) expect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expecting = true
}

// appended ends an Append. The events of the batch are numbered from first on.
func (a *acks) appended(batch []*request, first uint64, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expecting = false
	defer clear(a.early)
	if err == nil {
		err = inLog(a.err)
	}
	// Each event is given its number. One that follow has applied already is answered at once,
	// the others when it does.
	seq := first
	for _, r := range batch {
		if err != nil {
			r.done <- err
			continue
		}
		a.open.Add(1)
		r.receipt.Seq = seq + uint64(len(r.events)) - 1
		for i := range r.events {
			if changed, ok := a.early[seq]; ok {
				a.resolve(waiting{r, i}, changed)
			} else {
				a.waiting[seq] = waiting{r, i}
			}
			seq++
		}
	}
}

// applied notes what came of an event, which may be anyone's.
func (a *acks) applied(seq uint64, changed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w, ok := a.waiting[seq]; ok {
		delete(a.waiting, seq)
		a.resolve(w, changed)
	} else if a.expecting {
		a.early[seq] = changed
	}
}

// inLog returns err as the error of events that are in the log, and will be
// counted once it can be read again.
func inLog(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: the events are in it, and not counted yet: %w", ErrUnavailable, err)
}

// resolve notes what came of one event, and answers the request after its last.
func (a *acks) resolve(w waiting, changed bool) {
	w.request.receipt.Changed[w.index] = changed
	if w.request.left--; w.request.left == 0 {
		w.request.done <- nil
		a.open.Done()
	}
}

// fail ends all waiting, now and later.
func (a *acks) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
	// A request of several events is answered once.
	failed := make(map[*request]bool)
	for seq, w := range a.waiting {
		if !failed[w.request] {
			failed[w.request] = true
			w.request.done <- inLog(a.err)
			a.open.Done()
		}
		delete(a.waiting, seq)
	}
}
