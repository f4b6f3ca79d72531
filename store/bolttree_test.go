package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bayes"

	"go.etcd.io/bbolt"
)

// A state.db with a page that is a branch above itself is damaged; bbolt would follow it
// until the process ends.
func TestStateFileCycle(t *testing.T) {
	model := batch(t, bayes.Multinomial{}, bayes.Example{Label: "spam", Text: "win"})
	dir := t.TempDir()
	path := filepath.Join(dir, "state.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: 512})
	if err != nil {
		t.Fatal(err)
	}
	pos := fmt.Appendf(nil, `{"seq":4,"oldest":1,"documents":60,"base":"00","replica":"A","checksum":%d}`, checksumOf(model))
	err = db.Update(func(tx *bbolt.Tx) error {
		p, err := tx.CreateBucket(positionBucket)
		if err == nil {
			err = p.Put(positionBucket, seal(pos, 0))
		}
		documents, err2 := tx.CreateBucket(documentBucket)
		for k, v := range encodedEvents(60) {
			err2 = errors.Join(err2, documents.Put([]byte(k), v))
		}
		return errors.Join(err, err2)
	})
	if err := errors.Join(err, db.Close(), os.WriteFile(filepath.Join(dir, modelName(4)), model, 0o600)); err != nil {
		t.Fatal(err)
	}
	s, _, err := openState(dir, new(Options))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.document(1); !ok || err != nil {
		t.Fatalf("document 1 is not there: %v", err)
	}
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	branches := 0
	for at := 2 * 512; at+512 <= len(data); at += 512 {
		if native.Uint16(data[at+8:]) != branchPage {
			continue
		}
		branches++
		for i := range int(native.Uint16(data[at+10:])) {
			native.PutUint64(data[at+pageHeader+16*i+8:], uint64(at/512))
		}
	}
	if branches == 0 {
		t.Fatal("there is no branch to damage")
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openState(dir, new(Options)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a circle of pages: %v", err)
	}
}
