package store

import (
	"bytes"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"bayes"
	"bayes/internal/atomicfile"
	"bayes/internal/wire"

	"go.etcd.io/bbolt"
)

// A snapshot is a state that no longer changes.
type snapshot struct {
	dir     string
	db      *bbolt.DB
	counts  *bayes.Counts
	model   bayes.EventModel
	pos     position
	changes *changes
}

// write saves snap: first the counts, as a model file, and then, in one transaction
// of state.db, the documents and the position, which names the model file. Until the
// transaction is committed, the disk holds the snapshot before.
func (snap *snapshot) write() error {
	if snap.db.IsReadOnly() {
		return ErrReadOnly
	}
	var data bytes.Buffer
	if err := bayes.Save(&data, snap.counts, snap.model); err != nil {
		return err
	}
	snap.pos.Checksum = wire.Checksum(data.Bytes())
	name := filepath.Join(snap.dir, modelName(snap.pos.Seq))
	if err := atomicfile.Write(name, func(w io.Writer) error { _, err := data.WriteTo(w); return err }); err != nil {
		return classify(err)
	}
	return classify(guard(func() error { return snap.db.Update(snap.commit) }))
}

// commit writes the changes and the position to state.db.
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

// set puts a value under a key, or deletes the key if there is to be none.
func set(b *bbolt.Bucket, key, value []byte, present bool) error {
	if present {
		return b.Put(key, value)
	}
	return b.Delete(key)
}

// freeze returns a snapshot of s, to be written while s goes on changing. There
// must be no other.
func (s *state) freeze(counts *bayes.Counts) *snapshot {
	s.frozen, s.recent = s.recent, newChanges()
	pos := s.pos
	if pos.Erased = pos.Seq; s.eraseFrom > 0 {
		pos.Erased = s.eraseFrom - 1
	} else if s.frozen.removed > 0 {
		pos.Erased = s.frozen.removed - 1
	}
	return &snapshot{s.dir, s.db, counts, s.model, pos, s.frozen}
}

// thaw ends what freeze began. What a snapshot that was not written held is again a
// part of what has changed since the last one.
func (s *state) thaw(snap *snapshot, written bool) {
	if written {
		s.snapshot = snap.pos.Seq
		if s.eraseFrom == 0 {
			s.eraseFrom = s.frozen.removed
		}
		s.frozen = nil
		return
	}
	s.frozen.merge(s.recent)
	s.recent, s.frozen = s.frozen, nil
}
