package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// modelName returns the name of the model file of the snapshot after event seq.
func modelName(seq uint64) string { return fmt.Sprintf("model-%d.nb", seq) }

// isModelName reports whether name is what modelName returns for some event, and for which.
func isModelName(name string) (seq uint64, ok bool) {
	if n, ok := strings.CutPrefix(name, "model-"); ok {
		seq, _ = strconv.ParseUint(strings.TrimSuffix(n, ".nb"), 10, 64)
	}
	return seq, name == modelName(seq)
}

// isTemporary reports whether name is that of a model file or of state.db while
// it is written.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".model-") || strings.HasPrefix(name, ".state.db.")
}

// isStoreFile reports whether name is that of a file in a store's folder.
func isStoreFile(name string) bool {
	_, model := isModelName(name)
	return model || isTemporary(name) || name == "state.db" || name == "log.db" || name == "log.db.new" ||
		strings.HasPrefix(name, ".log.db.")
}

// removeOthers removes the model files in a folder that are not of the snapshot
// after event seq, and what is left of files that were not written to their end.
func removeOthers(dir string, seq uint64) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		if n, ok := isModelName(f.Name()); ok && n != seq || isTemporary(f.Name()) {
			errs = append(errs, os.Remove(filepath.Join(dir, f.Name())))
		}
	}
	return errors.Join(errs...)
}

// folderSize returns how many bytes the files in a folder have.
func folderSize(dir string) (bytes int64) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}
