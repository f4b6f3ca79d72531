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
	"time"

	"bayes"

	"go.etcd.io/bbolt"
	"pgregory.net/rapid"
)

// found returns the files of a folder that hold any of some words.
func found(t testing.TB, dir string, words ...string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if errors.Is(err, os.ErrNotExist) { // a snapshot that has been replaced
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			if bytes.Contains(data, []byte(word)) {
				list = append(list, f.Name()+": "+word)
			}
		}
	}
	return list
}

// erased waits until a store says that all that was taken out is erased.
func erased(t testing.TB, s *Store) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		st := s.Status()
		if st.Erased == st.Applied {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("nothing is erased: %+v", st)
		}
	}
}

// secret returns a text of a word of its own, long enough for pages of its own.
func secret(i int) string { return strings.Repeat(fmt.Sprintf("secret%04d ", i), 1+i%3*300) }

// What was unlearned, replaced or left the window is in no file of the folder, in
// no page that is free and in no older file, once the store says that it is erased.
// What is left can still be read.
func TestErase(t *testing.T) {
	for name, finish := range map[string]func(t testing.TB, s *Store){
		"in time":       erased,
		"when closed":   func(t testing.TB, s *Store) { s.Close() },
		"by a snapshot": func(t testing.TB, s *Store) { fill(t, s) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			opts := &Options{SnapshotEvery: 40, Window: Window{Documents: 60}}
			if name == "in time" {
				opts.EraseWithin = 200 * time.Millisecond
			}
			s := mustOpen(t, dir, nil, opts)
			for i := range 90 { // the window keeps 30 to 89
				if _, err := s.Learn(ctx, entry(fmt.Sprint(i), "a", secret(i))); err != nil {
					t.Fatal(err)
				}
			}
			gone := []string{"secret0000", "secret0029", "secret0050", "secret0051", "secret0052", "secret0053"}
			if len(found(t, dir, gone[2:]...)) == 0 {
				t.Fatal("the test looks in the wrong place")
			}
			if st := s.Status(); st.Erased >= st.Applied && len(found(t, dir, gone...)) > 0 {
				t.Errorf("nothing is erased, but the status is %+v", st)
			}
			if _, err := s.Unlearn(ctx, "50", "51"); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Learn(ctx, entry("52", "a", "another text"), entry("53", "a", "another text")); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Relabel(ctx, entry("54", "laterclass", "")); err != nil {
				t.Fatal(err)
			}
			seq := s.Status().Applied
			finish(t, s)
			if list := found(t, dir, gone...); len(list) > 0 {
				t.Errorf("still there are %q", list)
			}
			if st := s.Status(); st.Erased < seq {
				t.Errorf("the status is %+v", st)
			}
			s.Close()
			opts.Window.Documents = 0
			s = mustOpen(t, dir, nil, opts)
			if st := s.Status(); st.Erased != st.Applied {
				t.Errorf("opened again: the status is %+v", st)
			}
			if name == "by a snapshot" {
				return // which has left the window
			}
			if ex, ok, err := s.Lookup("54"); !ok || ex.Label != "laterclass" || ex.Text != secret(54) || err != nil {
				t.Errorf("document 54 is %v, %v: %v", ex, ok, err)
			}
		})
	}
}

