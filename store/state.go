package store

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
	pending  uint64   // the first event in it that took out something that may still be on disk; zero means none
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
	Erased    uint64 `json:"erased"`    // what was taken out up to this event is not on disk
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

// isModelName reports whether name is one that modelName returns, and of which event.
func isModelName(name string) (seq uint64, ok bool) {
	if n, ok := strings.CutPrefix(name, "model-"); ok {
		seq, _ = strconv.ParseUint(strings.TrimSuffix(n, ".nb"), 10, 64)
	}
	return seq, name == modelName(seq)
}

// isTemporary reports whether name is that of a model file or of state.db while
// it is written.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".model-") || strings.HasPrefix(name, ".state.db.")
}

// openState opens the state in a folder, or makes a new one.
func openState(dir string, opts *Options) (s *state, isNew bool, err error) {
	if err := atomicfile.MkdirAll(dir, 0o700); err != nil {
		return nil, false, classify(err)
	}
	s = &state{dir: dir, window: opts.Window, fresh: newChanges()}
	path := filepath.Join(dir, "state.db")
	if err = createDB(path); err == nil {
		err = syncFile(path)
	}
	if err == nil {
		s.db, err = openDB(path, false)
	}
	if errors.Is(classify(err), ErrReadOnly) {
		s.db, err = openDB(path, true)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, classify(err))
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
	if s.pos.Erased < s.pos.Seq {
		s.pending = s.pos.Erased + 1
	}
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
		s.pos, err = readPosition(b)
		return err
	})
	if err == nil && isNew {
		err = s.checkEmpty()
	}
	return isNew, err
}

// checkEmpty returns [ErrLost] if the folder of a state.db that has no position
// holds a later snapshot's model file: state.db is then not new but gone.
func (s *state) checkEmpty() error {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return classify(err)
	}
	for _, f := range files {
		if seq, ok := isModelName(f.Name()); ok && seq > 0 {
			return fmt.Errorf("%s: %w: it is empty, but the folder has a %s: restore a backup", s.db.Path(), ErrLost, f.Name())
		}
	}
	return nil
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
	base := sha256.New()
	if err := bayes.Save(base, s.counts, s.model); err != nil {
		return err
	}
	fmt.Fprintf(base, "window %d %d", max(0, s.window.Documents), max(0, s.window.Age).Milliseconds())
	s.pos = position{Base: fmt.Sprintf("%x", base.Sum(nil)), Replica: rand.Text()}
	return nil
}

// load reads the snapshot's model file and removes others.
func (s *state) load(opts *Options) error {
	path := filepath.Join(s.dir, modelName(s.pos.Seq))
	if info, err := os.Stat(path); err == nil {
		if err := opts.Memory.holds(info.Size()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: it is the snapshot's, but not there", path, ErrLost)
	}
	if err != nil {
		return classify(err)
	}
	if wire.Checksum(data) != s.pos.Checksum {
		return fmt.Errorf("%s: %w: it is not the file that state.db belongs to", path, ErrCorrupt)
	}
	if s.counts, s.model, err = bayes.Load(bytes.NewReader(data), opts.Languages...); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	removeOthers(s.dir, s.pos.Seq) // or else after the next snapshot
	return nil
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

// unsaved returns about how many bytes of documents are in memory.
func (s *state) unsaved() int64 {
	n := s.fresh.bytes
	if s.frozen != nil {
		n += s.frozen.bytes
	}
	return n
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
	pos := s.pos
	if pos.Erased = pos.Seq; s.pending > 0 {
		pos.Erased = s.pending - 1
	} else if s.frozen.removed > 0 {
		pos.Erased = s.frozen.removed - 1
	}
	return &snapshot{s.dir, s.db, counts, s.model, pos, s.frozen}
}

// thaw ends what freeze began.
func (s *state) thaw(snap *snapshot, written bool) {
	if written {
		s.snapshot = snap.pos.Seq
		if s.pending == 0 {
			s.pending = s.frozen.removed
		}
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
	return classify(guard(func() error { return snap.db.Update(snap.commit) }))
}
