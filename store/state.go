package store

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bayes"
	"bayes/internal/atomicfile"
	"bayes/internal/wire"

	"go.etcd.io/bbolt"
)

// A state is what the events of a log come to, up to one of them. Of the counts
// and the documents that are known by ID it keeps on disk those of the last
// snapshot, and in memory the counts and what has changed since. So whatever
// happens, the disk holds the state after one event.
//
// The snapshot is a model file, which is named by the number of the event, and
// state.db, where one transaction changes the documents and names the model file.
type state struct {
	dir      string
	db       *bbolt.DB
	window   Window
	model    bayes.EventModel
	counts   *bayes.Counts
	pos      position
	fresh    *changes // since the last snapshot, or the one that is being written
	frozen   *changes // which that one will hold; nil if none is being written
	snapshot uint64   // the number of the last event of the last snapshot
}

// A position is what a state is beside counts and documents.
type position struct {
	Seq       uint64 `json:"seq"`       // of the last event
	Clock     int64  `json:"clock"`     // the latest time of any event, in milliseconds since 1970
	Oldest    uint64 `json:"oldest"`    // there are no documents before this one
	Documents int    `json:"documents"` // how many there are
	Base      string `json:"base"`      // a hash of what the store began with
	Replica   string `json:"replica"`   // a random word
	Checksum  uint32 `json:"checksum"`  // of the model file
}

// The buckets of state.db.
var (
	documentBucket = []byte("documents") // the event that added it, by its number
	idBucket       = []byte("ids")       // that number, by ID
	positionBucket = []byte("position")  // one position, as JSON and its checksum
)

// replica returns the name of the state's replica. A copy of the folder, elsewhere,
// has another.
func (s *state) replica() string {
	host, _ := os.Hostname()
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		dir = s.dir
	}
	return host + ":" + dir + ":" + s.pos.Replica
}

func modelName(seq uint64) string { return fmt.Sprintf("model-%d.nb", seq) }

// openState opens the state in a folder, or makes a new one.
func openState(dir string, opts *Options) (s *state, isNew bool, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, false, classify(err)
	}
	s = &state{dir: dir, window: opts.Window, fresh: newChanges()}
	path := filepath.Join(dir, "state.db")
	s.db, err = openDB(path, false)
	if errors.Is(classify(err), ErrReadOnly) {
		s.db, err = openDB(path, true)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, classify(err))
	}
	if err = checkTrees(path); err != nil {
		s.db.Close()
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	if isNew, err = s.readPosition(); err == nil {
		if isNew {
			err = s.begin(opts)
		} else {
			err = s.load(opts)
		}
	}
	if err != nil {
		s.db.Close()
		return nil, false, err
	}
	s.snapshot = s.pos.Seq
	return s, isNew, nil
}

// readPosition reads the position of the last snapshot, if there is one.
func (s *state) readPosition() (isNew bool, err error) {
	err = s.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket(positionBucket)
		if b == nil {
			isNew = true
			return nil
		}
		data, err := unseal(b.Get(positionBucket))
		if err != nil {
			return fmt.Errorf("%s: position: %w", s.db.Path(), err)
		}
		return json.Unmarshal(data, &s.pos)
	})
	return isNew, err
}

// begin makes s the state before the first event.
func (s *state) begin(opts *Options) error {
	s.model, s.counts = opts.Model, bayes.NewCounts(nil)
	if s.model == nil {
		s.model = bayes.Multinomial{}
	}
	if opts.Counts != nil {
		s.counts = opts.Counts.Clone()
	}
	var file bytes.Buffer
	if err := bayes.Save(&file, s.counts, s.model); err != nil {
		return err
	}
	base := sha256.New()
	base.Write(wire.Essential(file.Bytes())) // which is the same for all releases
	fmt.Fprintf(base, "window %d %d", max(0, s.window.Documents), max(0, s.window.Age).Milliseconds())
	s.pos = position{Base: fmt.Sprintf("%x", base.Sum(nil)), Replica: rand.Text()}
	return nil
}

