package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Errors that a caller may want to tell apart. While learning fails with one of
// the first three, predicting goes on, and learning may be tried again.
var (
	ErrFull        = errors.New("store: no space left")
	ErrReadOnly    = errors.New("store: cannot be written to")
	ErrUnavailable = errors.New("store: log cannot be reached")

	ErrInvalid = errors.New("store: not accepted")   // an entry that no store would take
	ErrClosed  = errors.New("store: closed")         // by Close
	ErrInUse   = errors.New("store: in use")         // by another process
	ErrCorrupt = errors.New("store: damaged")        // a file, or an event of a log
	ErrLost    = errors.New("store: events missing") // the log is not the one that the snapshot goes with, or has lost events
)

// classify makes an error of the file system one of ours.
func classify(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// final reports whether an error of a log will not go away by itself.
func final(err error) bool { return errors.Is(err, ErrLost) || errors.Is(err, ErrCorrupt) }
