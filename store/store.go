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
	"io"
	"sync"
	"sync/atomic"

	"bayes"
)

// How the files build on each other:
//
//	open                            makes a Store of what follows, and ends it
//	learn commit acks               a call of Apply, on its way to the log and back
//	follow publish save erase       events become counts, a model, a snapshot; what was taken out goes
//	state apply changes snapshot    what the events of a log come to, in memory and on disk
//	documents                       those that can be taken out, in a list
//	log bolt redis                  the log, in a file or shared
//	event memory growth options     what all of them speak of
//	boltfile, read, tree, free      the files of bbolt, which may be damaged

// A Store keeps Counts on disk and a Model of them in memory. Its methods may be
// called by many goroutines at once.
//
// Four goroutines work for it: commit appends to the log what callers ask for,
// follow applies what it reads from the log, publish fits what was applied, and
// eraseInTime erases what was taken out.
type Store struct {
	opts        *Options
	analyzerErr error // what keeps documents from being taken out; nil if this program's analyzer put them in
	log         Log
	model       atomic.Pointer[published]
	queue       chan *request // to commit
	acks        acks
	clock       clock

	fitting sync.Mutex // held by refit
	disk    sync.Mutex // held while what is on disk changes, other than the end of the log

	mu        sync.Mutex // for what follows
	state     *state
	target    uint64 // what Open waits for
	newEvents int    // events since the last attempt at a snapshot
	newBytes  int    // of them
	buffer    []byte // for encoding them
	saving    bool   // whether a snapshot is being written
	failed    bool   // whether an event could be applied in part only: state is not to be read any more
	growth    growth
	pace      pace
	waits     waits
	status    struct{ log, fit, snapshot error }

	ready      chan struct{} // closed when target is reached
	dirty      chan struct{} // holds one if there is something to publish
	broken     chan struct{} // closed when no more events can be applied; status.log says why
	closing    chan struct{} // closed by Close
	close      sync.Once
	closeErr   error
	cancel     context.CancelFunc // of what follow and commit do with the log
	commits    chan struct{}      // closed when commit has ended
	follows    chan error         // the first error of follow; closed when it has ended
	background sync.WaitGroup     // publish, eraseInTime and saves
}

// A published model is of the counts after an event.
type published struct {
	model  *bayes.Model // nil if there are no examples
	seq    uint64
	fitted bool // false before the first
}

// Model returns the model of what has been learned, nil if there is nothing. It
// never waits. Where a fit takes time only in what has changed, as that of most
// event models does, a change is in it as soon as it is acknowledged. Otherwise it
// is in it within 100 ms, if the counts can be copied and fitted in 45 ms, and else
// three times as long after it as that takes.
func (s *Store) Model() *bayes.Model { return s.model.Load().model }

// ClassExamples returns how many labelled examples of each of some classes have been learned. A model also counts there those without a label that
// have a share in the class, see [bayes.Counts.Class].
func (s *Store) ClassExamples(classes []string) []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]int64, len(classes))
	for i, label := range classes {
		list[i], _ = s.state.counts.Class(label)
	}
	return list
}

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
