// Package testdata finds the corpora that tests and benchmarks read. They are
// no part of the repository.
//
// The folder is named by the environment variable BAYES_DATA; without it, it
// is ../shared/data, seen from the root of the repository. A test that needs
// the folder is skipped where it is absent, and fails there if CI=true.
package testdata

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder that holds the corpora.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BAYES_DATA")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "data")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		absent(t, dir)
	}
	return dir
}

// Path returns the path of a file or folder among the corpora, such as
// "sms/spam.csv".
func Path(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Dir(t), filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		absent(t, path)
	}
	return path
}

// Open opens a file among the corpora. It is closed when the test ends.
func Open(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Read returns the content of a file among the corpora.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func absent(t testing.TB, path string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("no test data: %s is absent (BAYES_DATA names the folder)", path)
	}
	t.Skipf("no test data: %s is absent (BAYES_DATA names the folder)", path)
}

// root returns the folder with this module's go.mod, at or above the working
// directory. Modules nested in it are passed by.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte("module bayes\n")) {
			return dir
		}
	}
	t.Fatal("no go.mod of module bayes at or above the working directory")
	return ""
}
