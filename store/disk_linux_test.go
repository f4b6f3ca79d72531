package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bayes"
)

// disk mounts a small disk of its own, in memory.
func disk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("no disk can be mounted for the test, which root may do: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
	return dir
}

func TestDiskFull(t *testing.T) {
	root := disk(t, "size=3m")
	dir := filepath.Join(root, "store")
	ballast := filepath.Join(root, "ballast") // without it there is room for all of the rest once more
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir, nil, &Options{SnapshotEvery: 10})
	var learned []bayes.Example
	learn := func() error {
		ex := bayes.Example{Label: "a", Text: strings.Repeat(fmt.Sprintf("word%d ", len(learned)), 100)}
		_, err := s.Learn(ctx, Entry{fmt.Sprint(len(learned)), ex})
		if err == nil {
			learned = append(learned, ex)
		}
		return err
	}
	var err error
	for range 10_000 {
		if err = learn(); err != nil {
			break
		}
	}
	check := func(when string) {
		t.Helper()
		if !bytes.Equal(file(t, s), batch(t, bayes.Multinomial{}, learned...)) {
			t.Errorf("%s: the counts are not those of what was acknowledged", when)
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("after %d documents: %v", len(learned), err)
	}
	visible(t, s)
	if p := s.Model().Predict(bayes.Document{Text: "word0"}); p.Known != 1 {
		t.Error("it does not predict")
	}
	check("disk full")
	s.Close() // which may find no room for a snapshot
	s = mustOpen(t, dir, nil, &Options{SnapshotEvery: 10})
	check("opened again")
	if err := learn(); err != nil && !errors.Is(err, ErrFull) {
		t.Errorf("opened again: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := learn(); err != nil {
		t.Errorf("with room again: %v", err)
	}
	check("with room again")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s = mustOpen(t, dir, nil, nil)
	check("at last")
	t.Logf("%d documents", len(learned))
	s.Close()
}

func TestReadOnlyDisk(t *testing.T) {
	root := disk(t, "size=10m")
	dir := filepath.Join(root, "store")
	s := mustOpen(t, dir, nil, nil)
	if _, err := s.Learn(ctx, entry("1", "a", "b")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	// What follows the snapshot is in the log alone.
	l := mustOpenBolt(t, filepath.Join(dir, "log.db"))
	if _, err := l.Append(ctx, events(1, 5)); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, dir, nil, nil)
	if n := s.Counts().Examples(); n != 5 {
		t.Errorf("%d examples, not the 1 to 5 that are left", n)
	}
	if _, err := s.Learn(ctx, entry("1", "a", "b")); !errors.Is(err, ErrReadOnly) {
		t.Errorf("learning says %v", err)
	}
	if p := s.Model().Predict(bayes.Document{Text: "text"}); p.Known != 1 {
		t.Error("it does not predict")
	}
	if err := s.Close(); !errors.Is(err, ErrReadOnly) {
		t.Errorf("closing says %v, though no snapshot could be written", err)
	}
	if _, err := Open(ctx, filepath.Join(root, "new"), nil, nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a new store: %v", err)
	}
}
