package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
)

// Errors that a caller may want to tell apart. While learning fails with one of
// the first three, predicting goes on, and learning may be tried again.
var (
	ErrFull        = errors.New("store: no space left")
	ErrReadOnly    = errors.New("store: cannot be written to")
	ErrUnavailable = errors.New("store: log cannot be reached")

	ErrClock = errors.New("store: the clock is doubted") // of this machine; learning may be tried again once it is right

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
	case isAnyOf(err, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case isAnyOf(err, syscall.EROFS, syscall.EACCES, syscall.EPERM):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// isAnyOf reports whether err is one of the system's errors, which bbolt now and
// then passes on as words only.
func isAnyOf(err error, numbers ...syscall.Errno) bool {
	return slices.ContainsFunc(numbers, func(n syscall.Errno) bool {
		return errors.Is(err, n) || strings.HasSuffix(err.Error(), ": "+n.Error())
	})
}

// isFinal reports whether an error of a log will not go away by itself.
func isFinal(err error) bool { return errors.Is(err, ErrLost) || errors.Is(err, ErrCorrupt) }
