package store

import (
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
	// With the lock: whether there is something to fit, and whether there is memory for it.
	seq := s.state.pos.Seq
	if p := s.model.Load(); p.seq == seq && p.fitted || s.failed {
		s.mu.Unlock()
		return
	}
	s.measure()
	err := s.growth.outgrown()
	if err != nil && !s.due() {
		s.mu.Unlock()
		s.setFitStatus(err)
		return
	}
	counts := s.state.counts.Clone()
	snap := s.freezeIfDue(counts)
	s.mu.Unlock()

	// Without the lock: fitting, which takes longest, while events are applied.
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
		s.background.Go(func() { s.save(snap) })
	}
}
