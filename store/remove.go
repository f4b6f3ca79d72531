package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bayes/internal/atomicfile"
)

// Remove removes the store that is, or was, in a folder, and the folder. It
// removes the files of a store alone: where there are others, these and the folder
// stay, and an error says so. The error is [ErrInUse] if a process has the store.
func Remove(dir string) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return classify(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "state.db")); err == nil {
		switch db, err := openDB(filepath.Join(dir, "state.db"), true); {
		case err == nil:
			defer db.Close()
		case errors.Is(err, ErrInUse):
			return fmt.Errorf("%s: %w", dir, err)
		} // what is damaged nobody has
	}
	for _, f := range files {
		if !isStoreFile(f.Name()) {
			return fmt.Errorf("%s: not removed: it has a file %q, which is no store's", dir, f.Name())
		}
	}
	for _, f := range files {
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
			return classify(err)
		}
	}
	if err := os.Remove(dir); err != nil {
		return classify(err)
	}
	return classify(atomicfile.SyncDir(filepath.Dir(dir)))
}
