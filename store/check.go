package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"bayes"
	"bayes/internal/mmap"
	"bayes/internal/wire"
	"bayes/text"

	"go.etcd.io/bbolt"
)

// A Report is what [Check] found in a store's folder.
type Report struct {
	Snapshot  uint64 // the last event that is in the snapshot
	Last      uint64 // the last event of the log, where that is a file
	Documents int    // how many the snapshot has whole
	Examples  int64  // how many it counts
	Features  int    // how many features they have

	Model bayes.EventModel // how they are fitted; nil if that is not known

	Damage []string // what is wrong, a line each, with the name of the file; empty if the store is whole
	Notes  []string // what is odd but harms nothing, a line each
}

// Check reads the store in a folder, which no process has open, and verifies it:
// the model file against its checksum; every document of state.db against its own,
// and that each is found under its ID and nothing else is; the events of log.db, that
// none is missing; and that these three go together. It changes nothing. Languages
// are as for [bayes.Load].
//
// What is wrong is in the Report. The error is [ErrInUse] if a process has the
// store, or that of reading the folder.
func Check(dir string, languages ...*text.Language) (*Report, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, classify(err)
	}
	path := filepath.Join(dir, "state.db")
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: there is no store: %w", dir, err)
	}
	db, err := openDB(path, true)
	switch {
	case err == nil:
		defer db.Close()
	case errors.Is(err, ErrInUse), errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: %w", path, err)
	} // what is damaged nobody has open
	// Without a position nobody knows which model file and which events belong to the store.
	c := &checking{dir: dir}
	if c.state(); c.hasPosition {
		if err == nil && len(c.Damage) == 0 {
			c.lookups(db)
		}
		c.model(languages)
		c.log()
	}
	for _, f := range files {
		seq, ok := isModelName(f.Name())
		if ok && seq != c.pos.Seq || isTemporary(f.Name()) || f.Name() == "log.db.new" {
			c.note(f.Name(), "left by a crash; the next snapshot removes it")
		} else if !isStoreFile(f.Name()) {
			c.note(f.Name(), "it is no file of a store")
		}
	}
	if c.more > 0 {
		c.Damage = append(c.Damage, fmt.Sprintf("%s: and %d more", dir, c.more))
	}
	return &c.Report, nil
}

// checking is a Report in the making.
type checking struct {
	Report
	dir         string
	pos         position
	hasPosition bool
	more        int // findings that are not in Damage
}

func (c *checking) damage(file, format string, args ...any) {
	const most = 20
	if len(c.Damage) == most {
		c.more++
		return
	}
	c.Damage = append(c.Damage, filepath.Join(c.dir, file)+": "+fmt.Sprintf(format, args...))
}

func (c *checking) note(file, what string) {
	c.Notes = append(c.Notes, filepath.Join(c.dir, file)+": "+what)
}

// state checks state.db. It does not use bbolt, which trusts every page.
func (c *checking) state() {
	const name = "state.db"
	f, err := mmap.Open(filepath.Join(c.dir, name))
	if err == nil {
		defer runtime.KeepAlive(f)
		if err = c.position(f.Data); err == nil {
			err = c.documents(f.Data)
		}
	}
	if err != nil {
		c.damage(name, "%v", err)
	}
}

func (c *checking) position(data []byte) error {
	_, err := readBolt(data, positionBucket, func(key, value []byte) error {
		value, err := unseal(value)
		if err == nil && string(key) == string(positionBucket) {
			err = json.Unmarshal(value, &c.pos)
			c.hasPosition = err == nil
		}
		return err
	})
	if err == nil && !c.hasPosition {
		err = fmt.Errorf("it has no position")
	}
	c.Snapshot = c.pos.Seq
	return err
}

