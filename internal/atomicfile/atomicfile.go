// Package atomicfile replaces files whole or not at all.
package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Write makes the file called name hold what write writes. The bytes go to a
// temporary file in the same folder, are synced to disk and take the name by a
// rename, so that after an error, a full disk or a power cut the old file is
// still there. A device or a pipe is written to as it is.
func Write(name string, write func(w io.Writer) error) (err error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return &os.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	} else if err == nil && !info.Mode().IsRegular() {
		return writeTo(name, write)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(mode(name)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return Rename(f.Name(), name)
}

// writeTo writes to what is called name and is no file.
func writeTo(name string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Rename gives the file called old, which must have been synced to disk, the
// name name, for good.
func Rename(old, name string) error {
	if err := os.Rename(old, name); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(name))
}

// mode returns the permissions of the file called name, or those of a new one.
func mode(name string) os.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
