package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bayes"
	"bayes/internal/fuzzing"

	"go.etcd.io/bbolt"
)

// repair makes the checksums of a file of bbolt right: those of its first two pages, and
// those of the values, which events and the position have at their ends.
func repair(data []byte) {
	if len(data) < pageHeader+64 {
		return
	}
	size := int(native.Uint32(data[pageHeader+8:]))
	if size < pageHeader+64 || size > len(data)/2 {
		return
	}
	for _, page := range [][]byte{data, data[size:]} {
		b := page[pageHeader:]
		sum := fnv.New64a()
		sum.Write(b[:56])
		native.PutUint64(b[56:], sum.Sum64())
	}
	for at := 2 * size; at+size <= len(data); at += size {
		repairPage(data[at:])
	}
}

// repairPage seals the values of a leaf anew.
func repairPage(page []byte) {
	if native.Uint16(page[8:]) != leafPage {
		return
	}
	for i := range uint64(native.Uint16(page[10:])) {
		at := pageHeader + 16*i
		if at+16 > uint64(len(page)) {
			return
		}
		flags, from := native.Uint32(page[at:]), at+uint64(native.Uint32(page[at+4:]))+uint64(native.Uint32(page[at+8:]))
		to := from + uint64(native.Uint32(page[at+12:]))
		if flags&bucketElement == 0 && to <= uint64(len(page)) && to-from > 8 {
			seal(page[from:to-4:to], 0)
		}
	}
}

// smallDB returns a file of bbolt with small pages, in which fuzzers find their way.
func smallDB(f *testing.F, buckets map[string]map[string][]byte) []byte {
	f.Helper()
	path := filepath.Join(f.TempDir(), "small.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: 512, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		f.Fatal(err)
	}
	for range 2 { // so that both first pages belong to it
		err = db.Update(func(tx *bbolt.Tx) error {
			for name, pairs := range buckets {
				b, err := tx.CreateBucketIfNotExists([]byte(name))
				if err != nil {
					return err
				}
				for k, v := range pairs {
					if err := b.Put([]byte(k), v); err != nil {
						return err
					}
				}
				if err := b.SetSequence(uint64(len(pairs))); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	whole, err := newBoltFile(data)
	if err != nil {
		f.Fatal(err)
	}
	return data[:whole.pages*whole.pageSize]
}

// encodedEvents returns n events, encoded, by their keys in log.db.
func encodedEvents(n int) map[string][]byte {
	events := map[string][]byte{}
	for i := range n {
		e := Event{Op: OpLearn, Time: time.UnixMilli(1700000000000), ID: fmt.Sprint(i), Example: bayes.Example{
			Label: "spam", Text: fmt.Sprintf("win prize %d", i), Attrs: []bayes.Attr{bayes.Number("x", float64(i)), bayes.Text("title", "t")},
		}}
		switch i % 5 {
		case 3:
			e = Event{Op: OpUnlearn, Time: time.UnixMilli(1700000000000), ID: "1"}
		case 4:
			e = Event{Op: OpRelabel, Time: time.UnixMilli(1700000000000), ID: "2", Example: bayes.Example{Label: "ham"}}
		}
		b, _ := e.MarshalBinary() // it has no error
		events[string(seqKey(uint64(i+1)))] = b
	}
	return events
}

// An event whose checksum is right is an error, or encodes as bytes that decode as the same;
// and applying it is an error, or leaves counts that can be fitted, and taken back.
func FuzzEvent(f *testing.F) {
	for _, b := range encodedEvents(5) {
		f.Add(b[:len(b)-4])
	}
	f.Fuzz(func(t *testing.T, form []byte) {
		data := seal(bytes.Clone(form), 0)
		var e Event
		var err error
		fuzzing.Bound(t, len(data), 64, func() { err = e.UnmarshalBinary(data) })
		if err != nil {
			return
		}
		once, err := e.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again Event
		if err := again.UnmarshalBinary(once); err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if twice, _ := again.MarshalBinary(); !bytes.Equal(once, twice) {
			t.Fatalf("%x, then %x", once, twice)
		}
	})
}

// A log.db whose checksums are right is damaged, or holds events without a gap.
func FuzzLogFile(f *testing.F) {
	for _, n := range []int{0, 1, 12} { // an empty bucket, one inside its parent's page, one with branches
		seed := smallDB(f, map[string]map[string][]byte{string(eventBucket): encodedEvents(n)})
		repair(seed)
		if found, err := findEvents(seed); err != nil || len(found.events) != n {
			f.Fatalf("a log of %d events is no seed: %v", n, err)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.Clone(data)
		repair(data)
		var found *foundEvents
		var err error
		fuzzing.Bound(t, len(data), 256, func() { found, err = findEvents(data) })
		if err != nil {
			return
		}
		if n := uint64(len(found.events)); n > 0 && found.first()+n-1 != found.last {
			t.Fatalf("%d events from %d to %d", n, found.first(), found.last)
		}
		for _, b := range found.events {
			if err := new(Event).UnmarshalBinary(b); err != nil {
				t.Fatalf("an event that was checked is damaged: %v", err)
			}
		}
	})
}

// A state.db whose checksums are right opens as a state that finds its documents, or is an
// error; it never ends the process.
func FuzzStateFile(f *testing.F) {
	model := batchOf(f)
	pos := fmt.Appendf(nil, `{"seq":4,"clock":1764000000000,"oldest":1,"documents":2,"base":"00","replica":"A","checksum":%d}`, checksumOf(model))
	documents := encodedEvents(2)
	folder := func(t testing.TB, data []byte) (dir string) {
		dir = t.TempDir()
		for name, content := range map[string][]byte{"state.db": data, modelName(4): model} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	seed := smallDB(f, map[string]map[string][]byte{
		string(documentBucket): documents,
		string(idBucket):       {"0": seqKey(1), "1": seqKey(2)},
		string(positionBucket): {string(positionBucket): seal(pos, 0)},
	})
	repair(seed)
	s, _, err := openState(folder(f, seed), new(Options))
	if err != nil {
		f.Fatalf("a state is no seed: %v", err)
	}
	if seq, doc, err := s.find("1"); err != nil || seq != 2 || doc.ID != "1" {
		f.Fatalf("document 1 of the seed is %d, %v: %v", seq, doc, err)
	}
	s.db.Close()
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.Clone(data)
		repair(data)
		dir := folder(t, data)
		var s *state
		var err error
		fuzzing.Bound(t, len(data)+len(model), 256, func() { s, _, err = openState(dir, new(Options)) })
		if err != nil {
			return
		}
		defer s.db.Close()
		for _, id := range []string{"0", "1", "2"} {
			if seq, doc, err := s.find(id); err == nil && seq > 0 && doc.ID != id {
				t.Fatalf("document %q is found as %q", id, doc.ID)
			}
		}
		for _, seq := range []uint64{0, 1, 2, 1 << 60} {
			s.document(seq)
		}
	})
}

func checksumOf(b []byte) uint32 { return binary.LittleEndian.Uint32(seal(bytes.Clone(b), 0)[len(b):]) }

func batchOf(f *testing.F) []byte {
	return batch(f, bayes.Multinomial{}, bayes.Example{Label: "spam", Text: "win prize 0"}, bayes.Example{Label: "spam", Text: "win prize 1"})
}
