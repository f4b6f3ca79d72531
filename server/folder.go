package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"bayes"
	"bayes/internal/atomicfile"
	"bayes/internal/wire"
	"bayes/store"
)

const manifestName = "model.json"

// A manifest is the content of model.json.
type manifest struct {
	Name       string `json:"name"`
	Generation int    `json:"generation"`
	Base       string `json:"base"` // a hash of what the generation began with
}

func generationFolder(folder string, ab manifest) string {
	return filepath.Join(folder, strconv.Itoa(ab.Generation))
}

// lastGeneration returns the number of the last generation that a model's folder
// holds anything of, zero if there is none.
func lastGeneration(folder string) (last int) {
	entries, _ := os.ReadDir(folder) // one that cannot be read fails when it is written to
	for _, d := range entries {
		if n, err := strconv.Atoi(d.Name()); err == nil {
			last = max(last, n)
		}
	}
	return last
}

func readManifest(folder string) (ab manifest, err error) {
	name := filepath.Join(folder, manifestName)
	data, err := os.ReadFile(name)
	if err != nil {
		return ab, err
	}
	if err := json.Unmarshal(data, &ab); err != nil {
		return manifest{}, fmt.Errorf("%s: %w: %w", name, store.ErrCorrupt, err)
	}
	if ab.Generation < 1 || checkName(ab.Name) != nil {
		return manifest{}, fmt.Errorf("%s: %w: it names no model and generation", name, store.ErrCorrupt)
	}
	return ab, nil
}

// isKept reports whether model.json names a generation. Its store must then be
// there: one that was removed is not begun again as if nothing had been learned.
func isKept(folder string, ab manifest) (bool, error) {
	known, err := readManifest(folder)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrCorrupt) { // a damaged one names none
		return false, nil
	}
	if err != nil || known != ab {
		return false, err
	}
	dir := generationFolder(folder, ab)
	if _, err := os.Stat(filepath.Join(dir, "state.db")); errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("%s: %w: model.json names this store, but it is not there: restore a backup", dir, store.ErrLost)
	}
	return true, nil
}

// removeOthers removes the generations of a model that are not ab: folders of
// stores that are called after a number. Other files are not touched.
func removeOthers(folder string, ab manifest) error {
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		n, err := strconv.Atoi(f.Name())
		if err == nil && n > 0 && n != ab.Generation && strconv.Itoa(n) == f.Name() && f.IsDir() {
			errs = append(errs, store.Remove(filepath.Join(folder, f.Name())))
		}
	}
	return errors.Join(errs...)
}

func writeManifest(folder string, ab manifest) error {
	data, err := json.Marshal(ab)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(folder, manifestName), func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// baseOf returns a hash of a model file.
func baseOf(counts *bayes.Counts, em bayes.EventModel) (string, error) {
	if counts == nil {
		counts = bayes.NewCounts(nil)
	}
	if em == nil {
		em = bayes.Multinomial{}
	}
	var b bytes.Buffer
	if err := bayes.Save(&b, counts, em); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(wire.Essential(b.Bytes()))), nil
}

// checkName returns [ErrName] if a model cannot be called name.
func checkName(name string) error {
	bad := func(r rune) bool { return r < ' ' || r == 0x7f || r == '/' || r == '\\' }
	if name == "" || len(name) > 100 || !utf8.ValidString(name) || strings.ContainsFunc(name, bad) || strings.Trim(name, ". ") == "" {
		return ErrName
	}
	return nil
}

const deletedPrefix = ".deleted-"

// deletedName returns what a model's folder is called while it is removed.
func deletedName(folder string) string {
	return filepath.Join(filepath.Dir(folder), deletedPrefix+filepath.Base(folder))
}

// modelFolder returns the folder of a model in dir, which is CatalogOptions.Dir. It is
// made of a hash, and of those characters of the name that are safe anywhere; so
// whatever the name is, the folder is one of dir.
func modelFolder(dir, name string) (string, error) {
	if dir == "" {
		return "", ErrNoRoom
	}
	safe := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, name)
	hash := sha256.Sum256([]byte(name))
	return filepath.Join(dir, fmt.Sprintf("%.40s-%x", safe, hash[:8])), nil
}

// nameOf returns the name of the model whose folder in dir has no model.json that
// says it: the name that the folder was made of, as far as that can be told, or else
// the folder's own.
func nameOf(dir, folder string) string {
	base := filepath.Base(folder)
	if i := strings.LastIndexByte(base, '-'); i > 0 {
		if made, err := modelFolder(dir, base[:i]); err == nil && made == folder {
			return base[:i]
		}
	}
	return base
}