// fill makes snapshots due until what was taken out so far is erased.
func fill(t testing.TB, s *Store) {
	t.Helper()
	for seq, i := s.Status().Applied, 0; s.Status().Erased < seq; i++ {
		if i == 10_000 {
			t.Fatalf("nothing is erased: %+v", s.Status())
		}
		if _, err := s.Learn(ctx, entry("", "a", "b")); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder that was written before there was erasure, or by a process that was
// killed before it came to it, is cleaned when it is opened.
func TestEraseWhatWasLeft(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, nil)
	if _, err := s.Learn(ctx, entry("1", "a", "kept")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	db, err := openDB(filepath.Join(dir, "state.db"), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(b *bbolt.Bucket) error{
		func(b *bbolt.Bucket) error { return b.Put([]byte("x"), []byte(strings.Repeat(secret(2), 10))) },
		func(b *bbolt.Bucket) error { return b.Delete([]byte("x")) },
	} {
		if err := db.Update(func(tx *bbolt.Tx) error { return change(tx.Bucket(documentBucket)) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&state{db: db}).setErased(0); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, name := range []string{"model-1.nb", ".model-7.nb.123"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret(2)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(found(t, dir, "secret0002")); n != 3 {
		t.Fatal("the test looks in the wrong place")
	}
	s = mustOpen(t, dir, nil, &Options{EraseWithin: time.Minute})
	erased(t, s)
	if list := found(t, dir, "secret0002"); len(list) > 0 {
		t.Errorf("still there are %q", list)
	}
}

// Whatever was put and deleted, clearing the pages that are free leaves a file of
// bbolt as it was to those who read it, and to those who go back by a transaction.
func TestClearFree(t *testing.T) {
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		path := filepath.Join(root, fmt.Sprint(n))
		db, err := openDB(path, false)
		if err != nil {
			rt.Fatal(err)
		}
		defer os.Remove(path)
		defer func() { db.Close() }()
		want := make(map[string]string)
		for range rapid.IntRange(1, 8).Draw(rt, "transactions") {
			err := db.Update(func(tx *bbolt.Tx) error {
				b, err := tx.CreateBucketIfNotExists([]byte("b"))
				for range rapid.IntRange(0, 60).Draw(rt, "changes") {
					key := fmt.Sprint(rapid.IntRange(0, 99).Draw(rt, "key"))
					if rapid.Bool().Draw(rt, "delete") {
						delete(want, key)
						err = errors.Join(err, b.Delete([]byte(key)))
						continue
					}
					value := strings.Repeat("value", rapid.IntRange(0, 3000).Draw(rt, "length"))
					want[key] = value
					err = errors.Join(err, b.Put([]byte(key), []byte(value)))
				}
				return err
			})
			if err != nil {
				rt.Fatal(err)
			}
		}
		if err := clearFree(db, func() {}); err != nil {
			rt.Fatal(err)
		}
		check := func() {
			got := make(map[string]string)
			err := db.View(func(tx *bbolt.Tx) error {
				for err := range tx.Check() {
					rt.Error(err)
				}
				return tx.Bucket([]byte("b")).ForEach(func(k, v []byte) error { got[string(k)] = string(v); return nil })
			})
			if err != nil || len(got) != len(want) {
				rt.Fatalf("%d of %d values: %v", len(got), len(want), err)
			}
			for k, v := range want {
				if got[k] != v {
					rt.Fatalf("%q is %.20q of %d bytes", k, got[k], len(got[k]))
				}
			}
		}
		check()
		whole, err := os.ReadFile(path)
		if err != nil {
			rt.Fatal(err)
		}
		db.Close()
		size := os.Getpagesize()
		for at := range 2 { // and with either of the first pages torn
			torn := slices.Clone(whole)
			clear(torn[at*size+20 : at*size+60])
			if err := os.WriteFile(path, torn, 0o600); err != nil {
				rt.Fatal(err)
			}
			if db, err = openDB(path, false); err != nil {
				rt.Fatal(err)
			}
			check()
			db.Close()
		}
	})
}

// A list of free pages that says what cannot be is not believed.
func TestDamagedFreelist(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	db, err := openDB(path, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			return errors.Join(err, b.Put([]byte{byte(i)}, make([]byte, 9000)))
		}); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	meta, free, err := readFreelist(f, 0)
	if err != nil || len(free) < 2 {
		t.Fatalf("%v, %v", free, err)
	}
	at := int64(meta.freelist*meta.pageSize) + pageHeader
	for _, bad := range []uint64{0, 1, meta.pages, 1 << 60, free[len(free)-1]} {
		if _, err := f.WriteAt(native.AppendUint64(nil, bad), at); err != nil {
			t.Fatal(err)
		}
		if _, err := freePages(f); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d is taken for a free page: %v", bad, err)
		}
	}
}

// While it is erased, learning goes on, and the counts are as they should be.
func TestEraseWhileLearning(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, &Options{SnapshotEvery: 50, EraseWithin: 10 * time.Millisecond})
	var want []bayes.Example
	for i := range 400 {
		ex := bayes.Example{Label: "a", Text: secret(i)}
		if _, err := s.Learn(ctx, Entry{fmt.Sprint(i), ex}); err != nil {
			t.Fatal(err)
		}
		if i%4 != 0 {
			want = append(want, ex)
		} else if _, err := s.Unlearn(ctx, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	erased(t, s)
	for i := 0; i < 400; i += 4 {
		if list := found(t, dir, fmt.Sprintf("secret%04d", i)); len(list) > 0 {
			t.Fatalf("still there are %q", list)
		}
	}
	if !bytes.Equal(file(t, s), batch(t, bayes.Multinomial{}, want...)) {
		t.Error("other counts")
	}
	s.Close()
	s = mustOpen(t, dir, nil, nil)
	for i := range 400 {
		if ex, ok, err := s.Lookup(fmt.Sprint(i)); err != nil || ok != (i%4 != 0) || ok && ex.Text != secret(i) {
			t.Fatalf("document %d: %v, %v", i, ok, err)
		}
	}
}
