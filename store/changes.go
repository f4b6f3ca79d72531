package store

import (
	"maps"
	"slices"

	"go.etcd.io/bbolt"
)

// Changes are the documents that were added and removed since a snapshot. A nil
// *changes has none.
type changes struct {
	ids       map[string]uint64 // the document's number; zero if the ID is no longer known
	documents map[uint64][]byte // the encoded event; nil if the document is no longer there
	removed   uint64            // the first event that took a document out; zero means none
	bytes     int64             // of the documents, about
}

func newChanges() *changes {
	return &changes{ids: make(map[string]uint64), documents: make(map[uint64][]byte)}
}

func (c *changes) put(r Record) {
	data, _ := r.MarshalBinary() // it has no error
	c.documents[r.Seq] = data
	c.bytes += int64(len(data)) + 200
	if r.ID != "" {
		c.ids[r.ID] = r.Seq
	}
}

// delete takes out a document, as event by does.
func (c *changes) delete(seq uint64, id string, by uint64) {
	c.documents[seq] = nil
	c.bytes += 200
	if id != "" {
		c.ids[id] = 0
	}
	if c.removed == 0 {
		c.removed = by
	}
}

// merge makes c what it is followed by d.
func (c *changes) merge(d *changes) {
	maps.Copy(c.ids, d.ids)
	maps.Copy(c.documents, d.documents)
	c.bytes += d.bytes
	if c.removed == 0 {
		c.removed = d.removed
	}
}

// id returns the number of the document called id, if the changes know of it.
func (c *changes) id(id string) (seq uint64, known bool) {
	if c == nil {
		return 0, false
	}
	seq, known = c.ids[id]
	return seq, known
}

// document returns an encoded document, if the changes know of it.
func (c *changes) document(seq uint64) (data []byte, known bool) {
	if c == nil {
		return nil, false
	}
	data, known = c.documents[seq]
	return data, known
}

// commit makes the changes and the position those of state.db.
func (snap *snapshot) commit(tx *bbolt.Tx) error {
	documents, err := tx.CreateBucketIfNotExists(documentBucket)
	if err != nil {
		return err
	}
	for _, seq := range slices.Sorted(maps.Keys(snap.changes.documents)) {
		data := snap.changes.documents[seq]
		if err := set(documents, seqKey(seq), data, data != nil); err != nil {
			return err
		}
	}
	ids, err := tx.CreateBucketIfNotExists(idBucket)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(snap.changes.ids)) {
		seq := snap.changes.ids[id]
		if err := set(ids, []byte(id), seqKey(seq), seq != 0); err != nil {
			return err
		}
	}
	position, err := tx.CreateBucketIfNotExists(positionBucket)
	if err != nil {
		return err
	}
	return snap.pos.write(position)
}

// set makes key's value what it should be, which may be none.
func set(b *bbolt.Bucket, key, value []byte, present bool) error {
	if present {
		return b.Put(key, value)
	}
	return b.Delete(key)
}
