package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// follow applies the events of the log as they come, and tries again when the
// log cannot be reached.
func (s *Store) follow(ctx context.Context) {
	defer close(s.follows)
	const shortest, longest = 20 * time.Millisecond, time.Second
	wait := shortest
	for {
		before := s.applied()
		err := s.attach(ctx)
		if err == nil {
			s.setLogStatus(nil)
			err = s.log.Follow(ctx, before, s.visit)
		}
		if ctx.Err() != nil {
			return
		}
		s.setLogStatus(err)
		select {
		case s.follows <- err: // Open may want to know
		default:
		}
		if isFinal(err) {
			s.acks.fail(err)
			return
		}
		if s.applied() > before { // the log did answer, so this is a new failure
			wait = shortest
		}
		select {
		case <-time.After(wait):
			wait = min(2*wait, longest)
		case <-s.closing:
			return
		}
	}
}

// applied returns the number of the last event that has been applied.
func (s *Store) applied() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.pos.Seq
}

// attach tells the log which events the store still needs, and checks that it has them.
func (s *Store) attach(ctx context.Context) error {
	s.mu.Lock()
	name, snapshot, applied := s.state.replica(), s.state.snapshot, s.state.pos.Seq
	s.mu.Unlock()
	err := s.log.Compact(ctx, name, snapshot)
	if err != nil && !errors.Is(err, ErrFull) && !errors.Is(err, ErrReadOnly) {
		return err
	}
	first, last, err := s.log.Bounds(ctx)
	switch {
	case err != nil:
		return err
	case last == 0, last < applied:
		return fmt.Errorf("%w: the log ends at event %d, the store is at event %d", ErrLost, last, applied)
	case first > applied+1:
		return fmt.Errorf("%w: the log starts at event %d, the store is at event %d", ErrLost, first, applied)
	}
	// What the log has at the first attempt is what Open waits for; later events may come without end.
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.target == 0 {
		s.target = last
		s.signalReady()
	}
	return nil
}

// signalReady tells Open if s has caught up.
func (s *Store) signalReady() {
	if s.target > 0 && s.state.pos.Seq >= s.target {
		select {
		case <-s.ready:
		default:
			close(s.ready)
		}
	}
}

// visit applies events and acknowledges them.
func (s *Store) visit(records []Record) error {
	changed := make([]bool, len(records))
	if err := s.apply(records, changed); err != nil {
		return err
	}
	visible := s.refitAtOnce()
	for i, r := range records {
		s.acks.applied(r.Seq, changed[i])
	}
	s.mu.Lock()
	due := s.due()
	s.mu.Unlock()
	if !visible || due {
		select {
		case s.dirty <- struct{}{}:
		default:
		}
	}
	return nil
}

// apply applies events, and says of each whether it changed anything.
func (s *Store) apply(records []Record, changed []bool) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.target > 0 && s.state.pos.Seq >= s.target { // not what Open waits for
		s.waits.begin()
	}
	for i, r := range records {
		if changed[i], err = s.state.apply(r); err != nil {
			s.failed = true
			if !isFinal(err) { // or else the event would be applied again, to half a state
				err = fmt.Errorf("%w: %w", ErrCorrupt, err)
			}
			return err
		}
		s.newEvents++
		s.buffer, _ = r.AppendBinary(s.buffer[:0]) // it has no error
		s.newBytes += len(s.buffer)
	}
	s.signalReady()
	return nil
}
