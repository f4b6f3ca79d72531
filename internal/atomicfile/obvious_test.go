package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// What the two obvious ways of replacing a file lose, and Write keeps: the table of the
// package comment.
func TestObviousWays(t *testing.T) {
	create := func(name string, write func(io.Writer) error) error {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	rename := func(name string, write func(io.Writer) error) error {
		f, err := os.CreateTemp(filepath.Dir(name), "new-*")
		if err != nil {
			return err
		}
		defer os.Remove(f.Name())
		if err := errors.Join(write(f), f.Close()); err != nil {
			return err
		}
		return os.Rename(f.Name(), name)
	}
	failed := errors.New("no space left on device")
	fails := func(w io.Writer) error {
		io.WriteString(w, "half of the n")
		return failed
	}
	for _, way := range []struct {
		name                   string
		write                  func(string, func(io.Writer) error) error
		content, mode, symlink bool // whether it keeps them
	}{
		{"os.Create", create, false, true, true},
		{"os.CreateTemp and os.Rename", rename, true, false, false},
		{"Write", Write, true, true, true},
	} {
		t.Run(way.name, func(t *testing.T) {
			dir := t.TempDir()
			file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
			if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, 0o640); err != nil { // whatever the umask
				t.Fatal(err)
			}
			if err := os.Symlink("file", link); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
			if err := way.write(file, fails); !errors.Is(err, failed) {
				t.Errorf("a write that fails: %v", err)
			}
			if b, err := os.ReadFile(file); err != nil || (string(b) == "old") != way.content {
				t.Errorf("after a write that failed the file holds %q (%v)", b, err)
			}
			if err := way.write(link, put("new")); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Lstat(link); err != nil || (info.Mode()&os.ModeSymlink != 0) != way.symlink {
				t.Errorf("the link is now %v (%v)", info.Mode(), err)
			}
			if err := way.write(file, put("new")); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(file); err != nil || (info.Mode().Perm() == 0o640) != way.mode {
				t.Errorf("the mode is now %v (%v)", info.Mode(), err)
			}
		})
	}
}
