package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// No name of a user's is a pattern: what is no test calls no function that reads
// a file's name as one. The module beam, whose arguments are patterns, may, and so may
// internal/golden, which is for tests alone.
func TestNoPatterns(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "beam" || d.Name() == "golden" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				x, _ := sel.X.(*ast.Ident)
				if x != nil && (sel.Sel.Name == "Glob" || sel.Sel.Name == "Match" && (x.Name == "filepath" || x.Name == "path")) {
					t.Errorf("%s calls %s.%s", path, x.Name, sel.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files: %v", files, err)
	}
}
