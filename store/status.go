package store

// What of a store works and what does not is noted in its status, and told to
// Options.Log when it changes.

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
	if status == &s.status.log && final(err) { // those who see broken closed find out why
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
