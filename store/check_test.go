package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// A store to damage: documents in state.db, and events after the snapshot.
func storeToDamage(t *testing.T) (dir string, model []byte) {
	t.Helper()
	dir = t.TempDir()
	s := mustOpen(t, dir, nil, nil)
	for i := range 40 {
		if _, err := s.Learn(ctx, entry(fmt.Sprint("id", i), "a", strings.Repeat(fmt.Sprint("word", i, " "), 40))); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	l := mustOpenBolt(t, filepath.Join(dir, "log.db"))
	if _, err := l.Append(ctx, events(1, 3)); err != nil {
		t.Fatal(err)
	}
	l.Close()
	copied := filepath.Join(t.TempDir(), "copy")
	copyFolder(t, dir, copied)
	s = mustOpen(t, copied, nil, nil)
	return dir, file(t, s)
}

func mustCheck(t *testing.T, dir string) *Report {
	t.Helper()
	r, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Damage to any file of a store is found: a bit in any byte of it either does no
// harm, or has a line that names the file. Nothing panics.
func TestCheck(t *testing.T) {
	dir, _ := storeToDamage(t)
	r := mustCheck(t, dir)
	if len(r.Damage)+len(r.Notes) > 0 || r.Documents != 40 || r.Examples != 40 || r.Last != 44 || r.Snapshot != 41 || r.Features != 40 {
		t.Fatalf("%+v", r)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		step, found := max(1, len(whole)/150)|1, 0 // odd, to come to bytes of all kinds
		for at := 0; at < len(whole); at += step {
			for _, b := range [][]byte{whole[:at], flip(whole, at)} {
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
				r, err := Check(dir)
				if err != nil {
					t.Fatalf("%s, byte %d: %v", f.Name(), at, err)
				}
				if len(r.Damage) > 0 {
					found++
				}
				for _, line := range r.Damage {
					if !strings.HasPrefix(line, dir) || strings.Contains(line, "\n") {
						t.Fatalf("%q", line)
					}
				}
				if len(b) < len(whole) && len(r.Damage) == 0 && len(bytes.Trim(whole[at:], "\x00")) > 0 && strings.HasSuffix(f.Name(), ".nb") {
					t.Errorf("%s is cut to %d bytes, and that is not found", f.Name(), at)
				}
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of %d damages found", f.Name(), found, 2*((len(whole)+step-1)/step))
		if found == 0 {
			t.Errorf("%s: no damage is found", f.Name())
		}
	}
}

func flip(b []byte, at int) []byte {
	b = slices.Clone(b)
	b[at] ^= 1 << (at % 8)
	return b
}

// What bbolt takes for whole, but is not, has its own line.
func TestCheckFinds(t *testing.T) {
	change := func(bucket []byte, f func(b *bbolt.Bucket) error) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			db, err := openDB(filepath.Join(dir, "state.db"), false)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.Update(func(tx *bbolt.Tx) error { return f(tx.Bucket(bucket)) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for want, do := range map[string]func(t *testing.T, dir string){
		"document 9 is not found under its id": change(idBucket, func(b *bbolt.Bucket) error { return b.Delete([]byte("id7")) }),
		"which is not there":                   change(documentBucket, func(b *bbolt.Bucket) error { return b.Delete(seqKey(9)) }),
		"39 documents, of 40":                  change(documentBucket, func(b *bbolt.Bucket) error { return b.Delete(seqKey(9)) }),
		"checksum does not match":              change(documentBucket, func(b *bbolt.Bucket) error { return b.Put(seqKey(9), make([]byte, 50)) }),
		"is not one of events": change(documentBucket, func(b *bbolt.Bucket) error {
			return b.Put(seqKey(90), b.Get(seqKey(9)))
		}),
		"has no position":          change(positionBucket, func(b *bbolt.Bucket) error { return b.Delete(positionBucket) }),
		"model-41.nb: ":            remove("model-41.nb"),
		"there is no store":        remove("state.db"),
		"log.db: it is not there,": remove("log.db"),
		"log.db: it ends at event 1, the snapshot is at event 41": func(t *testing.T, dir string) {
			remove("log.db")(t, dir)
			l := mustOpenBolt(t, filepath.Join(dir, "log.db"))
			if _, err := l.Append(ctx, []Event{{Op: opBegin, ID: "other"}}); err != nil {
				t.Fatal(err)
			}
			l.Close()
		},
	} {
		t.Run(want, func(t *testing.T) {
			dir, _ := storeToDamage(t)
			do(t, dir)
			r, err := Check(dir)
			if err != nil {
				r = &Report{Damage: []string{err.Error()}}
			}
			if !strings.Contains(strings.Join(append(r.Damage, r.Notes...), "\n"), want) {
				t.Errorf("%q, %q", r.Damage, r.Notes)
			}
		})
	}
	dir := t.TempDir()
	mustOpen(t, dir, nil, nil)
	if _, err := Check(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("a store that is open: %v", err)
	}
}

// A copy of a store that is not open is the same store, and what was unlearned is
// not in it. The store itself is not changed.
func TestBackupClosed(t *testing.T) {
	dir, model := storeToDamage(t)
	before := folderBytes(t, dir)
	to := filepath.Join(t.TempDir(), "a", "b")
	if err := Backup(dir, to); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, folderBytes(t, dir)) {
		t.Error("the store is changed")
	}
	if r := mustCheck(t, to); len(r.Damage)+len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, to, nil, nil)
	if !bytes.Equal(file(t, s), model) {
		t.Error("the copy is another store")
	}
	if ex, ok, err := s.Lookup("id7"); !ok || err != nil || ex.Label != "a" {
		t.Errorf("%v, %v, %v", ex, ok, err)
	}
	if err := Backup(to, filepath.Join(t.TempDir(), "c")); !errors.Is(err, ErrInUse) {
		t.Errorf("a store that is open: %v", err)
	}
	if err := Backup(t.TempDir(), filepath.Join(t.TempDir(), "c")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no store: %v", err)
	}
}

func folderBytes(t *testing.T, dir string) (all []byte) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, f.Name()...), data...)
	}
	return all
}

// A store that has been removed is gone with its folder; other files stay.
func TestRemove(t *testing.T) {
	dir, _ := storeToDamage(t)
	s := mustOpen(t, dir, nil, nil)
	if err := Remove(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("a store that is open: %v", err)
	}
	s.Close()
	mine := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("a file that is no store's: %v", err)
	}
	if r := mustCheck(t, dir); len(r.Damage) > 0 {
		t.Errorf("%+v", r)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := Remove(dir); err != nil {
		t.Errorf("nothing to remove: %v", err)
	}
}

// A folder whose state.db is empty, though there is a snapshot's model, is not begun
// again.
func TestStateGone(t *testing.T) {
	dir, _ := storeToDamage(t)
	if err := os.Truncate(filepath.Join(dir, "state.db"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, dir, nil, nil); !errors.Is(err, ErrLost) {
		t.Errorf("state.db is empty: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "model-41.nb")); err != nil {
		t.Errorf("the snapshot is gone: %v", err)
	}
}
