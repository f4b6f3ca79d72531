package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"bayes"
)

// Open opens the store in a folder, which it makes if need be, with a log that
// from then on is the store's. A nil log is a file in the folder. Open returns
// when all events of the log have been applied.
//
// Where the store exists and the log that it is given says [ErrUnavailable],
// [ErrCorrupt] or [ErrLost], Open returns the store as of its last snapshot, or of
// an event after it: it predicts, and Status.Log says why it does not learn. Where
// the folder cannot be written to, or its disk is full, the store only predicts.
//
// The error is [ErrInUse], or one of reading files; [ErrCorrupt] or [ErrLost] where
// what is damaged or gone is in the folder, or the store is new; and [ErrInvalid]
// where it is new and Options.Model cannot be fitted to Options.Counts.
func Open(ctx context.Context, dir string, log Log, opts *Options) (*Store, error) {
	opts = opts.withDefaults()
	st, isNew, err := openState(dir, opts)
	if err != nil {
		return nil, err
	}
	// A log of the store's own lies in its folder, and is closed with it.
	own := log == nil
	if own {
		if log, err = openBolt(filepath.Join(dir, "log.db")); err != nil {
			return nil, errors.Join(err, st.db.Close())
		}
	}
	s := &Store{
		opts: opts, analyzerErr: otherAnalyzer(st.counts), log: log, state: st, queue: make(chan *request), acks: newAcks(), clock: newClock(),
		growth: growth{memory: opts.Memory, maxDisk: opts.Disk}, ready: make(chan struct{}), dirty: make(chan struct{}, 1), broken: make(chan struct{}), closing: make(chan struct{}),
		commits: make(chan struct{}), follows: make(chan error, 1),
	}
	// A new store writes the log's first event and a snapshot before anything is learned.
	if isNew {
		if err = opts.Memory.Fits(st.counts); err == nil {
			err = s.begin(ctx)
		}
	}
	if err == nil {
		err = s.start(ctx, isNew)
	}
	if err != nil {
		if own {
			err = errors.Join(err, log.Close())
		}
		return nil, errors.Join(err, st.db.Close())
	}
	return s, nil
}

// begin writes the first event of a log that has none, and then the snapshot
// before it. So a store that exists has a log that is not empty.
func (s *Store) begin(ctx context.Context) error {
	if err := checkFit(s.state.counts, s.state.model); err != nil {
		return err
	}
	_, last, err := s.log.Bounds(ctx)
	if err == nil && last == 0 {
		_, err = s.log.Append(ctx, []Event{{Op: opBegin, Time: s.clock.time(), ID: s.state.pos.Base}})
	}
	if err != nil {
		return err
	}
	snap := s.state.freeze(s.state.counts)
	err = snap.write()
	s.state.thaw(snap, err == nil)
	return err
}

// checkFit returns [ErrInvalid] if a model cannot be fitted to the counts that a store
// is to begin with. No examples are no error: a prior may name classes that are to be
// learned.
func checkFit(counts *bayes.Counts, em bayes.EventModel) error {
	if _, err := bayes.Fit(counts, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}

// isOwn reports whether a log is a file that no other store has.
func isOwn(l Log) bool { _, ok := l.(*boltLog); return ok }

// start sets s going, and waits until it has caught up with its log.
func (s *Store) start(ctx context.Context, isNew bool) error {
	s.model.Store(new(published))
	s.refit()
	var background context.Context
	background, s.cancel = context.WithCancel(context.Background())
	go s.follow(background)
	go s.commit(background)
	s.background.Go(s.publish)
	s.background.Go(s.eraseInTime)
	var err error
	select {
	case <-s.ready:
		s.refit()
		return nil
	case err = <-s.follows:
		shared := !isOwn(s.log)
		if !isNew && shared && (errors.Is(err, ErrUnavailable) || isFinal(err)) {
			return nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.stop()
	return err
}

// Close stops accepting, waits for what was accepted to be counted, writes a
// snapshot and closes the log. The error says what of the last two went wrong;
// nothing acknowledged is lost by it. Model and Counts can still be used.
func (s *Store) Close() error {
	s.close.Do(func() {
		s.stop()
		s.closeErr = errors.Join(s.lastSnapshot(), s.state.db.Close(), s.log.Close())
	})
	return s.closeErr
}

// stop ends all goroutines.
func (s *Store) stop() {
	// No more is accepted, and what is in the log is applied: then nobody waits for an answer.
	close(s.closing)
	<-s.commits
	drained := make(chan struct{})
	go func() {
		s.acks.open.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-s.followed():
	}
	// Now follow has nothing to do for anyone.
	s.cancel()
	<-s.followed()
	s.acks.fail(ErrClosed)
	s.background.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.growth.release()
}

// followed returns a channel that is closed when follow has ended.
func (s *Store) followed() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		for range s.follows {
		}
		close(done)
	}()
	return done
}
