//go:build unix

package mmap

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"testing"
	"time"
)

// Files that nobody reaches any more take no descriptors from those to be opened.
func TestOpenManyFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("some bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(name, old, old); err != nil { // so that it is mapped
		t.Fatal(err)
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	few := was
	few.Cur = 64
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing is collected unless it is asked for
	for i := range 200 {
		f, err := Open(name)
		if err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
		if f.file == nil {
			t.Fatal("the file is not mapped")
		}
	}
	// Those that are reached keep theirs, and the error says that there are no more.
	var reached []*File
	for range 200 {
		f, err := Open(name)
		if errors.Is(err, syscall.EMFILE) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		reached = append(reached, f)
	}
	if n := len(reached); n == 0 || n >= 64 {
		t.Errorf("%d files are open", n)
	}
	for _, f := range reached {
		if err := f.Err(); err != nil || string(f.Data) != "some bytes" {
			t.Fatalf("%q, %v", f.Data, err)
		}
	}
}