// documents checks the documents and the IDs that lead to them.
func (c *checking) documents(data []byte) error {
	const name = "state.db"
	// First all IDs, in ascending order, and the numbers of the documents that they name.
	ids := make(map[string]uint64)
	var last []byte
	_, err := readBolt(data, idBucket, func(key, value []byte) error {
		switch {
		case last != nil && bytes.Compare(last, key) >= 0:
			c.damage(name, "id %q is not where it should be", key)
		case len(value) != 8:
			c.damage(name, "id %q has no number", key)
		default:
			ids[string(key)] = binary.BigEndian.Uint64(value)
		}
		last = key
		return nil
	})
	if err != nil {
		return err
	}
	// Then the documents, in ascending order. Each takes its ID off the list.
	next := uint64(0)
	_, err = readBolt(data, documentBucket, func(key, value []byte) error {
		if len(key) != 8 || binary.BigEndian.Uint64(key) < next {
			c.damage(name, "document %x is not where it should be", key)
			return nil
		}
		seq := binary.BigEndian.Uint64(key)
		next = seq + 1
		c.Documents++
		c.document(seq, value, ids)
		return nil
	})
	if err != nil {
		return err
	}
	// What is left on the list names no document.
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		c.damage(name, "id %q is that of document %d, which is not there", id, ids[id])
	}
	if c.Documents != c.pos.Documents {
		c.damage(name, "it has %d documents, of %d", c.Documents, c.pos.Documents)
	}
	return nil
}

// lookups checks that bbolt finds every document and every ID, by pages that
// themselves have been read.
func (c *checking) lookups(db *bbolt.DB) {
	const name = "state.db"
	err := guard(func() error {
		return db.View(func(tx *bbolt.Tx) error {
			for _, bucket := range [][]byte{documentBucket, idBucket} {
				b := tx.Bucket(bucket)
				if b == nil {
					return errBolt
				}
				cursor := b.Cursor()
				for k, v := cursor.First(); k != nil; k, v = cursor.Next() {
					if !bytes.Equal(b.Get(k), v) {
						c.damage(name, "%s: %q is not found where it is", bucket, k)
					}
				}
			}
			return nil
		})
	})
	if err != nil {
		c.damage(name, "%v", err)
	}
}

// document checks one document, and takes its ID out of those that are to be found.
func (c *checking) document(seq uint64, value []byte, ids map[string]uint64) {
	const name = "state.db"
	var doc Event
	if err := doc.UnmarshalBinary(value); err != nil {
		c.damage(name, "document %d: %v", seq, err)
		return
	}
	if doc.ID != "" && ids[doc.ID] != seq {
		c.damage(name, "document %d is not found under its id %q", seq, doc.ID)
	} else {
		delete(ids, doc.ID)
	}
	if doc.Op != OpLearn || seq < c.pos.Oldest || seq > c.pos.Seq {
		c.damage(name, "document %d (%v) is not one of events %d to %d", seq, doc.Op, c.pos.Oldest, c.pos.Seq)
	}
}

// model checks the snapshot's model file.
func (c *checking) model(languages []*text.Language) {
	name := modelName(c.pos.Seq)
	data, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		c.damage(name, "%v", err)
		return
	}
	if wire.Checksum(data) != c.pos.Checksum {
		c.damage(name, "it is not the file that state.db belongs to")
		return
	}
	counts, em, err := bayes.Load(bytes.NewReader(data), languages...)
	if err != nil {
		c.damage(name, "%v", err)
		return
	}
	c.Examples, c.Features, c.Model = counts.Examples(), counts.Len(), em
	if _, err := bayes.Fit(counts, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
		c.note(name, fmt.Sprintf("no model can be fitted to it: %v", err))
	}
}

// log checks log.db, and that it goes on where the snapshot ends.
func (c *checking) log() {
	const name = "log.db"
	f, err := mmap.Open(filepath.Join(c.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		c.note(name, "it is not there, as where the log is in Redis, which is not checked")
		return
	}
	if err != nil {
		c.damage(name, "%v", err)
		return
	}
	defer runtime.KeepAlive(f)
	events, err := findEvents(f.Data)
	if err != nil {
		c.damage(name, "%v", err)
		return
	}
	c.Last = events.last
	switch {
	case events.last < c.pos.Seq:
		c.damage(name, "it ends at event %d, the snapshot is at event %d", events.last, c.pos.Seq)
	case events.first() > c.pos.Seq+1:
		c.damage(name, "it starts at event %d, the snapshot is at event %d", events.first(), c.pos.Seq)
	}
	if events.first() == 1 && len(events.events) > 0 {
		var begin Event
		if err := begin.UnmarshalBinary(events.events[0]); err != nil || begin.Op != opBegin || begin.ID != c.pos.Base {
			c.damage(name, "it belongs to a store that began with other counts, event model or window")
		}
	}
}
