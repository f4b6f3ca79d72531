package store_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"bayes"
	"bayes/store"
)

// A store, its snapshots, a backup and a store that goes on from it keep the columns.
func TestStoreRemembersColumns(t *testing.T) {
	want := bayes.Columns{Label: "v1", Text: []string{"v2"}, NoHeader: true}
	c := bayes.NewCounts(nil)
	examples := []bayes.Example{{Label: "spam", Text: "win a prize"}, {Label: "ham", Text: "lunch"}}
	for _, ex := range examples {
		c.Learn(ex)
	}
	c.SetColumns(want)
	dir := filepath.Join(t.TempDir(), "store")
	open := func(dir string, opts *store.Options) *store.Store {
		t.Helper()
		s, err := store.Open(t.Context(), dir, nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Counts().Columns(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", filepath.Base(dir), got)
		}
		if got := s.Model().Columns(); !reflect.DeepEqual(got, want) {
			t.Errorf("the model of %s: %+v", filepath.Base(dir), got)
		}
		return s
	}
	s := open(dir, &store.Options{Counts: c, SnapshotEvery: 1})
	for _, ex := range examples {
		if _, err := s.Learn(t.Context(), store.Entry{Example: ex}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(dir, nil)
	backup := filepath.Join(t.TempDir(), "backup")
	if err := s.Backup(backup); err != nil {
		t.Fatal(err)
	}
	s.Close()
	open(backup, nil).Close()
}
