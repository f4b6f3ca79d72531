package store

import (
	"context"

	"bayes"
)

// due reports whether a snapshot is. The caller holds s.mu.
func (s *Store) due() bool {
	const mostBytes = 64 << 20
	return !s.saving && (s.newEvents >= s.opts.SnapshotEvery || s.newBytes >= mostBytes)
}

// freezeIfDue returns what a snapshot is to hold if one is due. The caller holds
// s.mu.
func (s *Store) freezeIfDue(counts *bayes.Counts) *snapshot {
	if s.failed || !s.due() {
		return nil
	}
	s.saving = true
	return s.freeze(counts)
}

// freeze returns what a snapshot is to hold: the counts, which are a copy of the
// state's. The caller holds s.mu.
func (s *Store) freeze(counts *bayes.Counts) *snapshot {
	s.newEvents, s.newBytes = 0, 0
	if wasteful(s.state.counts) {
		s.state.counts = counts.Clone() // which has room for nothing that is no longer there
	}
	return s.state.freeze(counts)
}

// save writes a snapshot, if there is one, lets the log forget what is in the last
// one, and erases what was taken out before it. After a failure a snapshot will be
// tried again after a tenth of the events.
func (s *Store) save(snap *snapshot) error {
	s.disk.Lock()
	defer s.disk.Unlock()
	// First the new snapshot, then what it makes needless.
	var err error
	if snap != nil {
		err = snap.write()
		s.mu.Lock()
		s.state.thaw(snap, err == nil)
		if err != nil {
			s.newEvents += s.opts.SnapshotEvery - s.opts.SnapshotEvery/10
		}
		s.mu.Unlock()
	}
	if err == nil {
		err = s.forget(context.Background())
	}
	s.mu.Lock()
	s.saving = false
	s.mu.Unlock()
	s.setSaveStatus(err)
	return err
}

// forget removes what the last snapshot makes needless. The caller holds s.disk.
func (s *Store) forget(ctx context.Context) error {
	s.mu.Lock()
	name, seq := s.state.replica(), s.state.snapshot
	s.mu.Unlock()
	if err := removeOthers(s.state.dir, seq); err != nil {
		return classify(err)
	}
	if err := s.log.Compact(ctx, name, seq); err != nil {
		return err
	}
	return s.erase(ctx)
}

// lastSnapshot saves what is not in the last snapshot, or not erased. Nothing else
// is going on any more.
func (s *Store) lastSnapshot() error {
	s.mu.Lock()
	if s.failed || s.state.pos.Seq == s.state.snapshot && s.state.unerased() == 0 {
		s.mu.Unlock()
		return nil
	}
	var snap *snapshot
	if s.state.pos.Seq > s.state.snapshot {
		snap = s.freeze(s.state.counts)
	}
	s.mu.Unlock()
	return s.save(snap)
}
