package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// MkdirAll makes the folder called path and the folders above it that are not
// there, as [os.MkdirAll] does, and syncs the parent of each, so that a power cut
// does not take a folder with what was synced inside it.
func MkdirAll(path string, perm fs.FileMode) error {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
		}
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, perm); err != nil {
		if info, e := os.Stat(path); e == nil && info.IsDir() { // another process made it
			return SyncDir(parent)
		}
		return err
	}
	return SyncDir(parent)
}

// SyncDir makes durable which files a folder has. Where the system cannot sync a
// folder at all, as on Windows and on some network file systems, it does nothing.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Rename gives the file called old, which must have been synced to disk, the
// name name, for good.
func Rename(old, name string) error {
	if err := os.Rename(old, name); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(name))
}
