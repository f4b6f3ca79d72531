// Package archtest guards the layers of docs/design.md, and the documentation: its links, the
// rooms and names that it mentions, doc comments and Examples.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// floor returns on which floor a package of this module stands.
func floor(path string) int {
	switch name := local(path); {
	case strings.HasPrefix(name, "cmd/"), strings.HasPrefix(name, "compare/"), strings.HasPrefix(name, "examples/"), name == "internal/learn", name == "javascript":
		return 8
	case name == "internal/cli", name == "server":
		return 7
	case strings.HasPrefix(name, "server/"), name == "report", name == "internal/labelling":
		return 6
	case name == "label":
		return 5
	case name == "answer", name == "dataset", name == "eval", name == "store":
		return 4
	case name == "mail":
		return 3
	case name == "":
		return 2
	case strings.HasPrefix(name, "text/"):
		return 1
	case name == "text", name == "feature", strings.HasPrefix(name, "internal/"):
		return 0
	}
	return -1
}

// allowed says which packages from outside the standard library the packages of
// the lower floors may import directly.
var allowed = map[int][]string{
	0: {"github.com/clipperhouse/uax29/v2/", "golang.org/x/sys/cpu", "golang.org/x/text/", "gonum.org/v1/gonum/"},
	1: {"github.com/clipperhouse/uax29/v2/", "golang.org/x/text/", "github.com/blevesearch/snowballstem", "github.com/neurosnap/sentences"},
	2: {"golang.org/x/text/", "gonum.org/v1/gonum/"},
	3: {"golang.org/x/text/"},
}

// exceptions are what single packages may import besides: heavy things that are
// paid only by their users.
var exceptions = map[string][]string{
	"internal/budget":         {"golang.org/x/sync/semaphore"},
	"internal/morph":          {"github.com/klauspost/compress/zstd"},
	"internal/morph/generate": {"github.com/ikawaha/"},
	"mail":                    {"golang.org/x/net/html"},
}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

// An import goes down, or along the ground floor, and never up.
func TestImportsPointDown(t *testing.T) {
	readModule(t)
	// Without a profile, or what the command is made of is listed under another name.
	out, err := exec.Command("go", "list", "-pgo=off", "-deps", "-json=ImportPath,Imports,Standard", module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	standard := make(map[string]bool)
	var ours []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		standard[p.ImportPath] = p.Standard
		if isOurs(p.ImportPath) {
			ours = append(ours, p)
		}
	}
	if len(ours) < 8 {
		t.Fatalf("only %d packages of this module were found", len(ours))
	}
	for _, p := range ours {
		from := floor(p.ImportPath)
		if from < 0 {
			t.Errorf("%s stands on no floor: give it one in docs/design.md and here", p.ImportPath)
		}
		for _, imported := range p.Imports {
			checkImport(t, p.ImportPath, from, imported, standard[imported])
		}
	}
}

// readModule reads the module's folders: go test keeps a result until what the test itself
// has read is another, and does not know what go list reads.
func readModule(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// module is the path of this module, which may be renamed.
var module = strings.TrimSuffix(reflect.TypeFor[listed]().PkgPath(), "/internal/archtest")

func isOurs(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// local returns the path of a package of ours within the module, empty for its root.
func local(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }

func checkImport(t *testing.T, path string, from int, imported string, standard bool) {
	t.Helper()
	if isOurs(imported) {
		if to := floor(imported); to > from || to == from && from > 0 {
			t.Errorf("%s (floor %d) imports %s (floor %d)", path, from, imported, to)
		}
		return
	}
	if standard || from > 3 || imported == "C" {
		return
	}
	if name := local(path); name == "internal/testdata" || name == "internal/browser" { // for tests
		return
	}
	for _, prefix := range slices.Concat(allowed[from], exceptions[local(path)]) {
		if strings.HasPrefix(imported, prefix) {
			return
		}
	}
	t.Errorf("%s (floor %d) imports %s, which the low floors may not", path, from, imported)
}
