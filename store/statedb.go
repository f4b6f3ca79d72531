package store

import (
	"encoding/json"
	"fmt"

	"go.etcd.io/bbolt"
)

// The buckets of state.db.
var (
	documentBucket = []byte("documents") // the event that added it, by its number
	idBucket       = []byte("ids")       // that number, by ID
	positionBucket = []byte("position")  // one position, as JSON and its checksum
)

// A position is the part of a state that is neither counts nor documents.
type position struct {
	Seq       uint64 `json:"seq"`       // of the last event
	Clock     int64  `json:"clock"`     // the latest time of any event, in milliseconds since 1970
	Oldest    uint64 `json:"oldest"`    // there are no documents before this one
	Documents int    `json:"documents"` // how many there are
	Base      string `json:"base"`      // a hash of what the store began with
	Replica   string `json:"replica"`   // a random word
	Checksum  uint32 `json:"checksum"`  // of the model file
	Erased    uint64 `json:"erased"`    // what was taken out up to this event is not on disk
}

// readPosition reads the position in its bucket, and checks it.
func readPosition(b *bbolt.Bucket) (pos position, err error) {
	data, err := unseal(b.Get(positionBucket))
	if err == nil {
		if err = json.Unmarshal(data, &pos); err != nil {
			err = fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: position: %w", b.Tx().DB().Path(), err)
	}
	return pos, err
}

// write puts pos into its bucket.
func (pos position) write(b *bbolt.Bucket) error {
	data, err := json.Marshal(pos)
	if err != nil {
		return err
	}
	return b.Put(positionBucket, seal(data, 0))
}
