package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// unfinished holds the temporary files of all writes that are under way. Writes
// share the lock, so that they do not wait for each other; Abandon does not.
var unfinished struct {
	sync.RWMutex
	files     sync.Map // of *temp
	abandoned bool
}

// ErrAbandoned is the error of a write that Abandon ended.
var ErrAbandoned = errors.New("the program is about to exit")

// Abandon removes the temporary files of all writes that are under way, in any
// goroutine. None of them replaces a file after that, and no further one begins.
// It is for a program that is about to exit.
func Abandon() {
	unfinished.Lock()
	defer unfinished.Unlock()
	unfinished.abandoned = true
	for f := range unfinished.files.Range {
		f.(*temp).remove()
	}
}

// A temp is a temporary file, which takes its name at the end.
type temp struct{ *os.File }

// createTemp makes a temporary file in the folder of name.
func createTemp(name string) (*temp, error) {
	unfinished.RLock()
	defer unfinished.RUnlock()
	if unfinished.abandoned {
		return nil, ErrAbandoned
	}
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "." // CreateTemp would take the system's folder of temporary files
	}
	f, err := os.CreateTemp(dir, "."+base+".*")
	if err != nil {
		return nil, err
	}
	t := &temp{f}
	unfinished.files.Store(t, true)
	return t, nil
}

// place gives t, which is closed, the name that it was made for, if permit agrees.
func (t *temp) place(name string, permit func(old os.FileInfo) error) error {
	unfinished.RLock()
	defer unfinished.RUnlock()
	if unfinished.abandoned {
		return ErrAbandoned
	}
	err := t.replace(name, permit)
	if err == nil {
		unfinished.files.Delete(t)
	}
	return err
}

// replace renames t, or links it where permit was told of no file: unlike a
// rename, a link replaces nothing.
func (t *temp) replace(name string, permit func(old os.FileInfo) error) error {
	// Each round asks permit about the file that there is. A link then takes the name only if
	// there is still none; if one has appeared, permit is asked again.
	for permit != nil {
		old, err := os.Stat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := permit(old); err != nil {
			return err
		}
		if old != nil {
			break
		}
		err = os.Link(t.Name(), name)
		if err == nil {
			os.Remove(t.Name())
			return SyncDir(filepath.Dir(name))
		}
		if !errors.Is(err, fs.ErrExist) {
			break // a file system without links
		}
		// The file has just appeared.
	}
	return Rename(t.Name(), name)
}

// discard removes t unless it has its name or was abandoned.
func (t *temp) discard() {
	unfinished.RLock()
	defer unfinished.RUnlock()
	t.remove()
}

// remove removes t if it is unfinished.
func (t *temp) remove() {
	if _, ok := unfinished.files.LoadAndDelete(t); ok {
		t.Close()
		os.Remove(t.Name())
	}
}
