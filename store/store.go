// Package store keeps counts that go on learning, and loses nothing that it has
// acknowledged.
//
// A [Store] is a folder. What it is told to learn, unlearn and relabel it first
// appends to a [Log], and then counts:
//
//	s, err := store.Open(ctx, "spam", nil, nil)
//	...
//	_, err = s.Learn(ctx, store.Entry{ID: "7", Example: bayes.Example{Label: "spam", Text: "win a prize"}})
//	...
//	fmt.Println(s.Model().Predict(bayes.Document{Text: "a prize"}).Best())
//	...
//	err = s.Close()
//
// A document that has an ID counts once, however often it is learned, and counts
// as what it was learned as last; it can be unlearned by its ID. The store keeps
// such documents whole, since what was added must be subtracted. A document
// without an ID is counted and forgotten.
//
// # The state is a function of the log
//
//	state = snapshot + the events after it
//
// Whether an event changes anything is decided when it is applied, by the state
// before it and the event alone. So a store that crashed, and all replicas that
// share a log, come to the same counts, byte for byte.
//
// The log is a file in the folder, or a stream of Redis ([OpenRedis]) that any
// number of stores share.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"bayes"
	"bayes/text"
)

// Options are options for [Open]. A nil *Options is the zero value.
type Options struct {
	// Counts and Model are what a new store begins with: what is already known,
	// over the Space that documents are read in, and how it is fitted. Nil means
	// NewCounts(nil) and Multinomial{}. A store that exists has its own.
	Counts *bayes.Counts
	Model  bayes.EventModel

	Languages []*text.Language // that the Space of a store that exists may name

	Window Window // what counts; the zero Window means everything

	// AnyVersion accepts events that take documents out of counts whose texts were cut
	// by another version of the analyzer than this program has.
	AnyVersion bool

	// Refit is how long to gather changes before they are made visible by a new
	// model; zero means 10 ms.
	Refit time.Duration

	// Memory is what the counts and the model of the store, and of others that have the same
	// one, may take. Nil means that there is no limit.
	Memory *Memory

	// Disk is how many bytes the folder may have for more to be learned; zero means as many
	// as there are. Snapshots, and a log that is copied, take more for a while.
	Disk int64

	// SnapshotEvery is after how many events to write a snapshot; zero means
	// 10,000. There is also one after every 64 MiB of events, and on Close.
	SnapshotEvery int

	// EraseWithin is how long a document that was unlearned, replaced or left the
	// window may still be readable on disk; zero means an hour. If there is no
	// snapshot by then, one is written.
	EraseWithin time.Duration

	// ClockJump is how far the machine's clock may be set ahead while the store is
	// open, before a store with a Window of Age says [ErrClock]; zero means a day.
	// Less than zero means that the clock is believed whatever it says.
	ClockJump time.Duration

	// Log is told when learning, fitting or saving begins to fail, and when it
	// works again. Nil means nobody is.
	Log *slog.Logger
}

