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
