package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A folder is a folder of the repository that has Go files, by its path from the root,
// which is "." for the root.
type folder struct {
	path         string
	name         string // of its package
	fset         *token.FileSet
	files, tests []*ast.File
}

// public reports whether programs outside this repository can import the package.
func (f *folder) public() bool {
	internal := strings.HasPrefix(f.path, "internal/") || strings.Contains(f.path, "/internal/")
	return !internal && f.name != "main" && len(f.files) > 0
}

// folders parses all Go files of the repository, those of other modules too.
func folders(t *testing.T) map[string]*folder {
	t.Helper()
	all, fset := make(map[string]*folder), token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel("../..", filepath.Dir(path))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		f := all[dir]
		if f == nil {
			f = &folder{path: dir, fset: fset}
			all[dir] = f
		}
		if strings.HasSuffix(path, "_test.go") {
			f.tests = append(f.tests, file)
		} else {
			f.name, f.files = file.Name.Name, append(f.files, file)
		}
		return nil
	})
	if err != nil || len(all) < 30 {
		t.Fatalf("%d folders: %v", len(all), err)
	}
	return all
}

// A symbol is an exported name of a package.
type symbol struct {
	kind     string   // "func", "method", "type" or "value"
	receiver string   // of a method
	name     string   //
	doc      bool     // whether it has a doc comment
	mentions []string // the names in the results of a function, or in the fields of a type
}

func (s symbol) String() string {
	if s.receiver != "" {
		return s.receiver + "." + s.name
	}
	return s.name
}

// symbols returns the exported names of a package, and the methods of its exported types.
func (f *folder) symbols() []symbol {
	var list []symbol
	for _, file := range f.files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				s := symbol{kind: "func", name: d.Name.Name, doc: d.Doc != nil, mentions: names(d.Type)}
				if d.Recv != nil {
					s.kind, s.receiver = "method", names(d.Recv.List[0].Type)[0]
				}
				if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(s.receiver)) {
					list = append(list, s)
				}
			case *ast.GenDecl:
				list = append(list, declared(d)...)
			}
		}
	}
	return list
}

// declared returns the exported names of a declaration. What stands in parentheses may have
// a comment for all of it.
func declared(d *ast.GenDecl) []symbol {
	var list []symbol
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				doc := d.Doc != nil && !d.Lparen.IsValid() || spec.Doc != nil
				list = append(list, symbol{kind: "type", name: spec.Name.Name, doc: doc, mentions: names(spec.Type)})
			}
		case *ast.ValueSpec:
			doc := d.Doc != nil || spec.Doc != nil || spec.Comment != nil
			for _, name := range spec.Names {
				if name.IsExported() {
					list = append(list, symbol{kind: "value", name: name.Name, doc: doc})
				}
			}
		}
	}
	return list
}

// names returns all identifiers in the syntax tree n, in order.
func names(n ast.Node) []string {
	var list []string
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			list = append(list, id.Name)
		}
		return true
	})
	return list
}

// Every public package, and every name that it exports, has a doc comment.
func TestDocComments(t *testing.T) {
	for _, f := range folders(t) {
		if !f.public() {
			continue
		}
		if !slices.ContainsFunc(f.files, func(file *ast.File) bool { return file.Doc != nil }) {
			t.Errorf("%s has no package comment", f.path)
		}
		for _, s := range f.symbols() {
			if !s.doc && !slices.Contains(plain, s.name) {
				t.Errorf("%s: %s has no doc comment", f.path, s)
			}
		}
	}
}

// plain are methods that interfaces of the standard library and of package text ask for:
// their doc comment is the interface's, and they are called through it.
var plain = []string{
	"String", "Error", "Unwrap", "Is", "As", "Len", "Less", "Swap",
	"MarshalBinary", "UnmarshalBinary", "AppendBinary", "MarshalText", "UnmarshalText",
	"MarshalJSON", "UnmarshalJSON", "WriteTo", "ReadFrom", "ServeHTTP", "Close",
	"Segment", "Stem", "Version", "ReadsCase",
}

