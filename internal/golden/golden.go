// Package golden keeps files as releases wrote them, so that tests can hold every
// later release to them: it loads them, gives the recorded answers, and saves the same
// bytes.
//
// They are in testdata/golden, in a folder for each generation of the formats:
//
//	1    before model files said which analyzers cut the texts
//	2    since they say so, in the section anlz
//	3    since they may name the columns of the examples, in the section cols
//	4    since frozen files may hold the gains of cells, in the section GAIN
//	5    since models may have a correction, in the section CORR
//	6    since frozen files may hold several texts, behind sections BLCK
//
// A release says which files there were when it was made, with the digest of each:
// releases/0.1.0.sha256. They stay for ever.
//
// A format that changes begins a new generation. Its files are written by
//
//	go test ./internal/golden -update-new
//	cd beam && go test ./pipeline -run Golden -update-new
//
// which writes the files that do not exist and changes none that does.
package golden

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"bayes/internal/wire"
)

var updateNew = flag.Bool("update-new", false, "write the golden files that do not exist")

// Updating reports whether the flag -update-new is given.
func Updating() bool { return *updateNew }

// Root returns the folder of all generations, seen from a package folder of the
// module bayes or of a module inside it.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte("module bayes\n")) {
			return filepath.Join(dir, "testdata", "golden")
		}
	}
	t.Fatal("no go.mod of module bayes at or above the working directory")
	return ""
}

// New makes the file or folder called name by write, if it does not exist and the flag
// -update-new is given. The generation is the latest one of its format.
func New(t testing.TB, generation, name string, write func(path string)) {
	t.Helper()
	path := filepath.Join(Root(t), generation, filepath.FromSlash(name))
	if _, err := os.Stat(path); err == nil || !*updateNew {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write(path)
	t.Logf("%s is new", path)
}

// Each runs f as a subtest for each file or folder, of any generation, whose name
// matches pattern, such as "models/*.nb". There must be some.
func Each(t *testing.T, pattern string, f func(t *testing.T, path string)) {
	t.Helper()
	root := Root(t)
	names, err := fs.Glob(os.DirFS(root), "*/"+pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no golden files %s", pattern)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { f(t, filepath.Join(root, filepath.FromSlash(name))) })
	}
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Write writes a file.
func Write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// WithVersion returns a model file that says that the analyzer of a version cut its texts.
func WithVersion(file []byte, version string) []byte {
	essential := wire.Essential(file)
	head := bytes.Index(essential, []byte("\n\n")) + 2
	out := wire.AppendSection(bytes.Clone(essential[:head]), "anlz", func(b []byte) []byte { return append(b, version...) })
	return append(out, essential[head:]...)
}
