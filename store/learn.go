package store

import (
	"context"
	"fmt"
	"slices"

	"bayes"
)

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
	// Room is granted before the event is in the log: what is there is applied in any case.
	if err := s.makeRoom(r); err != nil {
		return Receipt{}, err
	}
	// commit appends it, unless the store is closing, cannot apply events any more, or the
	// caller gives up first.
	select {
	case s.queue <- r:
	case <-s.closing:
		s.settleRoom(r)
		return Receipt{}, ErrClosed
	case <-s.broken:
		s.settleRoom(r)
		return Receipt{}, s.Status().Log
	case <-ctx.Done():
		s.settleRoom(r)
		return Receipt{}, ctx.Err()
	}
	// Then the acks answer, once it has been applied.
	select {
	case err := <-r.done:
		s.settleRoom(r)
		if err != nil {
			return Receipt{}, err
		}
		return r.receipt, nil
	case <-ctx.Done():
		go func() { // it may yet be applied
			<-r.done
			s.settleRoom(r)
		}()
		return Receipt{}, ctx.Err()
	}
}