// noExample lists what has no Example, and why.
var noExample = map[string]string{
	"beam/part":     "serves the command bayes-beam alone",
	"beam/pipeline": "serves the command bayes-beam alone",

	"feature.Feature": "is what bayes.Space.AppendFeatures returns, whose Example shows it",

	"server.ModelInput": "is the input of a route: the OpenAPI document shows it",
}

// TestExamples holds this rule. An Example counts if it is run, that is, if it has an output.
//
//   - A function is called in an Example of its package.
//   - So is a method of an exported type, except those of plain.
//   - A type is named in an Example, unless a function or a method returns it or a type
//     holds it that is in one: a caller gets it there and reads its fields.
func TestExamples(t *testing.T) {
	all := folders(t)
	known := make(map[string]bool) // the packages, and what is in no Example
	for _, path := range slices.Sorted(maps.Keys(all)) {
		f := all[path]
		known[path] = true
		if !f.public() || noExample[path] != "" {
			continue
		}
		shown := f.shown()
		for _, s := range f.symbols() {
			if s.kind == "value" || s.kind == "method" && slices.Contains(plain, s.name) || shown[s.name] {
				continue
			}
			name := strings.TrimPrefix(path+"."+s.String(), "..")
			if known[name] = true; noExample[name] == "" {
				t.Errorf("%s: %s %s is in no Example", path, s.kind, s)
			}
		}
	}
	for name := range noExample {
		if !known[name] {
			t.Errorf("noExample lists %s, which has an Example or does not exist", name)
		}
	}
}

// An Example is named after what it shows: a name that the package exports, or a method.
func TestExampleNames(t *testing.T) {
	for _, f := range folders(t) {
		if !f.public() {
			continue
		}
		known := make(map[string]bool)
		for _, s := range f.symbols() {
			known[strings.ReplaceAll(s.String(), ".", "_")] = true
		}
		for _, file := range f.tests {
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || !strings.HasPrefix(fn.Name.Name, "Example") {
					continue
				}
				name := strings.TrimPrefix(fn.Name.Name, "Example")
				if i := strings.LastIndexByte(name, '_'); i >= 0 && !ast.IsExported(name[i+1:]) {
					name = name[:i] // what follows tells Examples of the same thing apart
				}
				if name != "" && !known[name] {
					t.Errorf("%s: %s is an Example of nothing", f.path, fn.Name.Name)
				}
			}
		}
	}
}

// shown returns the names that the package's Examples call and mention, and the types that
// are to be had of these.
func (f *folder) shown() map[string]bool {
	shown := make(map[string]bool)
	for _, file := range f.tests {
		if isWhole(file) {
			for _, name := range names(file) {
				shown[name] = true
			}
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Example") || !hasOutput(file, fn) {
				continue
			}
			for _, name := range names(fn.Body) {
				shown[name] = true
			}
		}
	}
	symbols := f.symbols()
	for grown := true; grown; {
		grown = false
		for _, s := range symbols {
			if !shown[s.name] {
				continue
			}
			for _, name := range s.mentions {
				// Functions are called, not mentioned; so what is added can only be types.
				if !shown[name] && slices.ContainsFunc(symbols, func(s symbol) bool { return s.kind == "type" && s.name == name }) {
					shown[name], grown = true, true
				}
			}
		}
	}
	return shown
}

// isWhole reports whether a file is shown as a whole: it has one Example, no test, and
// something that the Example needs.
func isWhole(file *ast.File) bool {
	examples, others := 0, 0
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		switch {
		case !ok || fn.Recv != nil:
			others++
		case strings.HasPrefix(fn.Name.Name, "Example") && hasOutput(file, fn):
			examples++
		case strings.HasPrefix(fn.Name.Name, "Test"), strings.HasPrefix(fn.Name.Name, "Benchmark"), strings.HasPrefix(fn.Name.Name, "Fuzz"):
			return false
		}
	}
	return examples == 1 && others > 1
}

