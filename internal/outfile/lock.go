package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"bayes/internal/atomicfile"
)

// A Locked file is one that this process reads, changes and replaces, while
// others that want to do the same wait. Where the system or the file system has
// no locks, a change by others is noticed in the end, and not written over.
type Locked struct {
	name string
	held *os.File    // nil where there are no locks
	read os.FileInfo // what was locked; nil of a device or a pipe
}

// Lock locks the file called name. If another process has locked it, Lock calls
// wait and waits. The lock is on the file itself and leaves nothing behind, in
// the folder or after a crash.
func Lock(name string, wait func()) (*Locked, error) {
	for {
		l, err := lockOnce(name, wait)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, Cause(err))
		}
		// While this process waited, the other one has replaced the file.
		if now, err := os.Stat(name); l.read == nil || err == nil && os.SameFile(now, l.read) {
			return l, nil
		}
		l.Close()
	}
}

func lockOnce(name string, wait func()) (*Locked, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return &Locked{name: name}, err
	}
	held, err := lockFile(name, wait)
	if err != nil {
		return nil, err
	}
	l := &Locked{name: name, held: held, read: info}
	if held == nil {
		return l, nil
	}
	if l.read, err = held.Stat(); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Name returns the name of l.
func (l *Locked) Name() string { return l.name }

// Write replaces l, whole or not at all, by what write writes. It is an error if
// the file is no longer the one that was locked. The lock does not go over to the
// new file.
func (l *Locked) Write(write func(w io.Writer) error) error {
	err := atomicfile.WriteIf(l.name, l.unchanged, write)
	if err == nil || errors.Is(err, errChanged) {
		return err
	}
	return fmt.Errorf("%s: not saved: %w", l.name, Cause(err))
}

var errChanged = errors.New("has been changed meanwhile, and is left as it is: run this again")

// unchanged returns an error if now is not the file that was locked.
func (l *Locked) unchanged(now os.FileInfo) error {
	if now == nil || l.read == nil || !os.SameFile(now, l.read) || now.Size() != l.read.Size() || !now.ModTime().Equal(l.read.ModTime()) {
		return fmt.Errorf("%s: %w", l.name, errChanged)
	}
	return nil
}

// Close gives up the lock.
func (l *Locked) Close() error {
	if l.held == nil {
		return nil
	}
	return l.held.Close()
}

// ErrLocked is the error of a file that another process has locked.
var ErrLocked = errors.New("another process has it open")

// TryLock locks an open file until it is closed, and waits for nobody: the error is [ErrLocked] if another process
// has locked it. Where the file system has no locks, it does nothing.
func TryLock(f *os.File) error { return tryLock(f) }
