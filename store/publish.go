package store

import (
	"errors"
	"time"

	"bayes"
)

// visibleWithin is how soon a change should be in the model.
const visibleWithin = 100 * time.Millisecond

// publish fits the counts after each burst of changes, where that takes too long to be done at once.
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

// A pace says whether fitting is quick enough to be done while events wait: mostly it takes time in
// what has changed since the last fit.
type pace struct {
	slow   int       // how many fits in a row were slow
	others int       // how many fits of copies followed them
	sized  time.Time // when the counts were measured
}

var quickFit = 2 * time.Millisecond // longer in tests alone

const (
	mostSlow = 3  // the first fit after opening reads all counts, and so does the second
	tryAgain = 32 // after this number of fits of copies, a fit at once may be quick again
)

// note notes that a fit took a time.
func (p *pace) note(took time.Duration) {
	if p.slow++; took <= quickFit {
		p.slow = 0
	}
}

// quick reports whether a fit may well be quick.
func (p *pace) quick() bool {
	if p.slow < mostSlow {
		return true
	}
	if p.others++; p.others >= tryAgain {
		p.slow, p.others = mostSlow-1, 0
	}
	return false
}

// refitAtOnce makes the model that of the counts, and reports whether it did: before events are
// acknowledged, if that is quick. While Open still waits for events, it is not done.
func (s *Store) refitAtOnce() bool {
	s.mu.Lock()
	quick := s.opts.atOnce && !s.failed && s.target > 0 && s.state.pos.Seq >= s.target && s.pace.quick()
	s.mu.Unlock()
	if !quick {
		return false
	}
	s.fitting.Lock()
	defer s.fitting.Unlock()
	s.mu.Lock()
	if s.outgrown() {
		s.mu.Unlock()
		return false
	}
	start := time.Now()
	err := s.fit(s.state.counts, s.state.pos.Seq)
	s.pace.note(time.Since(start))
	if err == nil {
		s.waits.end(s.waits.take())
	}
	s.mu.Unlock()
	s.setFitStatus(err)
	return true
}

// outgrown reports whether the counts, as they were not long ago, are too large to be fitted.
func (s *Store) outgrown() bool {
	if s.growth.unlimited() || time.Since(s.pace.sized) < visibleWithin {
		return false
	}
	s.measure()
	s.pace.sized = time.Now()
	return s.growth.outgrown() != nil
}

// fit makes the model that of the counts after an event. If that fails, the old one is better than
// none.
func (s *Store) fit(counts *bayes.Counts, seq uint64) error {
	m, err := bayes.Fit(counts, s.state.model)
	if errors.Is(err, bayes.ErrEmpty) {
		m, err = nil, nil
	}
	if err == nil {
		s.model.Store(&published{m, seq, true})
	}
	return err
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

// refit makes the model that of a copy of the counts. Only the copying of the counts keeps
// events waiting. If a snapshot is due, it is made of the same copy.
func (s *Store) refit() {
	s.fitting.Lock()
	defer s.fitting.Unlock()
	s.mu.Lock()
	// With the lock: whether there is something to fit, and whether there is memory for it.
	seq, p := s.state.pos.Seq, s.model.Load()
	current := p.seq == seq && p.fitted
	if current && !s.due() || s.failed {
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
	counts, since := s.state.counts.Clone(), s.waits.take()
	snap := s.freezeIfDue(counts)
	s.mu.Unlock()

	// Without the lock: fitting, which takes longest, while events are applied.
	if err == nil && !current {
		err = s.fit(counts, seq)
	}
	s.mu.Lock()
	if err == nil {
		s.waits.end(since)
	} else if !since.IsZero() {
		s.waits.since = since
	}
	s.mu.Unlock()
	s.setFitStatus(err)
	if snap != nil {
		s.background.Go(func() { s.save(snap) })
	}
}
