package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// copied returns a copy of the repository without its history.
func copied(t *testing.T) string {
	t.Helper()
	root, to := filepath.Join("..", ".."), t.TempDir()
	files, err := filesIn(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, filepath.Join(root, "go.mod")) {
		rel, err := filepath.Rel(root, name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, rel), b, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A renamed copy builds, its command runs, its tests pass, and nothing of the old path is
// left, also when it is renamed a second time.
func TestRename(t *testing.T) {
	dir := copied(t)
	old, err := readModule(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const first, second = "example.org/some/naive", "example.org/bayes"
	for _, path := range []string{first, second} {
		if err := rename(dir, path, ""); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "example_test.go"))
	if err != nil || !strings.Contains(string(b), "\t\""+second+"\"\n") {
		t.Errorf("an import of the root: %v\n%.500s", err, b)
	}
	if out := run(t, dir, "gofmt", "-l", "."); out != "" {
		t.Errorf("gofmt would change\n%s", out)
	}
	// Every import of every module is found.
	for _, nested := range []string{".", "beam", "compare/profile", "internal/api", "internal/asm", "internal/rename", "internal/site", "python", "release"} {
		list := run(t, filepath.Join(dir, nested), "go", "list", "-pgo=off", "-test", "-deps", "./...")
		for line := range strings.Lines(list) {
			if strings.HasPrefix(line, first) || strings.HasPrefix(line, old.Module.Path+"/") {
				t.Errorf("%s still has %s", nested, line)
			}
		}
	}
	program := filepath.Join(dir, "renamed")
	run(t, dir, "go", "build", "-pgo=off", "-o", program, "./cmd/bayes")
	if out := run(t, dir, program, "demo"); !strings.Contains(out, "messages learned") {
		t.Error(out)
	}
	run(t, dir, "go", "test", "-run", "^Example|^TestImportsPointDown$", "./eval", "./dataset", "./internal/archtest")
	leftInDocs(t, dir, first, old.Module.Path)
	leftInProfile(t, dir, second, old.Module.Path)
}

// leftInDocs looks for old paths in the documentation.
func leftInDocs(t *testing.T, dir string, old ...string) {
	t.Helper()
	for _, path := range old {
		left := regexp.MustCompile("[`\"]" + regexp.QuoteMeta(path) + "(/(text|dataset|store)\\b|\"\n)|" + regexp.QuoteMeta(" "+path) + "@v0")
		for _, name := range []string{"README.md", "docs/design.md", "docs/distributed.md"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if found := left.Find(b); found != nil {
				t.Errorf("%s still has %q", name, found)
			}
		}
	}
}

// leftInProfile looks for old paths in the profile of the command.
func leftInProfile(t *testing.T, dir, path, old string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "cmd", "bayes", "default.pgo"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(b)
	if err != nil {
		t.Fatal(err)
	}
	renamed := 0
	for _, f := range p.Function {
		if strings.HasPrefix(f.Name, old+"/") || strings.HasPrefix(f.Name, old+".") {
			t.Errorf("the profile still has %s", f.Name)
		}
		if strings.HasPrefix(f.Name, path+"/") {
			renamed++
		}
	}
	if renamed < 50 {
		t.Errorf("the profile has %d functions of %s", renamed, path)
	}
}

// A path that cannot be a module's is refused, and nothing is changed.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "go.mod")
	const before = "module bayes\n\ngo 1.26.0\n"
	if err := os.WriteFile(name, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"bayes", "", "not a path", "example.org//x"} {
		if err := rename(dir, path, ""); err == nil {
			t.Errorf("%q is taken", path)
		}
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != before {
		t.Errorf("%q, %v", b, err)
	}
}

// Paths are told from what looks like them.
func TestProse(t *testing.T) {
	r := renamer{from: "bayes", to: "example.org/b", text: regexp.MustCompile(`(^|[^\w/.-])bayes(/(?:text|cmd)\b|@v0\.0\.0|=\.\.)`)}
	for before, after := range map[string]string{
		"`bayes/text/english`":                          "`example.org/b/text/english`",
		"/etc/bayes/text":                               "/etc/bayes/text",
		"bayes/textual, bayes text, cmd/bayes/":         "bayes/textual, bayes text, cmd/bayes/",
		"-require bayes@v0.0.0 -replace bayes=../bayes": "-require example.org/b@v0.0.0 -replace example.org/b=../bayes",
	} {
		if got := r.prose(before); got != after {
			t.Errorf("%q becomes %q, want %q", before, got, after)
		}
	}
}
