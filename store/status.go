package store

import "context"

// Status is how far a Store is. Numbers are those of events.
type Status struct {
	Applied   uint64 // the last event that is in the counts
	Visible   uint64 // the last one that is in the model
	Snapshot  uint64 // the last one that is in the snapshot
	Erased    uint64 // the last one up to which nothing that was taken out is still readable on disk, nor in a log that is shared
	Documents int    // how many documents can be unlearned, by their ID or when they leave the window
	Examples  int64  // how many are counted, those that the store began with included
	Features  int    // how many features they have

	// Log, Fit and Save are nil, or why no events are being applied, why the
	// model is not of the latest counts, and why the last snapshot failed. Fit is
	// set where a class that the prior names has no example left, and is nil again
	// once it has.
	Log, Fit, Save error
}

// Status returns how far s is.
func (s *Store) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{
		Applied: s.state.pos.Seq, Visible: s.model.Load().seq, Snapshot: s.state.snapshot, Erased: s.state.erased(),
		Documents: s.state.pos.Documents, Examples: s.state.counts.Examples(), Features: s.state.counts.Len(),
		Log: s.status.log, Fit: s.status.fit, Save: s.status.snapshot,
	}
}

// Each part of the store notes here whether it works. A change is also told to Options.Log.

func (s *Store) setLogStatus(err error) {
	s.setStatus(&s.status.log, err, "learning does not work; predicting goes on", "learning works again")
}

func (s *Store) setFitStatus(err error) {
	s.setStatus(&s.status.fit, err, "the counts cannot be fitted; predictions are of earlier ones", "the counts can be fitted again")
}

func (s *Store) setSaveStatus(err error) {
	s.setStatus(&s.status.snapshot, err, "no snapshot could be written; nothing is lost, but the log grows", "snapshots can be written again")
}

// setStatus replaces one of the errors of s.status.
func (s *Store) setStatus(status *error, err error, fails, works string) {
	s.mu.Lock()
	old := *status
	*status = err
	if status == &s.status.log && isFinal(err) { // those who see broken closed find out why
		close(s.broken)
	}
	s.mu.Unlock()
	switch {
	case err != nil && (old == nil || old.Error() != err.Error()):
		s.opts.Log.Error(fails, "err", err)
	case err == nil && old != nil:
		s.opts.Log.Info(works)
	}
}

// Lag returns how many events of the log have not been applied yet.
func (s *Store) Lag(ctx context.Context) (uint64, error) {
	_, last, err := s.log.Bounds(ctx)
	applied := s.Status().Applied
	return max(last, applied) - applied, err
}
