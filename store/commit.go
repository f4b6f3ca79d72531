package store

import (
	"context"
	"fmt"
	"time"
)

// commit appends what callers ask for. While it waits for the log, further calls
// gather, and go into the next batch.
func (s *Store) commit(ctx context.Context) {
	defer close(s.commits)
	for {
		select {
		case r := <-s.queue:
			s.appendBatch(ctx, s.gatherBatch(r))
		case <-s.closing:
			return
		}
	}
}

// gatherBatch returns the calls that are waiting.
func (s *Store) gatherBatch(first *request) []*request {
	const most, mostBytes = 10_000, 16 << 20
	batch, n, size := []*request{first}, len(first.events), first.size
	for n < most && size < mostBytes {
		select {
		case r := <-s.queue:
			batch = append(batch, r)
			n += len(r.events)
			size += r.size
		default:
			return batch
		}
	}
	return batch
}

// appendBatch appends a batch to the log.
func (s *Store) appendBatch(ctx context.Context, batch []*request) {
	var events []Event
	at, err := s.clock.time(), s.checkClock()
	select {
	case <-s.broken: // what would be appended could not be applied
		err = s.Status().Log
	default:
	}
	if err != nil {
		s.acks.appended(batch, 0, err)
		return
	}
	for _, r := range batch {
		for _, e := range r.events {
			e.Time = at
			events = append(events, e)
		}
	}
	// From here on follow may apply these events before Append returns their numbers.
	s.acks.expect()
	applied := s.applied()
	last, err := s.log.Append(ctx, events)
	// New events have numbers that the store has not seen. If not, the log has been replaced by
	// an older one.
	first := last + 1 - uint64(len(events))
	if err == nil && first <= applied {
		err = inLog(fmt.Errorf("%w: the log goes on at event %d, the store is at event %d", ErrLost, first, applied))
	}
	s.acks.appended(batch, first, err)
}

// checkClock returns [ErrClock] if events should not be accepted now. Nothing but a
// window of age reads their time, and a log that is shared compares it with the
// clock of its own server.
func (s *Store) checkClock() error {
	age, most := s.opts.Window.Age, s.opts.ClockJump
	if age <= 0 || most < 0 || !isOwn(s.log) {
		return nil
	}
	s.mu.Lock()
	p := logTime{time.UnixMilli(s.state.pos.Clock), s.state.pos.Documents}
	s.mu.Unlock()
	return s.clock.check(p, age, most)
}
