package archtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var updateCounts = flag.Bool("update-counts", false, "write what is counted into docs/testing.md")

// A count is a row of the table of docs/testing.md.
type count struct {
	what string
	n    int
}

// tallies are what the Go files of the tests hold.
type tallies struct {
	tests, examples, fuzz, drawn  int
	linesOfTests, linesOfPrograms int
}

func (n *tallies) add(f *folder) {
	lines := func(file *ast.File) int { return f.fset.File(file.Pos()).LineCount() }
	for _, file := range f.files {
		if !ast.IsGenerated(file) {
			n.linesOfPrograms += lines(file)
		}
	}
	for _, file := range f.tests {
		n.linesOfTests += lines(file)
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				switch name := node.Name.Name; {
				case node.Recv != nil || name == "TestMain":
				case strings.HasPrefix(name, "Test"):
					n.tests++
				case strings.HasPrefix(name, "Fuzz"):
					n.fuzz++
				case strings.HasPrefix(name, "Example") && hasOutput(file, node):
					n.examples++
				}
			case *ast.SelectorExpr:
				if pkg, ok := node.X.(*ast.Ident); ok && pkg.Name == "rapid" && node.Sel.Name == "Check" {
					n.drawn++
				}
			}
			return true
		})
	}
}

// filesBelow calls f for each file in a folder of the repository whose path matches a pattern.
func filesBelow(t *testing.T, pattern string, f func(path string)) {
	t.Helper()
	match := regexp.MustCompile(pattern)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() && match.MatchString(filepath.ToSlash(path)) {
			f(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// counts counts what the tests of all modules are.
func counts(t *testing.T) []count {
	t.Helper()
	var n tallies
	for _, f := range folders(t) {
		n.add(f)
	}
	read := func(path string) []byte {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var transcripts, commands, golden, inputs, links int
	execs := regexp.MustCompile(`(?m)^[!?]? ?exec `)
	filesBelow(t, `/testdata/.*\.txtar$`, func(path string) {
		transcripts++
		commands += len(execs.FindAll(read(path), -1))
	})
	filesBelow(t, `^\.\./\.\./testdata/golden/\d+/`, func(string) { golden++ })
	filesBelow(t, `/testdata/fuzz/`, func(string) { inputs++ })
	var sklearn []json.RawMessage
	if err := json.Unmarshal(read("../../testdata/event_models.json"), &sklearn); err != nil {
		t.Fatal(err)
	}
	sessions := 0
	typed := regexp.MustCompile(`(?m)^\$ `)
	filesBelow(t, `^\.\./\.\./(README|docs/learn/.*)\.md$`, func(path string) { sessions += len(typed.FindAll(read(path), -1)) })
	for _, page := range pages(t) {
		links += len(link.FindAllString(page, -1))
	}
	return []count{
		{"test functions, many of them of tables", n.tests},
		{"Examples of the documentation, whose output is compared", n.examples},
		{"laws for which cases are drawn", n.drawn},
		{"fuzz targets", n.fuzz},
		{"inputs that fuzzing found once and that are tried always", inputs},
		{"transcripts of the command line", transcripts},
		{"commands in them", commands},
		{"commands in the sessions of README.md and of the textbook", sessions},
		{"runs of scikit-learn's classifiers, compared to ten digits", len(sklearn)},
		{"golden files, in all formats of all releases", golden},
		{"links of the documentation that are followed", links},
		{"lines of Go in programs, without what is generated", n.linesOfPrograms},
		{"lines of Go in tests", n.linesOfTests},
	}
}

// rounded rounds a number of three digits or more down to two that count.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return n / unit * unit
}

// table returns counts as rows of Markdown.
func table(list []count) []byte {
	var b bytes.Buffer
	for _, c := range list {
		number := strconv.Itoa(rounded(c.n))
		if len(number) > 3 {
			number = number[:len(number)-3] + "," + number[len(number)-3:]
		}
		fmt.Fprintf(&b, "| %s | %s |\n", c.what, number)
	}
	return b.Bytes()
}

// docs/testing.md says how much there is of each kind of test. Numbers are rounded down, and may
// fall behind by a fifth before they are stale; -update-counts writes them.
func TestCounts(t *testing.T) {
	const page, head = "../../docs/testing.md", "| what is counted | at least |\n|---|---|\n"
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(b, []byte(head))
	rows, after, _ := bytes.Cut(rest, []byte("\n\n"))
	if !ok {
		t.Fatalf("docs/testing.md has no table of counts, which begins\n%s", head)
	}
	list := counts(t)
	if *updateCounts {
		b = bytes.Join([][]byte{before, []byte(head), table(list), []byte("\n"), after}, nil)
		if err := os.WriteFile(page, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	stated := make(map[string]int)
	for line := range strings.Lines(string(rows)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "|", "", " ", "").Replace(cells[len(cells)-1]))
		if err != nil {
			t.Fatal(err)
		}
		stated[strings.TrimPrefix(cells[0], "| ")] = n
	}
	for _, c := range list {
		if n := stated[c.what]; n > c.n || n < c.n*4/5 {
			t.Errorf("docs/testing.md states %d %s, there are %d: write them by go test ./internal/archtest -run TestCounts -update-counts", n, c.what, c.n)
		}
	}
	if len(stated) != len(list) {
		t.Errorf("docs/testing.md has %d rows of counts, not %d", len(stated), len(list))
	}
}

// Every fuzz target is among those that .ci/run tries.
func TestFuzzTargetsRun(t *testing.T) {
	script, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for path, f := range folders(t) {
		for _, file := range f.tests {
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
					continue
				}
				target := "\n./" + path + " " + fn.Name.Name + " "
				if path == "." {
					target = "\n. " + fn.Name.Name + " "
				}
				if !bytes.Contains(script, []byte(target)) {
					t.Errorf("%s in %s is not among the targets of .ci/run", fn.Name.Name, path)
				}
			}
		}
	}
}
