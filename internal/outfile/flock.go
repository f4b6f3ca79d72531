//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package outfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lockFile opens the file called name and locks it. It returns nil if the file
// system has no locks.
func lockFile(name string, wait func()) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0) // NFS locks only what is open for writing
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(name)
	}
	if err != nil {
		return nil, err
	}
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		wait()
		err = flock(f, syscall.LOCK_EX)
	}
	if err != nil {
		f.Close()
		return nil, nil
	}
	return f, nil
}

// flock is the system call, repeated if a signal interrupts it.
func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func tryLock(f *os.File) error {
	if err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}
