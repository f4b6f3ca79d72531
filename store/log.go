package store

import "context"

// A Log is a sequence of events, numbered from 1 with no gaps, that only grows
// at its end. Its methods may be called by several goroutines at once. Their
// errors wrap [ErrFull], [ErrReadOnly], [ErrUnavailable], [ErrCorrupt] or
// [ErrLost] where one of these says what is the matter.
type Log interface {
	// Append adds events, all or none, and returns the number of the last. When
	// it returns no error they are as durable as the log can make them. After
	// ErrUnavailable they may be in the log or not.
	Append(ctx context.Context, events []Event) (last uint64, err error)

	// Follow calls visit with the events after number after, in order, and waits
	// for more, until ctx is done or an error occurs, which it returns. Of a log
	// that is shared these are also the events that others appended.
	Follow(ctx context.Context, after uint64, visit func([]Record) error) error

	// Bounds returns the numbers of the first and the last event that the log
	// holds. An empty log's first is its last + 1.
	Bounds(ctx context.Context) (first, last uint64, err error)

	// Compact says that the replica called name has a snapshot of the events up
	// to number through. The log may forget what all replicas have.
	Compact(ctx context.Context, name string, through uint64) error

	// Close ends the use of the log. A Store closes the one that it was opened with.
	Close() error
}
