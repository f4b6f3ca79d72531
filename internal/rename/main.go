// Command rename gives the modules of this repository another path, for whoever publishes
// them:
//
//	go run -C internal/rename . example.org/bayes v0.1.0
//
// It changes what the path stands in: the go.mod files, imports, comments, documentation, and
// the names of functions in the profile by which the command is compiled. The package is
// called bayes as before.
//
// With a version, modules inside the repository require that version of the root, as go install
// asks for; without one they take the root from the folder above, as in development.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
	"golang.org/x/mod/module"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("rename: ")
	if len(os.Args) < 2 || len(os.Args) > 3 || strings.HasPrefix(os.Args[1], "-") {
		log.Fatal("usage: go run -C internal/rename . NEWPATH [VERSION]")
	}
	if err := rename(filepath.Join("..", ".."), os.Args[1], strings.Join(os.Args[2:], "")); err != nil {
		log.Fatal(err)
	}
}

// A modFile is what is read of a go.mod file.
type modFile struct {
	Module  struct{ Path string }
	Require []struct{ Path, Version string }
	Replace []struct {
		Old struct{ Path string }
		New struct{ Path string }
	}
}

// rename gives the modules below root another path. If version is not empty, they require that
// version of the root, whose path may stay as it is.
func rename(root, to, version string) error {
	m, err := readModule(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	if version == "" && m.Module.Path == to {
		return fmt.Errorf("the module is called %s already", to)
	}
	if version != "" {
		if err := module.Check(to, version); err != nil {
			return err
		}
		if module.CanonicalVersion(version) != version {
			return fmt.Errorf("the version %s is not whole: write one such as v0.1.0", version)
		}
	}
	r := renamer{from: m.Module.Path, to: to, version: version}
	// The first to be changed is the go.mod of the root: a path that cannot be one is refused
	// before anything else is changed.
	if err := r.goMod(filepath.Join(root, "go.mod")); err != nil {
		return err
	}
	files, err := filesIn(root)
	if err != nil {
		return err
	}
	r.text = regexp.MustCompile(`(^|[^\w/.-])` + regexp.QuoteMeta(r.from) + `(/(?:` + strings.Join(packages(root, files), "|") + `)\b|@v0\.0\.0|=\.\.)`)
	for _, name := range files {
		if err := r.file(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// filesIn returns the files of the repository, except the go.mod of the root.
func filesIn(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular() && name != filepath.Join(root, "go.mod"):
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// packages returns the folders of Go files, and those above them, as patterns.
func packages(root string, files []string) []string {
	seen := make(map[string]bool)
	for _, name := range files {
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil || filepath.Ext(name) != ".go" {
			continue
		}
		for dir = filepath.ToSlash(dir); dir != "."; dir = path.Dir(dir) {
			seen[regexp.QuoteMeta(dir)] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// A renamer changes the path of a module from one to another.
type renamer struct {
	from, to string
	version  string         // of the root, for the modules that require it; empty for what stands beside them
	text     *regexp.Regexp // the path of a package, or of the module, in prose
}

func (r *renamer) file(name string) error {
	switch {
	case filepath.Base(name) == "go.mod":
		return r.goMod(name)
	case filepath.Ext(name) == ".go":
		return change(name, r.goFile)
	case filepath.Ext(name) == ".md":
		return change(name, r.markdown)
	case filepath.Ext(name) == ".pgo":
		return change(name, r.profile)
	}
	return nil
}

// change makes a file hold what edit makes of it.
func change(name string, edit func([]byte) ([]byte, error)) error {
	before, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	after, err := edit(before)
	if err != nil || bytes.Equal(before, after) {
		return err
	}
	return os.WriteFile(name, after, 0o666)
}

// path returns the new path of a package, and whether it is one of ours.
func (r *renamer) path(old string) (string, bool) {
	rest, ok := strings.CutPrefix(old, r.from)
	if !ok || rest != "" && rest[0] != '/' {
		return old, false
	}
	return r.to + rest, true
}

func readModule(name string) (*modFile, error) {
	out, err := goCommand("mod", "edit", "-json", name)
	if err != nil {
		return nil, err
	}
	m := new(modFile)
	return m, json.Unmarshal(out, m)
}

// goMod renames a module, and those of ours that it requires.
func (r *renamer) goMod(name string) error {
	m, err := readModule(name)
	if err != nil {
		return err
	}
	edits := []string{"mod", "edit"}
	if p, ours := r.path(m.Module.Path); ours {
		edits = append(edits, "-module="+p)
	}
	for _, q := range m.Require {
		if p, ours := r.path(q.Path); ours {
			edits = append(edits, "-droprequire="+q.Path, "-require="+p+"@"+cmp.Or(r.version, q.Version))
		}
	}
	for _, q := range m.Replace {
		if p, ours := r.path(q.Old.Path); ours {
			edits = append(edits, "-dropreplace="+q.Old.Path)
			if r.version == "" {
				edits = append(edits, "-replace="+p+"="+q.New.Path)
			}
		}
	}
	_, err = goCommand(append(edits, name)...)
	return err
}

func goCommand(args ...string) ([]byte, error) {
	out, err := exec.Command("go", args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}

// An edit replaces a part of a file.
type edit struct {
	from, to int
	text     string
}

// goFile renames imports, and packages in comments.
func (r *renamer) goFile(source []byte) ([]byte, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var edits []edit
	at := func(n ast.Node, text string) {
		edits = append(edits, edit{files.Position(n.Pos()).Offset, files.Position(n.End()).Offset, text})
	}
	for _, spec := range parsed.Imports {
		old, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		p, ours := r.path(old)
		switch {
		case old == r.from && (spec.Name == nil || spec.Name.Name == "bayes"):
			at(spec, r.root())
		case ours:
			at(spec.Path, strconv.Quote(p))
		}
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if text := r.prose(c.Text); text != c.Text {
				at(c, text)
			}
		}
	}
	if len(edits) == 0 {
		return source, nil
	}
	return format.Source(apply(source, edits))
}

// root returns the import of the root package under its new path, with the package's name
// where the path does not end in it.
func (r *renamer) root() string {
	if path.Base(r.to) == "bayes" {
		return strconv.Quote(r.to)
	}
	return "bayes " + strconv.Quote(r.to)
}

// apply makes edits, which do not overlap.
func apply(source []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(append(out, source[done:e.from]...), e.text...)
		done = e.to
	}
	return append(out, source[done:]...)
}

// prose renames packages in a text.
func (r *renamer) prose(s string) string {
	return r.text.ReplaceAllString(s, "${1}"+strings.ReplaceAll(r.to, "$", "$$")+"${2}")
}

// markdown renames packages in a page, and the import of the root in its programs.
func (r *renamer) markdown(b []byte) ([]byte, error) {
	imported := regexp.MustCompile(`(?m)^\t(?:bayes )?"` + regexp.QuoteMeta(r.from) + `"$`)
	return []byte(r.prose(imported.ReplaceAllLiteralString(string(b), "\t"+r.root()))), nil
}

// profile renames the functions and files of a profile.
func (r *renamer) profile(b []byte) ([]byte, error) {
	p, err := profile.ParseData(b)
	if err != nil {
		return nil, err
	}
	names := regexp.MustCompile(`(^|[^\w/.%-])` + regexp.QuoteMeta(symbol(r.from)) + `([./])`)
	rename := func(s string) string { return names.ReplaceAllString(s, "${1}"+symbol(r.to)+"${2}") }
	files := regexp.MustCompile(`^` + regexp.QuoteMeta(r.from) + `/`)
	for _, f := range p.Function {
		f.Name, f.SystemName = rename(f.Name), rename(f.SystemName)
		f.Filename = files.ReplaceAllString(f.Filename, r.to+"/")
	}
	var out bytes.Buffer
	err = p.Write(&out)
	return out.Bytes(), err
}

// symbol returns a path as the linker writes it: the dots of its last element escaped.
func symbol(p string) string {
	dir, base := path.Split(p)
	return dir + strings.ReplaceAll(base, ".", "%2e")
}
