package store

import (
	"context"
	"errors"
	"time"

	"bayes"
)

// visibleWithin is how soon a change should be in the model.
const visibleWithin = 100 * time.Millisecond

// publish fits the counts after each burst of changes.
func (s *Store) publish() {
	var rest time.Time // until when not to fit again
	for {
		select {
		case <-s.dirty:
		case <-s.closing:
			return
		}
		select {
		case <-time.After(max(s.opts.Refit, time.Until(rest))):
		case <-s.closing:
			return
		}
		start := time.Now()
		s.refit()
		rest = time.Now().Add(s.pause(time.Since(start)))
	}
}

// pause returns how long to leave the processor to others after a fit that took
// cost: as long again, but, if that can be had, not so long that a change that
// came when the fit had begun, and must wait for it, the pause and the next fit,
// is late.
func (s *Store) pause(cost time.Duration) time.Duration {
	if room := visibleWithin - 2*cost; room >= s.opts.Refit {
		return min(cost, room)
	}
	return cost
}

// refit makes the model that of the counts. Only the copying of the counts keeps
// events waiting. If a snapshot is due, it is made of the same copy.
func (s *Store) refit() {
	s.fitting.Lock()
	defer s.fitting.Unlock()
	s.mu.Lock()
	seq := s.state.pos.Seq
	if p := s.model.Load(); p.seq == seq && p.fitted || s.failed {
		s.mu.Unlock()
		return
	}
	s.measure()
	err := s.growth.outgrown(s.state.model)
	if err != nil && !s.due() {
		s.mu.Unlock()
		s.setFitStatus(err)
		return
	}
	counts := s.state.counts.Clone()
	snap := s.freezeIfDue(counts)
	s.mu.Unlock()

	var m *bayes.Model
	if err == nil {
		m, err = bayes.Fit(counts, s.state.model)
	}
	if errors.Is(err, bayes.ErrEmpty) {
		m, err = nil, nil
	}
	s.setFitStatus(err)
	if err == nil {
		s.model.Store(&published{m, seq, true})
	} // or else the old one is better than none
	if snap != nil {
		s.others.Go(func() { s.save(snap) })
	}
}

// due reports whether a snapshot is. The caller holds s.mu.
func (s *Store) due() bool {
	const mostBytes = 64 << 20
	return !s.saving && (s.fresh >= s.opts.SnapshotEvery || s.bytes >= mostBytes)
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
	s.fresh, s.bytes = 0, 0
	s.state.counts = counts.Clone() // which has room for nothing that is no longer there
	return s.state.freeze(counts)
}

// save writes a snapshot, if there is one, lets the log forget what is in the last
// one, and erases what was taken out before it. After a failure a snapshot will be
// tried again after a tenth of the events.
func (s *Store) save(snap *snapshot) error {
	s.disk.Lock()
	defer s.disk.Unlock()
	var err error
	if snap != nil {
		err = snap.write()
		s.mu.Lock()
		s.state.thaw(snap, err == nil)
		if err != nil {
			s.fresh += s.opts.SnapshotEvery - s.opts.SnapshotEvery/10
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