func hasOutput(file *ast.File, fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool {
		text := strings.ToLower(c.Text())
		return fn.Pos() < c.Pos() && c.End() < fn.End() &&
			(strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:"))
	})
}

var (
	fence   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("`([^`\n]+)`")
)

// pages returns the documentation by file name, from the root, without what is in fences.
func pages(t *testing.T) map[string]string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	all := make(map[string]string)
	for _, path := range list {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel("../..", path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.ToSlash(name)] = fence.ReplaceAllString(string(b), "")
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/design.md", "docs/testing.md"} {
		if all[name] == "" {
			t.Fatalf("%s is not among %q", name, list)
		}
	}
	return all
}

// anchors returns what the headings of a page are called in links to it.
func anchors(page string) []string {
	var list []string
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				return r
			}
			return -1
		}, strings.ToLower(strings.TrimSpace(h[1])))
		list = append(list, anchor)
	}
	return list
}

// A link of the documentation leads to a file that exists, and to a heading that is there.
func TestLinks(t *testing.T) {
	all := pages(t)
	for name, page := range all {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(filepath.Join("../..", target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			} else if to, ok := all[target]; anchor != "" && (!ok || !slices.Contains(anchors(to), anchor)) {
				t.Errorf("%s links to %s, where there is no such heading", name, m[1])
			}
		}
	}
}

