package golden_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bayes/internal/golden"
)

// generation matches the folders of golden files.
var generation = regexp.MustCompile(`^\d+$`)

// TestReleases holds that the golden files of each release of CHANGELOG.md are there as they were,
// so that other tests go on reading them. The file of a release that has none is written by
// -update-new.
func TestReleases(t *testing.T) {
	root := golden.Root(t)
	changes := golden.Read(t, filepath.Join(root, "..", "..", "CHANGELOG.md"))
	releases := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+),`).FindAllSubmatch(changes, -1)
	if len(releases) == 0 {
		t.Fatal("CHANGELOG.md names no release")
	}
	for _, r := range releases {
		name := string(r[1]) + ".sha256"
		golden.New(t, "releases", name, func(path string) { golden.Write(t, path, digests(t, root)) })
		for line := range strings.Lines(string(golden.Read(t, filepath.Join(root, "releases", name)))) {
			digest, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
			if err != nil {
				t.Errorf("release %s: %v", r[1], err)
			} else if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != digest {
				t.Errorf("%s is not what it was in release %s: a format that changes begins a new generation", file, r[1])
			}
		}
	}
}

// digests returns a line for each golden file of a generation, as sha256sum writes it.
func digests(t *testing.T, root string) []byte {
	t.Helper()
	var b []byte
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if first, _, nested := strings.Cut(name, "/"); err != nil || d.IsDir() || !nested || !generation.MatchString(first) {
			return err
		}
		b = fmt.Appendf(b, "%x  %s\n", sha256.Sum256(golden.Read(t, filepath.Join(root, filepath.FromSlash(name)))), name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
