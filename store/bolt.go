package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"bayes/internal/atomicfile"

	"go.etcd.io/bbolt"
)

var _ Log = (*boltLog)(nil)

// eventBucket holds the events by number, eight bytes, big-endian. The bucket's
// sequence is the number of the last.
var eventBucket = []byte("events")

// A boltLog is a log in a file of bbolt. A batch is one transaction, and so all
// in the file or not at all.
//
// A file that is found is read, checked and let be. The first change writes its
// events to a new file that takes its place. So bbolt never builds on a page
// that is damaged; a file that has become empty inside becomes small again; and a
// disk that is full, or cannot be written to, is no hindrance to reading.
type boltLog struct {
	path string

	change sync.Mutex // held by update and Compact

	mu      sync.RWMutex // for what follows
	found   *foundEvents // nil once there is db
	db      *bbolt.DB
	last    uint64 // the last event that is durable
	suspect bool   // whether db may show a transaction that failed

	notify  sync.Mutex    // guards changed
	changed chan struct{} // closed when there are more events
}

// foundEvents are the encoded events of a file.
type foundEvents struct {
	last   uint64
	events [][]byte
}

// first returns the number of the first event.
func (f *foundEvents) first() uint64 { return f.last + 1 - uint64(len(f.events)) }

// cut removes the events after number last.
func (f *foundEvents) cut(last uint64) {
	f.events = f.events[:uint64(len(f.events))-min(f.last-last, uint64(len(f.events)))]
	f.last = last
}

// after returns the events after a number.
func (f *foundEvents) after(n uint64) [][]byte {
	if n < f.first() {
		return f.events
	}
	return f.events[min(n, f.last)+1-f.first():]
}

// openBolt opens the log in the file called path, or makes a new one. The file
// must be this process's own.
func openBolt(path string) (_ *boltLog, err error) {
	l := &boltLog{path: path, found: new(foundEvents), changed: make(chan struct{})}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = l.replace()
	} else if err == nil {
		l.found, err = findEvents(data)
		l.last = l.found.last
		err = errors.Join(err, syncFile(path))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, classify(err))
	}
	return l, nil
}

// findEvents reads the events in data, a file of bbolt, and checks that none is
// damaged or missing.
func findEvents(data []byte) (*foundEvents, error) {
	f := new(foundEvents)
	next := uint64(0)
	last, err := readBolt(data, eventBucket, func(key, event []byte) error {
		if len(key) != 8 || next != 0 && binary.BigEndian.Uint64(key) != next {
			return fmt.Errorf("%w: event %d is missing", ErrCorrupt, next)
		}
		next = binary.BigEndian.Uint64(key) + 1
		f.events = append(f.events, event)
		if err := new(Event).UnmarshalBinary(event); err != nil {
			return fmt.Errorf("event %d: %w", next-1, err)
		}
		return nil
	})
	if err == nil && next != 0 && next != last+1 {
		err = fmt.Errorf("%w: the last event is %d, not %d", ErrCorrupt, next-1, last)
	}
	f.last = last
	return f, err
}