// withDefaults returns o with its zero values replaced.
func (o *Options) withDefaults() *Options {
	if o == nil {
		o = new(Options)
	}
	d := *o
	if d.Refit <= 0 {
		d.Refit = 10 * time.Millisecond
	}
	if d.SnapshotEvery <= 0 {
		d.SnapshotEvery = 10_000
	}
	if d.ClockJump == 0 {
		d.ClockJump = 24 * time.Hour
	}
	if d.EraseWithin <= 0 {
		d.EraseWithin = time.Hour
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &d
}

// A Store keeps Counts on disk and a Model of them in memory. Its methods may be
// called by many goroutines at once.
//
// Four goroutines work for it: commit appends to the log what callers ask for,
// follow applies what it reads from the log, publish fits what was applied, and
// eraseInTime erases what was taken out.
type Store struct {
	opts  *Options
	other error // what keeps documents from being taken out; nil if this program's analyzer put them in
	log   Log
	model atomic.Pointer[published]
	queue chan *request // to commit
	acks  acks
	clock clock

	fitting sync.Mutex // held by refit
	disk    sync.Mutex // held while what is on disk changes, other than the end of the log

	mu     sync.Mutex // for what follows
	state  *state
	target uint64 // what Open waits for
	fresh  int    // events since the last attempt at a snapshot
	bytes  int    // of them
	buffer []byte // for encoding them
	saving bool   // whether a snapshot is being written
	failed bool   // whether an event could be applied in part only: state is not to be read any more
	growth growth
	status struct{ log, fit, snapshot error }

	ready    chan struct{} // closed when target is reached
	dirty    chan struct{} // holds one if there is something to publish
	broken   chan struct{} // closed when no more events can be applied; status.log says why
	closing  chan struct{} // closed by Close
	close    sync.Once
	closeErr error
	cancel   context.CancelFunc // of what follow and commit do with the log
	commits  chan struct{}      // closed when commit has ended
	follows  chan error         // the first error of follow; closed when it has ended
	others   sync.WaitGroup     // publish, eraseInTime and saves
}

// A published model is of the counts after an event.
type published struct {
	model  *bayes.Model // nil if there are no examples
	seq    uint64
	fitted bool // false before the first
}

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
	own := log == nil
	if own {
		if log, err = openBolt(filepath.Join(dir, "log.db")); err != nil {
			return nil, errors.Join(err, st.db.Close())
		}
	}
	s := &Store{
		opts: opts, other: otherAnalyzer(st.counts), log: log, state: st, queue: make(chan *request), acks: newAcks(), clock: newClock(),
		growth: growth{memory: opts.Memory, most: opts.Disk}, ready: make(chan struct{}), dirty: make(chan struct{}, 1), broken: make(chan struct{}), closing: make(chan struct{}),
		commits: make(chan struct{}), follows: make(chan error, 1),
	}
	if isNew {
		if err = opts.Memory.Fits(st.counts, st.model); err == nil {
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
	if _, err := bayes.CheckFit(counts, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
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
	s.others.Go(s.publish)
	s.others.Go(s.eraseInTime)
	var err error
	select {
	case <-s.ready:
		s.refit()
		return nil
	case err = <-s.follows:
		shared := !isOwn(s.log)
		if !isNew && shared && (errors.Is(err, ErrUnavailable) || final(err)) {
			return nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.finish()
	return err
}

// Close stops accepting, waits for what was accepted to be counted, writes a
// snapshot and closes the log. The error says what of the last two went wrong;
// nothing acknowledged is lost by it. Model and Counts can still be used.
func (s *Store) Close() error {
	s.close.Do(func() {
		s.finish()
		s.closeErr = errors.Join(s.lastSnapshot(), s.state.db.Close(), s.log.Close())
	})
	return s.closeErr
}

// finish ends all goroutines.
func (s *Store) finish() {
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
	s.cancel()
	<-s.followed()
	s.acks.fail(ErrClosed)
	s.others.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.growth.leave()
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

// Model returns the model of what has been learned, nil if there is nothing. It
// never waits. A change is in it within 100 ms of being acknowledged, if the
// counts can be copied and fitted in 45 ms, and otherwise three times as long
// after it as that takes.
func (s *Store) Model() *bayes.Model { return s.model.Load().model }

// Counts returns a copy of the counts.
func (s *Store) Counts() *bayes.Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.counts.Clone()
}

// Snapshot writes the counts as a model file, and returns the number of the last
// event that is in them.
func (s *Store) Snapshot(w io.Writer) (seq uint64, err error) {
	s.mu.Lock()
	c, seq := s.state.counts.Clone(), s.state.pos.Seq
	s.mu.Unlock()
	return seq, bayes.Save(w, c, s.state.model)
}

// Lookup returns what the document called id was learned as last, and whether
// there is one.
func (s *Store) Lookup(id string) (ex bayes.Example, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seq, doc, err := s.state.find(id)
	return doc.Example, seq > 0, err
}

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

// What works and what does not is noted in s.status, and told to Options.Log when
// it changes.

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

// Lag returns how many events of the log have not been applied yet.
func (s *Store) Lag(ctx context.Context) (uint64, error) {
	_, last, err := s.log.Bounds(ctx)
	applied := s.Status().Applied
	return max(last, applied) - applied, err
}
