package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"bayes"
)

// An Entry is an example and the name of its document, which is empty if the
// document can never be unlearned or relabelled.
type Entry struct {
	ID      string
	Example bayes.Example
}

// A Receipt says that events are in the log, and what came of them.
type Receipt struct {
	Seq     uint64 // the number of the last
	Changed []bool // of each, whether it changed the counts
}

// Learn counts examples. A document that is known by its ID is replaced: where it
// is the same nothing changes, and with another label it moves. It is as if all
// entries were learned at once, or, after an error, none; but after
// [ErrUnavailable], or if ctx is done, they may yet be.
//
// The error is [ErrInvalid], [ErrFull], [ErrMemory], [ErrReadOnly], [ErrUnavailable],
// [ErrClosed], [ErrClock], [ErrLost] or [ErrCorrupt], or that of ctx.
func (s *Store) Learn(ctx context.Context, entries ...Entry) (Receipt, error) {
	return s.Apply(ctx, eventsOf(OpLearn, entries)...)
}

// Unlearn takes out the documents with these IDs. Those that are not known
// change nothing. Errors are as for Learn.
func (s *Store) Unlearn(ctx context.Context, ids ...string) (Receipt, error) {
	events := make([]Event, len(ids))
	for i, id := range ids {
		events[i] = Event{Op: OpUnlearn, ID: id}
	}
	return s.Apply(ctx, events...)
}

// Relabel moves documents to other classes. Of the entries' examples only the
// labels are read. Documents that are not known change nothing. Errors are as
// for Learn.
func (s *Store) Relabel(ctx context.Context, entries ...Entry) (Receipt, error) {
	return s.Apply(ctx, eventsOf(OpRelabel, entries)...)
}

func eventsOf(op Op, entries []Entry) []Event {
	events := make([]Event, len(entries))
	for i, e := range entries {
		events[i] = Event{Op: op, ID: e.ID, Example: e.Example}
		if op == OpRelabel {
			events[i].Example = bayes.Example{Label: e.Example.Label}
		}
	}
	return events
}