// replace makes a new file with the events that were found take the place of
// theirs. The caller holds l.mu.
func (l *boltLog) replace() error {
	// What a crash left of an earlier attempt is not built upon.
	temp := l.path + ".new"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := openDB(temp, false)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(eventBucket)
		if err != nil {
			return err
		}
		b.FillPercent = 1 // events come in order, so no page needs room in its middle
		for i, event := range l.found.events {
			if err := b.Put(seqKey(l.found.first()+uint64(i)), event); err != nil {
				return err
			}
		}
		return b.SetSequence(l.found.last)
	})
	// The transaction synced the file. With its name it is the log; without, nothing has changed.
	err = errors.Join(err, db.Close())
	if err == nil {
		err = atomicfile.Rename(temp, l.path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	// From now on the events are on disk alone.
	if l.db, err = openDB(l.path, false); err == nil {
		l.found = nil
	}
	return err
}

func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

// writable makes l ready for changes.
func (l *boltLog) writable() error {
	l.mu.RLock()
	ready := l.db != nil && !l.suspect
	l.mu.RUnlock()
	if ready {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspect {
		if err := l.salvage(); err != nil {
			return err
		}
	}
	if l.db != nil {
		return nil
	}
	return l.replace()
}

// salvage reads the file again, as openBolt does, and leaves out the events of a
// transaction that failed. The caller holds l.mu.
func (l *boltLog) salvage() error {
	data, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	found, err := findEvents(data)
	if err != nil {
		return err
	}
	found.cut(l.last) // nobody was told that the events of the failed transaction are durable
	l.db.Close()      // what it could not do is to be done anew
	l.found, l.db, l.suspect = found, nil, false
	return nil
}

// update changes the events by f in one transaction. last returns the number of
// the last event after it.
//
// A transaction whose last sync failed is visible all the same, and may be on the
// disk or not, whatever later syncs say. The events before it then go to a new
// file. Where that cannot be had either, the error is [ErrUnavailable].
func (l *boltLog) update(f func(b *bbolt.Bucket) (last uint64, err error)) error {
	l.change.Lock()
	defer l.change.Unlock()
	if err := l.writable(); err != nil {
		return classify(err)
	}
	// bbolt shows a transaction to readers before its last sync, so its number is kept to see
	// whether it does.
	transaction, last := 0, uint64(0)
	l.mu.RLock()
	err := l.db.Update(func(tx *bbolt.Tx) (err error) {
		transaction = tx.ID()
		last, err = f(tx.Bucket(eventBucket))
		return err
	})
	visible := err != nil && shows(l.db, transaction)
	l.mu.RUnlock()

	// Readers go no further than l.last, so a visible event that may not be durable is not read.
	l.mu.Lock()
	if err == nil {
		l.last = last
	}
	l.suspect = visible
	l.mu.Unlock()
	if visible {
		// Whether the events are on disk nobody can say. A new file without them settles it: then
		// they are not, and the error is the plain one.
		if again := l.writable(); again != nil {
			return fmt.Errorf("%w: %w; a new file could not be made: %w", ErrUnavailable, err, again)
		}
	}
	return classify(err)
}

// shows reports whether readers of db may see a transaction.
func shows(db *bbolt.DB, transaction int) bool {
	latest := 0
	err := db.View(func(tx *bbolt.Tx) error {
		latest = tx.ID()
		return nil
	})
	return err != nil || latest >= transaction
}

func (l *boltLog) Append(ctx context.Context, events []Event) (last uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	err = l.update(func(b *bbolt.Bucket) (uint64, error) {
		b.FillPercent = 1
		last = b.Sequence()
		for _, e := range events {
			last++
			v, err := e.MarshalBinary()
			if err != nil {
				return 0, err
			}
			if err := b.Put(seqKey(last), v); err != nil {
				return 0, err
			}
		}
		return last, b.SetSequence(last)
	})
	if err != nil {
		return 0, err
	}
	l.notify.Lock()
	defer l.notify.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
	return last, nil
}

func (l *boltLog) Follow(ctx context.Context, after uint64, visit func([]Record) error) error {
	for {
		// The channel is taken before reading, so an event that comes in between closes it.
		l.notify.Lock()
		changed := l.changed
		l.notify.Unlock()
		records, err := l.read(after)
		if err != nil {
			return fmt.Errorf("%s: %w", l.path, err)
		}
		if len(records) > 0 {
			if err := visit(records); err != nil {
				return err
			}
			after = records[len(records)-1].Seq
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// read returns some of the events after number after.
func (l *boltLog) read(after uint64) (records []Record, err error) {
	const most, mostBytes = 1000, 4 << 20
	l.mu.RLock()
	defer l.mu.RUnlock()
	size := 0
	add := func(seq uint64, event []byte) (more bool, err error) {
		r := Record{Seq: seq}
		if err := r.UnmarshalBinary(event); err != nil {
			return false, fmt.Errorf("event %d: %w", seq, err)
		}
		records = append(records, r)
		size += len(event)
		return len(records) < most && size < mostBytes, nil
	}
	// Before the first change the events are in memory, after it in the file.
	if f := l.found; f != nil {
		list := f.after(after)
		for i, event := range list {
			if more, err := add(f.last+1-uint64(len(list)-i), event); err != nil || !more {
				return records, err
			}
		}
		return records, nil
	}
	err = l.db.View(func(tx *bbolt.Tx) error {
		c := tx.Bucket(eventBucket).Cursor()
		for k, v := c.Seek(seqKey(after + 1)); k != nil; k, v = c.Next() {
			seq := binary.BigEndian.Uint64(k)
			if seq > l.last { // not durable yet
				return nil
			}
			if more, err := add(seq, v); err != nil || !more {
				return err
			}
		}
		return nil
	})
	return records, err
}

func (l *boltLog) Bounds(context.Context) (first, last uint64, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.found != nil {
		return l.found.first(), l.found.last, nil
	}
	err = l.db.View(func(tx *bbolt.Tx) error {
		last = l.last
		first = last + 1
		if k, _ := tx.Bucket(eventBucket).Cursor().First(); k != nil {
			first = min(first, binary.BigEndian.Uint64(k))
		}
		return nil
	})
	return first, last, err
}

// Compact forgets the events up to number through, whatever the name: a file has
// one reader. The events that are left go to a new file, so nothing of the others
// stays in pages that are not in use. A file that was found may have such pages,
// and is replaced in any case.
func (l *boltLog) Compact(ctx context.Context, _ string, through uint64) error {
	first, _, err := l.Bounds(ctx)
	if err != nil {
		return err
	}
	l.change.Lock()
	defer l.change.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspect {
		if err := l.salvage(); err != nil {
			return classify(err)
		}
	}
	if l.db != nil && first > through { // there is nothing to forget, in a file of this process's own making
		return nil
	}
	left, err := l.eventsAfter(through)
	if err != nil {
		return classify(err)
	}
	if l.db != nil {
		l.db.Close() // the new file takes its place, whatever the error
	}
	l.db, l.found = nil, left
	return classify(l.replace())
}

// eventsAfter returns the encoded events after a number. The caller holds l.mu.
func (l *boltLog) eventsAfter(n uint64) (*foundEvents, error) {
	if l.found != nil {
		return &foundEvents{l.found.last, l.found.after(n)}, nil
	}
	left := &foundEvents{last: l.last}
	err := l.db.View(func(tx *bbolt.Tx) error {
		c := tx.Bucket(eventBucket).Cursor()
		for k, v := c.Seek(seqKey(n + 1)); k != nil; k, v = c.Next() {
			left.events = append(left.events, bytes.Clone(v))
		}
		return nil
	})
	return left, err
}

func (l *boltLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db == nil {
		return nil
	}
	return l.db.Close()
}
