package archtest

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// limits are what a package may grow to. They are near what it is: whoever needs more makes room,
// or says here why the package has become better by it. A limit of 0 is none.
type limits struct {
	files, lines, exported, types int
	cycle                         int // of files that refer to one another, all by way of all
	longest                       int // lines of a function
}

// house has the limits of the root package; every other one has those of others. Of the root's lines,
// 930 are corrections, two files: they read Corpus, statistics and likelihoods from inside.
var (
	house  = limits{files: 57, lines: 9120, exported: 75, types: 61, cycle: 3, longest: 50}
	others = limits{cycle: 8, longest: 62}
)

// odd matches what comments say in plainer words.
var odd = regexp.MustCompile(`(?i)\b(so many|but for|likewise|does so|do so|of which|tells? of|speaks? for)\b`)

// No package grows unseen.
func TestHouse(t *testing.T) {
	for dir, p := range rooms(t) {
		most := others
		if dir == "." {
			most = house
		}
		got := p.measure()
		for _, c := range []struct {
			what      string
			got, most int
		}{
			{"files", got.files, most.files}, {"lines", got.lines, most.lines}, {"exported names", got.exported, most.exported},
			{"unexported types", got.types, most.types}, {"files in a cycle", got.cycle, most.cycle}, {"lines in a function", got.longest, most.longest},
		} {
			if c.most > 0 && c.got > c.most {
				t.Errorf("%s: %d %s, of at most %d", dir, c.got, c.what, c.most)
			}
		}
		for _, f := range p.files {
			for _, c := range f.Comments {
				if phrase := odd.FindString(c.Text()); phrase != "" {
					t.Errorf("%s: say %q otherwise", p.fset.Position(c.Pos()), phrase)
				}
			}
		}
	}
}

// What depends on an event model is a method of it, in its file: elsewhere no code asks which
// event model it has.
func TestNoSwitchOnEventModels(t *testing.T) {
	packages := rooms(t)
	home := make(map[string]string) // the file of an event model, or of its fitted form, by its name
	for _, f := range packages["."].files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv != nil && (fn.Name.Name == "models" || fn.Name.Name == "factors") {
				typ := types.ExprString(fn.Recv.List[0].Type)
				home[strings.TrimPrefix(typ, "*")] = packages["."].fileName(f)
			}
		}
	}
	if len(home) < 15 {
		t.Fatalf("only %d event models and fitted forms were found: %v", len(home), home)
	}
	for dir, p := range packages {
		for _, f := range p.files {
			check := func(typ ast.Expr) {
				name := strings.TrimPrefix(types.ExprString(typ), "*")
				if dir != "." {
					var ok bool
					if name, ok = strings.CutPrefix(name, "bayes."); !ok {
						return
					}
				}
				if at := home[name]; at != "" && (dir != "." || at != p.fileName(f)) {
					t.Errorf("%s asks whether an event model is a %s", p.fset.Position(typ.Pos()), name)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeAssertExpr:
					if n.Type != nil {
						check(n.Type)
					}
				case *ast.TypeSwitchStmt:
					for _, c := range n.Body.List {
						for _, typ := range c.(*ast.CaseClause).List {
							check(typ)
						}
					}
				}
				return true
			})
		}
	}
}

// rooms returns the packages of the module, as they are read: without generated files and those that
// replace assembly.
func rooms(t *testing.T) map[string]*folder {
	t.Helper()
	all := folders(t)
	for dir, p := range all {
		other := slices.ContainsFunc([]string{"beam", "internal/asm", "compare/profile"}, func(module string) bool {
			return dir == module || strings.HasPrefix(dir, module+"/")
		})
		p.files = slices.DeleteFunc(p.files, func(f *ast.File) bool {
			return ast.IsGenerated(f) || strings.HasSuffix(p.fileName(f), "_other.go")
		})
		if other || len(p.files) == 0 {
			delete(all, dir)
		}
	}
	return all
}

// fileName returns the name of a file of the folder.
func (f *folder) fileName(file *ast.File) string {
	return filepath.Base(f.fset.Position(file.Pos()).Filename)
}

func (p *folder) measure() limits {
	got := limits{files: len(p.files), cycle: p.cycle()}
	count := func(id *ast.Ident, typ bool) {
		if id.IsExported() {
			got.exported++
		} else if typ {
			got.types++
		}
	}
	for _, f := range p.files {
		got.lines += p.fset.File(f.Pos()).LineCount()
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				got.longest = max(got.longest, p.fset.Position(d.End()).Line-p.fset.Position(d.Pos()).Line+1)
				if d.Recv == nil {
					count(d.Name, false)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						count(s.Name, true)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							count(id, false)
						}
					}
				}
			}
		}
	}
	return got
}

// cycle returns how many files the largest set has each of which refers, by way of others in the
// set, to all of them.
func (p *folder) cycle() int {
	refers := p.references()
	reach := make(map[string]map[string]bool)
	for name := range refers {
		seen := make(map[string]bool)
		todo := []string{name}
		for len(todo) > 0 {
			for to := range refers[todo[0]] {
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
			todo = todo[1:]
		}
		reach[name] = seen
	}
	largest := 1
	for a := range reach {
		n := 0
		for b := range reach[a] {
			if reach[b][a] {
				n++
			}
		}
		largest = max(largest, n)
	}
	return largest
}

// references returns to which other files of the package each file refers.
func (p *folder) references() map[string]map[string]bool {
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	checked, _ := config.Check("p", p.fset, p.files, info) // errors are of what is imported
	refers := make(map[string]map[string]bool)
	add := func(id *ast.Ident, o types.Object) {
		if o == nil || o.Pkg() != checked || !o.Pos().IsValid() {
			return
		}
		if v, ok := o.(*types.Var); ok && !v.IsField() && o.Parent() != checked.Scope() {
			return // a local variable
		}
		from, to := p.fset.Position(id.Pos()).Filename, p.fset.Position(o.Pos()).Filename
		if from == to {
			return
		}
		if refers[from] == nil {
			refers[from] = make(map[string]bool)
		}
		refers[from][to] = true
	}
	for id, o := range info.Uses {
		add(id, o)
	}
	for s, selection := range info.Selections {
		add(s.Sel, selection.Obj())
	}
	return refers
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

// The measure itself finds a cycle, a long function and an odd phrase.
func TestMeasure(t *testing.T) {
	p := &folder{fset: token.NewFileSet()}
	for name, src := range map[string]string{
		"a.go": "package p\n\nfunc A() { b() }\n",
		"b.go": "package p\n\nfunc b() { c{}.d() }\n",
		"c.go": "package p\n\ntype c struct{}\n\nfunc (c) d() {\n\tA()\n}\n",
		"e.go": "package p\n\nfunc E() { A() }\n",
	} {
		f, err := parser.ParseFile(p.fset, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, f)
	}
	want := limits{files: 4, lines: 16, exported: 2, types: 1, cycle: 3, longest: 3}
	if got := p.measure(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !slices.Equal(odd.FindAllString("A table of which so many rows do so.", -1), []string{"of which", "so many", "do so"}) {
		t.Error("odd phrases are not found")
	}
}