// Apply does what Learn, Unlearn and Relabel do, in the order given. The events'
// times are set to the present. After an error of ctx, the attributes of the
// examples may still be read. Errors are as for Learn.
func (s *Store) Apply(ctx context.Context, events ...Event) (Receipt, error) {
	if len(events) == 0 {
		return Receipt{}, nil
	}
	r := &request{
		events: slices.Clone(events), receipt: Receipt{Changed: make([]bool, len(events))}, left: len(events), done: make(chan error, 1),
	}
	for i := range events {
		size, err := s.check(&events[i])
		if err != nil {
			return Receipt{}, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		r.size += size
	}
	if err := s.room(r); err != nil {
		return Receipt{}, err
	}
	select {
	case s.queue <- r:
	case <-s.closing:
		s.settle(r)
		return Receipt{}, ErrClosed
	case <-s.broken:
		s.settle(r)
		return Receipt{}, s.Status().Log
	case <-ctx.Done():
		s.settle(r)
		return Receipt{}, ctx.Err()
	}
	select {
	case err := <-r.done:
		s.settle(r)
		if err != nil {
			return Receipt{}, err
		}
		return r.receipt, nil
	case <-ctx.Done():
		go func() { // it may yet be applied
			<-r.done
			s.settle(r)
		}()
		return Receipt{}, ctx.Err()
	}
}

// room makes room for what a request may add to the counts, or returns [ErrMemory] or
// [ErrFull]. What only takes out needs none. The caller says with settle what came of it.
func (s *Store) room(r *request) error {
	if s.growth.unlimited() || !slices.ContainsFunc(r.events, func(e Event) bool { return e.Op != OpUnlearn }) {
		return nil
	}
	find := func(id string) (Event, bool) { // what cannot be found will not be applied either
		seq, doc, err := s.state.find(id)
		return doc, seq > 0 && err == nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	more := growthBy(s.state.counts, r.events, r.size, find)
	err := s.growth.accept(more, s.state.model)
	if errors.Is(err, ErrMemory) { // look more closely
		space := s.state.counts.Space()
		s.mu.Unlock()
		exact, ok := featuresOf(space, r.events, s.opts.Memory.size, func(id string) (Event, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return find(id)
		})
		s.mu.Lock()
		if !ok {
			return err
		}
		s.measure()
		more.features, more.entries = exact.features, exact.entries
		err = s.growth.accept(more, s.state.model)
	}
	if err == nil {
		r.room = more
	}
	return err
}

// settle notes that a request is applied, or never will be.
func (s *Store) settle(r *request) {
	if r.room != (size{}) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.growth.settle(r.room)
	}
}

// measure notes how large the counts are. The caller holds s.mu.
func (s *Store) measure() {
	if s.growth.unlimited() {
		return
	}
	if sparse(s.state.counts) {
		s.state.counts = s.state.counts.Clone() // which has room for nothing that is no longer there
	}
	s.growth.measure(s.state.counts, s.state.unsaved(), s.state.dir)
}

// Limits of events. An ID is a key of bbolt, and an event a value. The sums of
// weight × value² must not overflow, however many there are, or what was added
// could not be subtracted.
const (
	maxID     = 1 << 10
	maxEvent  = 16 << 20
	maxWeight = 1e6
	maxValue  = 1e15
)

// check returns the size of an event in bytes, or what is wrong with it. An event
// that passes can be counted and taken out again, and does not keep the counts
// from being fitted.
func (s *Store) check(e *Event) (size int, err error) {
	switch {
	case e.Op != OpLearn && e.Op != OpUnlearn && e.Op != OpRelabel:
		return 0, fmt.Errorf("unknown %v", e.Op)
	case e.Op != OpLearn && e.ID == "":
		return 0, fmt.Errorf("%v without an id", e.Op)
	case len(e.ID) > maxID:
		return 0, fmt.Errorf("an id of %d bytes, of at most %d", len(e.ID), maxID)
	case e.Op != OpUnlearn && e.Example.Label == "":
		return 0, fmt.Errorf("%v without a label", e.Op)
	}
	if err := s.checkAnalyzer(e); err != nil {
		return 0, err
	}
	if e.Op != OpUnlearn {
		if err := checkExample(&e.Example); err != nil {
			return 0, err
		}
		if err := bayes.Accepts(s.state.model, e.Example); err != nil {
			return 0, err
		}
	}
	b, err := e.MarshalBinary()
	if err == nil && len(b) > maxEvent {
		err = fmt.Errorf("an event of %d bytes, of at most %d", len(b), maxEvent)
	}
	return len(b), err
}

// otherAnalyzer returns an error if it was another version of the analyzer than this
// program has that cut the texts of c.
func otherAnalyzer(c *bayes.Counts) error {
	was, is := c.AnalyzerVersion(), c.Space().AnalyzerVersion()
	if was == "" || was == is {
		return nil
	}
	return fmt.Errorf("the texts were cut by version %q of the analyzer, and %q would take out other terms than were put in:"+
		" replace the model by one that is trained anew, or open it with AnyVersion (serve --any-version)", was, is)
}

// checkAnalyzer returns an error if an event may take a document out of counts that
// another version of the analyzer put it into. What is in the log already is applied
// whatever its version, since a log has one meaning.
func (s *Store) checkAnalyzer(e *Event) error {
	if s.other == nil || s.opts.AnyVersion {
		return nil
	}
	takes := e.Op != OpLearn || !s.opts.Window.open()
	if !takes && e.ID != "" {
		s.mu.Lock()
		seq, _, err := s.state.find(e.ID)
		s.mu.Unlock()
		if takes = seq > 0; err != nil {
			return err
		}
	}
	if !takes {
		return nil
	}
	return fmt.Errorf("%v: %w", e.Op, s.other)
}

func checkExample(ex *bayes.Example) error {
	if !(ex.Weight >= 0 && ex.Weight <= maxWeight) {
		return fmt.Errorf("a weight of %v, of at most %v", ex.Weight, float64(maxWeight))
	}
	for _, a := range ex.Attrs {
		if n, ok := a.Count(); ok && !(n >= 0 && n <= maxValue) {
			return fmt.Errorf("%q %v times", a.Name, n)
		}
		if v, ok := a.Value(); ok && math.Abs(v) > maxValue {
			return fmt.Errorf("a number %q of %v, of at most %v", a.Name, v, float64(maxValue))
		}
	}
	return nil
}

// A request is a call of Apply.
type request struct {
	events  []Event
	size    int  // of them, in bytes
	room    size // that was made for what they add
	receipt Receipt
	left    int        // events that have not been applied
	done    chan error // takes one
}

// commit appends what callers ask for. While it waits for the log, further calls
// gather, and go into the next batch.
func (s *Store) commit(ctx context.Context) {
	defer close(s.commits)
	for {
		select {
		case r := <-s.queue:
			s.append(ctx, s.gather(r))
		case <-s.closing:
			return
		}
	}
}

// gather returns the calls that are waiting.
func (s *Store) gather(first *request) []*request {
	const most, mostBytes = 10_000, 16 << 20
	batch, n, size := []*request{first}, len(first.events), first.size
	for n < most && size < mostBytes {
		select {
		case r := <-s.queue:
			batch = append(batch, r)
			n += len(r.events)
			size += r.size
		default:
			return batch
		}
	}
	return batch
}

// append appends a batch to the log.
func (s *Store) append(ctx context.Context, batch []*request) {
	var events []Event
	at, err := s.clock.time(), s.checkClock()
	select {
	case <-s.broken: // what would be appended could not be applied
		err = s.Status().Log
	default:
	}
	if err != nil {
		s.acks.appended(batch, 0, err)
		return
	}
	for _, r := range batch {
		for _, e := range r.events {
			e.Time = at
			events = append(events, e)
		}
	}
	s.acks.expect()
	applied := s.applied()
	last, err := s.log.Append(ctx, events)
	first := last + 1 - uint64(len(events))
	if err == nil && first <= applied {
		err = inLog(fmt.Errorf("%w: the log goes on at event %d, the store is at event %d", ErrLost, first, applied))
	}
	s.acks.appended(batch, first, err)
}

// checkClock returns [ErrClock] if events should not be accepted now. Nothing but a
// window of age reads their time, and a log that is shared compares it with the
// clock of its own server.
func (s *Store) checkClock() error {
	age, most := s.opts.Window.Age, s.opts.ClockJump
	if age <= 0 || most < 0 || !isOwn(s.log) {
		return nil
	}
	s.mu.Lock()
	p := past{time.UnixMilli(s.state.pos.Clock), s.state.pos.Documents}
	s.mu.Unlock()
	return s.clock.check(p, age, most)
}

// acks tell callers when their events have been applied. An event can be applied
// before its Append returns, and so before its number is known here.
type acks struct {
	mu        sync.Mutex
	open      sync.WaitGroup // of requests that are waited for
	waiting   map[uint64]waiting
	early     map[uint64]bool // what was applied while an Append is going on
	expecting bool            // whether one is
	err       error           // what ended it all
}

// waiting is one event of a request.
type waiting struct {
	request *request
	index   int
}

func newAcks() acks { return acks{waiting: make(map[uint64]waiting), early: make(map[uint64]bool)} }

// expect begins an Append.
func (a *acks) expect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expecting = true
}

