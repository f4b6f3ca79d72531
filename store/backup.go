package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bayes/internal/atomicfile"

	"go.etcd.io/bbolt"
)

// Backup writes a copy of the store, as it is on disk, to a folder that is empty
// or does not exist. The copy can be opened as a store. Where the log is shared,
// it can be opened with that log, as a further replica; where the log is a file,
// the copy has its own. It holds nothing that has been erased, nor any page of a
// file that is not in use.
func (s *Store) Backup(dir string) error {
	s.disk.Lock()
	defer s.disk.Unlock()
	s.mu.Lock()
	model := modelName(s.state.snapshot)
	s.mu.Unlock()
	var log func(path string) error
	if l, ok := s.log.(*boltLog); ok {
		log = l.copyTo
	}
	return backup(s.state.db, model, log, dir)
}

// Backup writes a copy of the store in a folder, which no process has open, as
// [Store.Backup] does. It changes nothing in the folder. The error is [ErrInUse] if
// a process has the store, and [ErrCorrupt] or [ErrLost] if there is no whole store.
func Backup(dir, to string) error {
	path := filepath.Join(dir, "state.db")
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%s: there is no store: %w", dir, err)
	}
	db, err := openDB(path, true)
	if err != nil {
		return fmt.Errorf("%s: %w", path, classify(err))
	}
	defer db.Close()
	s := &state{dir: dir, db: db}
	isNew, err := s.readPosition()
	if err == nil && isNew {
		err = fmt.Errorf("%s: %w: there is no snapshot", path, ErrLost)
	}
	if err != nil {
		return err
	}
	copyLog := func(path string) error {
		err := copyFile(filepath.Join(dir, "log.db"), path)
		if errors.Is(err, fs.ErrNotExist) { // it is shared
			err = nil
		}
		return err
	}
	return backup(db, modelName(s.pos.Seq), copyLog, to)
}

// backup copies a model file, a log and state.db, in this order, since with
// state.db there is a store.
func backup(db *bbolt.DB, model string, log func(path string) error, to string) error {
	if err := atomicfile.MkdirAll(to, 0o700); err != nil {
		return classify(err)
	}
	if files, err := os.ReadDir(to); err != nil || len(files) > 0 {
		return fmt.Errorf("store: backup: %s is not an empty folder", to)
	}
	if err := copyFile(filepath.Join(filepath.Dir(db.Path()), model), filepath.Join(to, model)); err != nil {
		return err
	}
	if log != nil {
		if err := log(filepath.Join(to, "log.db")); err != nil {
			return err
		}
	}
	return copyDB(db, filepath.Join(to, "state.db"))
}

// copyTo writes a copy of l to a new file.
func (l *boltLog) copyTo(path string) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.db == nil {
		return copyFile(l.path, path)
	}
	return copyDB(l.db, path)
}

// copyDB writes what is in a file of bbolt to a new one, which has no other pages.
func copyDB(db *bbolt.DB, path string) error {
	const transaction = 16 << 20
	temp := path + ".new"
	to, err := openDB(temp, false)
	if err != nil {
		return classify(err)
	}
	err = guard(func() error { return bbolt.Compact(to, db, transaction) })
	err = errors.Join(err, to.Close())
	if err == nil {
		err = atomicfile.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return classify(err)
}

func copyFile(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return classify(err)
	}
	defer f.Close()
	return classify(atomicfile.Write(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	}))
}
