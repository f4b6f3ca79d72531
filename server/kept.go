package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Kept is a store in a folder of a server.
type Kept struct {
	Name  string // of the model; empty where the folder is a store's own
	About string // the file with the name, empty where there is none
	Store string // the folder of the store
}

// ReadFolder returns the stores in a folder: one of [CatalogOptions], a model's, or a
// store's own. None is opened. The error joins those of folders that cannot be read,
// and says so if there is no store.
func ReadFolder(dir string) ([]Kept, error) {
	if _, err := os.Stat(filepath.Join(dir, "state.db")); err == nil {
		return []Kept{{Store: dir}}, nil
	}
	switch k, ok, err := keptIn(dir); {
	case err != nil:
		return nil, err
	case ok:
		return []Kept{k}, nil
	}
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var (
		list []Kept
		errs []error
	)
	for _, f := range folders {
		k, ok, err := keptIn(filepath.Join(dir, f.Name()))
		if ok {
			list = append(list, k)
		}
		errs = append(errs, err)
	}
	err = errors.Join(errs...)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: there is no store", dir)
	}
	return list, err
}

// keptIn returns the store of a model's folder, if it is one.
func keptIn(folder string) (k Kept, ok bool, err error) {
	about := filepath.Join(folder, manifestName)
	if _, err := os.Stat(about); err != nil {
		return Kept{}, false, nil
	}
	ab, err := readManifest(folder)
	if err != nil {
		return Kept{}, false, err
	}
	return Kept{ab.Name, about, generationFolder(folder, ab)}, true, nil
}