// CHANGELOG.md is by version: what is unreleased first, then each version with its day, the latest
// first, down to 0.1.0.
func TestChangelog(t *testing.T) {
	heading := regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+), \d{4}-\d{2}-\d{2}$`)
	var versions [][]int
	for i, h := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(pages(t)["CHANGELOG.md"], -1) {
		m := heading.FindStringSubmatch(h[1])
		switch {
		case i == 0 && h[1] != "Unreleased", i > 0 && m == nil:
			t.Errorf("a heading is %q", h[1])
		case i > 0:
			var v []int
			for _, digits := range m[1:] {
				n, err := strconv.Atoi(digits)
				if err != nil {
					t.Fatal(err)
				}
				v = append(v, n)
			}
			versions = append(versions, v)
		}
	}
	if len(versions) == 0 || !slices.Equal(versions[len(versions)-1], []int{0, 1, 0}) {
		t.Fatalf("the versions are %v", versions)
	}
	for i, v := range versions[1:] {
		if slices.Compare(versions[i], v) <= 0 {
			t.Errorf("%v stands before %v", versions[i], v)
		}
	}
}

// A file of Go, or a path in a folder of the repository, that the documentation has in
// backquotes exists. A name without a folder is that of a file anywhere.
func TestFilesNamed(t *testing.T) {
	goFiles, tops := make(map[string]bool), make(map[string]bool)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if rel, _ := filepath.Rel("../..", path); d.IsDir() && !strings.ContainsRune(rel, filepath.Separator) {
			tops[rel] = true
		}
		goFiles[d.Name()] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	path := regexp.MustCompile(`^[\w.]+(/[\w.-]+)*$`)
	for page, content := range pages(t) {
		for _, m := range code.FindAllStringSubmatch(content, -1) {
			first, _, nested := strings.Cut(m[1], "/")
			switch {
			case !path.MatchString(m[1]) || strings.Contains(m[1], "MODEL"):
			case nested && tops[first]:
				if _, err := os.Stat(filepath.Join("../..", strings.TrimSuffix(m[1], "/..."))); err != nil {
					t.Errorf("%s names %s, which does not exist", page, m[1])
				}
			case !nested && strings.HasSuffix(m[1], ".go") && !goFiles[m[1]]:
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}

// A benchmark that the documentation names in backquotes exists in the package that follows
// its name, if one does.
func TestBenchmarksNamed(t *testing.T) {
	all := folders(t)
	name := regexp.MustCompile(`^(Benchmark\w+)(?: (\.\S*))?$`)
	anywhere, found := make(map[string]bool), 0
	for _, f := range all {
		for _, file := range f.tests {
			for _, declared := range declarations(file) {
				anywhere[declared], anywhere[f.path+" "+declared] = true, true
			}
		}
	}
	for page, content := range pages(t) {
		for _, m := range code.FindAllStringSubmatch(content, -1) {
			if b := name.FindStringSubmatch(m[1]); b != nil {
				found++
				want := b[1]
				if b[2] != "" {
					want = filepath.ToSlash(filepath.Clean(b[2])) + " " + want
				}
				if !anywhere[want] {
					t.Errorf("%s names %s, which does not exist", page, m[1])
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d benchmarks were found", found)
	}
}

// docs/design.md names every package, and every file of the root package, and nothing that
// does not exist: what it has in backquotes and ends in .go is such a file, and what begins
// like a path of this repository is one. A name such as beam/... is that of all below it.
func TestDesignNamesRooms(t *testing.T) {
	all := folders(t)
	named := make(map[string]bool)
	for _, m := range code.FindAllStringSubmatch(pages(t)["docs/design.md"], -1) {
		named[m[1]] = true
		first, _, nested := strings.Cut(m[1], "/")
		_, isFolder := all[first]
		path := strings.TrimSuffix(m[1], "/...")
		if !strings.HasSuffix(path, ".go") && !(nested && (isFolder || first == "internal" || first == "cmd" || first == "compare")) {
			continue
		}
		if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
			t.Errorf("docs/design.md names %s, which does not exist", m[1])
		}
	}
	for path := range all {
		ok := path == "." || named[path]
		for above := path; !ok && above != "."; above = filepath.ToSlash(filepath.Dir(above)) {
			ok = named[above+"/..."]
		}
		if !ok {
			t.Errorf("docs/design.md does not name the package %s", path)
		}
	}
	files, err := filepath.Glob("../../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if name := filepath.Base(path); !strings.HasSuffix(name, "_test.go") && !named[name] {
			t.Errorf("docs/design.md does not name the file %s", name)
		}
	}
}

// What docs/adding-an-event-model.md has in backquotes and looks like a name of Go is declared
// in the root package or in its tests.
func TestAddingAnEventModel(t *testing.T) {
	root := folders(t)["."]
	known := make(map[string]bool)
	for _, file := range slices.Concat(root.files, root.tests) {
		for _, name := range declarations(file) {
			known[name] = true
		}
	}
	name := regexp.MustCompile(`^[A-Za-z]\w*$`)
	found := 0
	for _, m := range code.FindAllStringSubmatch(pages(t)["docs/adding-an-event-model.md"], -1) {
		switch {
		case name.MatchString(m[1]):
			found++
			if !known[m[1]] {
				t.Errorf("the page names %s, which the root package does not", m[1])
			}
		case strings.HasSuffix(m[1], ".go") && !strings.Contains(m[1], "MODEL"):
			if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
				t.Errorf("the page names %s, which does not exist", m[1])
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d names were found", found)
	}
}

// declarations returns the names of a file's functions, methods, types, fields of types, and
// methods of interfaces.
func declarations(file *ast.File) []string {
	var list []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			list = append(list, n.Name.Name)
		case *ast.TypeSpec:
			list = append(list, n.Name.Name)
		case *ast.StructType:
			list = append(list, fields(n.Fields)...)
		case *ast.InterfaceType:
			list = append(list, fields(n.Methods)...)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				list = append(list, id.Name)
			}
		}
		return true
	})
	return list
}

func fields(of *ast.FieldList) []string {
	var list []string
	for _, field := range of.List {
		for _, id := range field.Names {
			list = append(list, id.Name)
		}
	}
	return list
}
