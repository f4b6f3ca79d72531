package store

import (
	"context"
	"fmt"
	"time"

	"bayes/internal/atomicfile"

	"go.etcd.io/bbolt"
)

// Erasure. What was unlearned, replaced or left a window is erased by a snapshot
// that follows: its text is then in no file of the folder. Each place that held
// the text needs a step of its own:
//
//	the log's events       Compact forgets them; a file is written anew without them
//	pages of state.db      that bbolt has freed are overwritten with zeros
//	older model files      are removed
//
// A crash between two steps leaves the position in state.db with the number of
// the erasure before, so the next process does all of them again.

// eraseInTime sees to it that nothing waits for its erasure longer than
// Options.EraseWithin, however little is learned.
func (s *Store) eraseInTime() {
	select {
	case <-s.ready: // so that what the log has taken out since the snapshot is seen
	case <-s.closing:
		return
	}
	tick := max(s.opts.EraseWithin/60, time.Millisecond)
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	due := time.Now() // of what an earlier process left
	for {
		s.mu.Lock()
		waiting := s.state.unerased() > 0
		s.mu.Unlock()
		switch {
		case !waiting:
			due = time.Time{}
		case due.IsZero():
			due = time.Now().Add(s.opts.EraseWithin - 2*tick) // it was removed up to a tick ago
		case !time.Now().Before(due):
			s.eraseNow()
			due = time.Now().Add(s.opts.EraseWithin / 10) // if that was not enough
		}
		select {
		case <-ticks.C:
		case <-s.closing:
			return
		}
	}
}

// eraseNow writes a snapshot, if there is anything new, and erases what was taken
// out before it.
func (s *Store) eraseNow() {
	s.mu.Lock()
	if s.saving || s.failed || s.state.db.IsReadOnly() {
		s.mu.Unlock()
		return
	}
	var snap *snapshot
	if s.state.pos.Seq > s.state.snapshot {
		snap = s.freeze(s.state.counts.Clone())
	}
	s.saving = true
	s.mu.Unlock()
	s.save(snap)
}

// erase makes unreadable what was taken out up to the snapshot. The log has
// forgotten the events up to it, or those that no replica needs. The caller holds
// s.disk.
func (s *Store) erase(ctx context.Context) error {
	s.mu.Lock()
	seq, pending := s.state.snapshot, s.state.eraseFrom
	s.mu.Unlock()
	if pending == 0 {
		return nil
	}
	// First the pages of state.db. The older model files were removed, and the log was compacted,
	// by the caller.
	barrier := func() { // those who read state.db hold s.mu
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	if err := clearFree(s.state.db, barrier); err != nil {
		return fmt.Errorf("%s: %w", s.state.db.Path(), classify(err))
	}
	if err := atomicfile.SyncDir(s.state.dir); err != nil {
		return classify(err)
	}
	// A shared log keeps events until every replica has a snapshot of them. What was taken out
	// is erased only as far as the log has forgotten it.
	first, _, err := s.log.Bounds(ctx)
	if err != nil {
		return err
	}
	through := min(seq, first) // what event first took out was added before it
	if err := s.state.setErased(through); err != nil {
		return classify(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// What the log still holds waits for the next snapshot.
	if s.state.eraseFrom = 0; through < seq {
		s.state.eraseFrom = max(pending, through+1)
	}
	return nil
}

// setErased notes on disk that everything that was taken out up to event seq has
// been erased.
func (s *state) setErased(seq uint64) error {
	return guard(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket(positionBucket)
			pos, err := readPosition(b)
			if err != nil {
				return err
			}
			pos.Erased = seq
			return pos.write(b)
		})
	})
}
