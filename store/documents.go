package store

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"

	"go.etcd.io/bbolt"
)

// Documents returns the documents that s keeps whole, and which event added each, the latest
// first: those before event number before, or all where that is zero. Those with an ID can be
// taken out by it; with a [Window] there are others too. What comes and goes while the caller
// ranges may be among them or not. An error is the last that is yielded; it is [ErrCorrupt], or
// one of the file system.
func (s *Store) Documents(before uint64) iter.Seq2[Record, error] {
	const atOnce = 64 // numbers that are looked up while others wait
	if before == 0 {
		before = math.MaxUint64
	}
	return func(yield func(Record, error) bool) {
		for {
			numbers, err := s.latest(before, atOnce)
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, before = range numbers {
				doc, ok, err := s.document(before)
				if err != nil {
					yield(Record{}, err)
					return
				}
				if ok && !yield(Record{before, doc}, nil) {
					return
				}
			}
			if len(numbers) < atOnce {
				return
			}
		}
	}
}

func (s *Store) latest(before uint64, n int) ([]uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.latest(before, n)
}

func (s *Store) document(seq uint64) (Event, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.document(seq)
}

// latest returns the numbers of the last n documents before one, the latest first.
func (s *state) latest(before uint64, n int) (list []uint64, err error) {
	// First those that came since the snapshot and are still there.
	for _, c := range []*changes{s.recent, s.frozen} {
		if c == nil {
			continue
		}
		for seq := range c.documents {
			if data, _ := s.changed(seq); seq < before && data != nil {
				list = append(list, seq)
			}
		}
	}
	// Then those of the snapshot, from its end, without those that have gone since.
	err = s.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket(documentBucket)
		if b == nil {
			return nil
		}
		c := b.Cursor()
		key, _ := c.Seek(seqKey(before))
		if key == nil {
			key, _ = c.Last()
		}
		for saved := 0; key != nil && saved < n; key, _ = c.Prev() {
			if len(key) != 8 {
				return fmt.Errorf("%s: %w: a document has a key of %d bytes", s.db.Path(), ErrCorrupt, len(key))
			}
			seq := binary.BigEndian.Uint64(key)
			if _, known := s.changed(seq); !known && seq < before {
				list = append(list, seq)
				saved++
			}
		}
		return nil
	})
	slices.Sort(list)
	slices.Reverse(list)
	return list[:min(n, len(list))], err
}
