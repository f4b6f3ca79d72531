package store

import (
	"errors"
	"fmt"
	"os"
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

// guard runs f on a file that may be damaged, of which bbolt trusts every page:
// a panic, or a fault in mapped memory, becomes [ErrCorrupt].
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrCorrupt, r)
		}
	}()
	return f()
}