// load reads the snapshot's model file and removes others.
func (s *state) load(opts *Options) error {
	path := filepath.Join(s.dir, modelName(s.pos.Seq))
	data, err := os.ReadFile(path)
	if err != nil {
		return classify(err)
	}
	if wire.Checksum(data) != s.pos.Checksum {
		return fmt.Errorf("%s: %w: it is not the file that state.db belongs to", path, ErrCorrupt)
	}
	s.counts, s.model, err = bayes.Load(bytes.NewReader(data), opts.Languages...)
	removeOthers(s.dir, s.pos.Seq)
	return err
}

// removeOthers removes the model files in a folder that are not of the snapshot
// after event seq.
func removeOthers(dir string, seq uint64) {
	files, _ := filepath.Glob(filepath.Join(dir, "model-*.nb"))
	for _, name := range files {
		if filepath.Base(name) != modelName(seq) {
			os.Remove(name) // or else the next time
		}
	}
}

// view reads state.db.
func (s *state) view(f func(tx *bbolt.Tx) error) error {
	return guard(func() error { return s.db.View(f) })
}

// find returns the document called id and its number, which is zero if there is
// none.
func (s *state) find(id string) (seq uint64, doc Event, err error) {
	if id == "" {
		return 0, Event{}, nil
	}
	seq, known := s.fresh.id(id)
	if !known {
		seq, known = s.frozen.id(id)
	}
	if !known {
		err = s.view(func(tx *bbolt.Tx) error {
			if b := tx.Bucket(idBucket); b != nil {
				if v := b.Get([]byte(id)); len(v) == 8 {
					seq = binary.BigEndian.Uint64(v)
				}
			}
			return nil
		})
	}
	if seq == 0 || err != nil {
		return 0, Event{}, err
	}
	doc, ok, err := s.document(seq)
	if err == nil && (!ok || doc.ID != id) {
		err = fmt.Errorf("%s: %w: document %q is not where it should be", s.db.Path(), ErrCorrupt, id)
	}
	return seq, doc, err
}

// document returns the document that an event added, if it is still there.
func (s *state) document(seq uint64) (doc Event, ok bool, err error) {
	data, known := s.fresh.document(seq)
	if !known {
		data, known = s.frozen.document(seq)
	}
	if !known {
		err = s.view(func(tx *bbolt.Tx) error {
			if b := tx.Bucket(documentBucket); b != nil {
				data = bytes.Clone(b.Get(seqKey(seq)))
			}
			return nil
		})
	}
	if data == nil || err != nil {
		return Event{}, false, err
	}
	if err := doc.UnmarshalBinary(data); err != nil {
		return Event{}, false, fmt.Errorf("%s: document %d: %w", s.db.Path(), seq, err)
	}
	return doc, true, nil
}

// freeze returns a snapshot of s, to be written while s goes on changing. There
// must be no other.
func (s *state) freeze(counts *bayes.Counts) *snapshot {
	s.frozen, s.fresh = s.fresh, newChanges()
	return &snapshot{s.dir, s.db, counts, s.model, s.pos, s.frozen}
}

// thaw ends what freeze began.
func (s *state) thaw(snap *snapshot, written bool) {
	if written {
		s.snapshot = snap.pos.Seq
		s.frozen = nil
		return
	}
	s.frozen.merge(s.fresh)
	s.fresh, s.frozen = s.frozen, nil
}

// A snapshot is a state that no longer changes.
type snapshot struct {
	dir     string
	db      *bbolt.DB
	counts  *bayes.Counts
	model   bayes.EventModel
	pos     position
	changes *changes
}

// write makes snap what the disk holds. The transaction decides: before it the
// old model file counts, after it the new one.
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
	if err := guard(func() error { return snap.db.Update(snap.commit) }); err != nil {
		return classify(err)
	}
	removeOthers(snap.dir, snap.pos.Seq)
	return nil
}
