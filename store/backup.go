package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bayes/internal/atomicfile"

	"go.etcd.io/bbolt"
)

// Backup writes a copy of the store, as it is on disk, to a folder that is empty
// or does not exist. The copy can be opened as a store. Where the log is shared,
// it can be opened with that log, as a further replica; where the log is a file,
// the copy has its own.
func (s *Store) Backup(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return classify(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		return fmt.Errorf("store: backup: %s is not an empty folder", dir)
	}
	s.disk.Lock()
	defer s.disk.Unlock()
	s.mu.Lock()
	model := modelName(s.state.snapshot)
	s.mu.Unlock()
	if err := copyFile(filepath.Join(s.state.dir, model), filepath.Join(dir, model)); err != nil {
		return err
	}
	if l, ok := s.log.(*boltLog); ok {
		if err := l.copyTo(filepath.Join(dir, "log.db")); err != nil {
			return err
		}
	}
	return copyDB(s.state.db, filepath.Join(dir, "state.db")) // last, since with it there is a store
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

func copyDB(db *bbolt.DB, path string) error {
	return classify(db.View(func(tx *bbolt.Tx) error {
		return atomicfile.Write(path, func(w io.Writer) error {
			_, err := tx.WriteTo(w)
			return err
		})
	}))
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
