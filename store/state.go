package store

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bayes"
	"bayes/internal/atomicfile"
	"bayes/internal/wire"

	"go.etcd.io/bbolt"
)

// A state is the result of applying the events of a log up to one of them: counts, and
// the documents that are known by ID. On disk are the counts and documents of the last
// snapshot; in memory are the counts of now, and the documents that have changed since.
// So whatever happens, the disk holds the state after one event.
//
// The snapshot is a model file, which is named by the number of the event, and
// state.db, where one transaction changes the documents and names the model file.
type state struct {
	dir       string
	db        *bbolt.DB
	window    Window
	model     bayes.EventModel
	counts    *bayes.Counts
	pos       position
	recent    *changes // since the last snapshot, or the one that is being written
	frozen    *changes // which that one will hold; nil if none is being written
	snapshot  uint64   // the number of the last event of the last snapshot
	eraseFrom uint64   // the first event in it that took out something that may still be on disk; zero means none
}

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

// openState opens the state in a folder, or makes a new one.
func openState(dir string, opts *Options) (s *state, isNew bool, err error) {
	if err := atomicfile.MkdirAll(dir, 0o700); err != nil {
		return nil, false, classify(err)
	}
	s = &state{dir: dir, window: opts.Window, recent: newChanges()}
	// The file is made, or made durable: a process that was killed may have written to it
	// without a sync.
	path := filepath.Join(dir, "state.db")
	if err = createDB(path); err == nil {
		err = syncFile(path)
	}
	if err == nil {
		s.db, err = openDB(path, false)
	}
	if errors.Is(classify(err), ErrReadOnly) { // to predict it is enough to read
		s.db, err = openDB(path, true)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, classify(err))
	}
	// bbolt trusts its pages, so they are checked before it follows them.
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
	// What an earlier process took out and did not erase is erased by this one.
	s.snapshot = s.pos.Seq
	if s.pos.Erased < s.pos.Seq {
		s.eraseFrom = s.pos.Erased + 1
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
	// Two stores may share a log only if they began alike. The hash, which goes into the log's
	// first event, says so.
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
	if info, err := os.Stat(path); err == nil {
		// The size of the file says, before it is read, whether its counts can fit.
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
	// What has changed since the snapshot is in memory: the latest first, then what is just
	// being written. The file knows the rest.
	seq, known := s.recent.id(id)
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
	n := s.recent.bytes
	if s.frozen != nil {
		n += s.frozen.bytes
	}
	return n
}

// document returns the document that an event added, if it is still there.
func (s *state) document(seq uint64) (doc Event, ok bool, err error) {
	data, known := s.changed(seq)
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

// changed returns what the changes since the snapshot say of a document: nil if it is gone.
func (s *state) changed(seq uint64) (data []byte, known bool) {
	if data, known = s.recent.document(seq); !known {
		data, known = s.frozen.document(seq)
	}
	return data, known
}

// unerased returns the number of the first event that took out something that may
// still be on disk; zero means none.
func (s *state) unerased() uint64 {
	if s.eraseFrom > 0 {
		return s.eraseFrom
	}
	if s.frozen != nil && s.frozen.removed > 0 {
		return s.frozen.removed
	}
	return s.recent.removed
}

// erased returns the number of the last event up to which nothing that was taken
// out is on disk.
func (s *state) erased() uint64 {
	if first := s.unerased(); first > 0 {
		return first - 1
	}
	return s.pos.Seq
}