// appended ends an Append. The events of the batch are numbered from first on.
func (a *acks) appended(batch []*request, first uint64, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expecting = false
	defer clear(a.early)
	if err == nil {
		err = inLog(a.err)
	}
	seq := first
	for _, r := range batch {
		if err != nil {
			r.done <- err
			continue
		}
		a.open.Add(1)
		r.receipt.Seq = seq + uint64(len(r.events)) - 1
		for i := range r.events {
			if changed, ok := a.early[seq]; ok {
				a.resolve(waiting{r, i}, changed)
			} else {
				a.waiting[seq] = waiting{r, i}
			}
			seq++
		}
	}
}

// applied notes what came of an event, which may be anyone's.
func (a *acks) applied(seq uint64, changed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w, ok := a.waiting[seq]; ok {
		delete(a.waiting, seq)
		a.resolve(w, changed)
	} else if a.expecting {
		a.early[seq] = changed
	}
}

// inLog returns err as the error of events that are in the log, and will be
// counted once it can be read again.
func inLog(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: the events are in it, and not counted yet: %w", ErrUnavailable, err)
}

func (a *acks) resolve(w waiting, changed bool) {
	w.request.receipt.Changed[w.index] = changed
	if w.request.left--; w.request.left == 0 {
		w.request.done <- nil
		a.open.Done()
	}
}

// fail ends all waiting, now and later.
func (a *acks) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
	failed := make(map[*request]bool)
	for seq, w := range a.waiting {
		if !failed[w.request] {
			failed[w.request] = true
			w.request.done <- inLog(a.err)
			a.open.Done()
		}
		delete(a.waiting, seq)
	}
}
