package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func put(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// wantFile wants the folder of name to hold that file alone.
func wantFile(t *testing.T, name, content string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil || string(b) != content {
		t.Errorf("the file holds %q (%v), want %q", b, err, content)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (%v)", entries, err)
	}
}

// A failed write leaves the old file, and nothing beside it.
func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.nb")
	if err := Write(name, put("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := Write(name, func(w io.Writer) error {
		io.WriteString(w, "half of the n")
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	wantFile(t, name, "old")
	if err := Write(name, put("new")); err != nil {
		t.Fatal(err)
	}
	wantFile(t, name, "new")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := Write(filepath.Join(t.TempDir(), "no", "such"), put("")); err == nil {
		t.Error("a file is written to a folder that is not there")
	}
}

// A chain of symbolic links stays, and the file at its end is replaced or made.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"a", "b", "b/deep"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{"a/one": "two", "a/two": "../b/model", "side": "b/deep", "odd": "side/../model"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for _, content := range []string{"made", "replaced"} {
		if err := Write(filepath.Join(dir, "a/one"), put(content)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "b/model")); err != nil || string(b) != content {
			t.Errorf("the target holds %q (%v), want %q", b, err, content)
		}
	}
	// b/deep/.. is b, where side leads, and not the folder of side.
	if err := Write(filepath.Join(dir, "odd"), put("odd")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "b/model")); err != nil || string(b) != "odd" {
		t.Errorf("the target holds %q (%v)", b, err)
	}
	for name, to := range links {
		if got, err := os.Readlink(filepath.Join(dir, name)); err != nil || got != to {
			t.Errorf("%s leads to %q (%v), want %q", name, got, err, to)
		}
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "loop"), put("")); err == nil {
		t.Error("a loop is written to")
	}
}

// What appears while a file is written is not replaced unless that is permitted.
func TestWriteIf(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.nb")
	var told []bool
	refused := errors.New("refused")
	onlyNew := func(old os.FileInfo) error {
		told = append(told, old != nil)
		if old != nil {
			return refused
		}
		return os.WriteFile(name, []byte("other"), 0o600) // of another process
	}
	if err := WriteIf(name, onlyNew, put("new")); !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	if len(told) != 2 || told[0] || !told[1] {
		t.Errorf("permit was told %v", told)
	}
	wantFile(t, name, "other")
	if err := WriteIf(name, func(os.FileInfo) error { return nil }, put("new")); err != nil {
		t.Error(err)
	}
	wantFile(t, name, "new")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := WriteIf(name, func(os.FileInfo) error { return nil }, put("first")); err != nil {
		t.Error(err)
	}
	wantFile(t, name, "first")
}

// A program that is about to exit leaves the old file, and nothing next to it.
func TestAbandon(t *testing.T) {
	t.Cleanup(func() { unfinished.abandoned = false })
	name := filepath.Join(t.TempDir(), "m.nb")
	if err := Write(name, put("old")); err != nil {
		t.Fatal(err)
	}
	err := Write(name, func(w io.Writer) error {
		io.WriteString(w, "half of the n")
		Abandon()
		wantFile(t, name, "old")
		return nil
	})
	if err == nil {
		t.Error("a write that was abandoned has no error")
	}
	if err := Write(name, put("new")); !errors.Is(err, ErrAbandoned) {
		t.Errorf("a write after that: %v", err)
	}
	wantFile(t, name, "old")
}

// Try leaves nothing.
func TestTry(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.nb")
	if err := Write(name, put("old")); err != nil {
		t.Fatal(err)
	}
	if err := Try(name); err != nil {
		t.Error(err)
	}
	wantFile(t, name, "old")
	if err := Try(filepath.Join(t.TempDir(), "no", "such")); err == nil {
		t.Error("a file can be written to a folder that is not there")
	}
}
