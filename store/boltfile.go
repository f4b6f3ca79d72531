package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// openDB opens a file of bbolt, which it makes if need be and it is not to be read
// only.
func openDB(path string, readOnly bool) (db *bbolt.DB, err error) {
	if info, err := os.Stat(path); readOnly && err == nil && info.Size() == 0 { // bbolt would write to it
		return nil, fmt.Errorf("%w: it is empty", ErrCorrupt)
	}
	err = guard(func() error {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{
			Timeout:      time.Second, // for its lock
			ReadOnly:     readOnly,
			FreelistType: bbolt.FreelistMapType,
			NoStatistics: true,
		})
		return err
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, ErrInUse
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return db, err
}

// createDB makes an empty file of bbolt unless there is a file called path. It
// appears whole: bbolt by itself would leave one that it cannot open if the process
// died meanwhile. The folder is not synced.
func createDB(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // opening it says what is wrong
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := temp.Close(); err != nil {
		return err
	}
	db, err := openDB(temp.Name(), false)
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	// A link takes no other process's file away, as a rename would.
	err = os.Link(temp.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil { // links are unknown to some file systems
		err = os.Rename(temp.Name(), path)
	}
	return err
}

// syncFile makes durable what is read from a file before anything follows from it:
// a process that was killed may have written it without a sync. Where nothing can be
// written it does nothing.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(classify(err), ErrReadOnly) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// guard runs f, which has bbolt read a file that may be damaged. bbolt trusts its pages,
// so a wrong one can lead it into a panic or a fault in mapped memory. Both become
// [ErrCorrupt].
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrCorrupt, r)
		}
	}()
	return f()
}
