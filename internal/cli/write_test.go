package cli

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// inTemp runs bayes with arguments, and returns its exit code and what it says.
func inTemp(args ...string) (code int, said string) {
	var stderr bytes.Buffer
	code = newApp(strings.NewReader(""), new(bytes.Buffer), &stderr).run(context.Background(), args)
	return code, stderr.String()
}

// writers are all flags that name a file to be written, with arguments for the
// rest of the command, and what is added to the name.
var writers = map[string]struct{ args, suffix string }{
	"train --output":    {"a.csv", ""},
	"tune --output":     {"a.csv --folds 2 --analyzer whitespace --weighting count --min-df 1 --model multinomial --alpha 1", ""},
	"merge --output":    {"m.nb n.nb", ""},
	"subtract --output": {"m.nb n.nb", ""},
	"freeze --output":   {"m.nb --test a.csv", ""},
	"test --report":     {"m.nb a.csv", ""},
	"cv --report":       {"a.csv --folds progressive", ""},
	"explain --html":    {"m.nb a.csv", ""},
	"import --output":   {"bogofilter list.txt", ""},
	"audit --fix":       {"a.csv --yes 0.99", ""},
	"audit --report":    {"a.csv", ""},
	"label --output":    {"a.csv --tty", ""},
	"split --output":    {"a.csv", ".train.csv"},
}

// Whatever file a command writes, it is none that is read and none of another
// kind, unless --force is given. A command that is new here needs a row above.
func TestWriters(t *testing.T) {
	t.Chdir(t.TempDir())
	const csv = "label,text\nspam,win a free prize\nspam,free entry\nham,see you at lunch\nham,lunch at one\n"
	if err := os.WriteFile("a.csv", []byte(csv), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"m.nb", "n.nb"} {
		if code, said := inTemp("train", "a.csv", "-o", model); code != exitDone {
			t.Fatal(said)
		}
	}
	if err := os.WriteFile("list.txt", []byte(".MSG_COUNT 2 1 20260101\nprize 2 0 20260101\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, cmd := range newApp(nil, nil, nil).root().Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !writes(f) {
				return
			}
			name := cmd.Name() + " --" + f.Name
			row, ok := writers[name]
			if !ok {
				t.Errorf("%s has no row in writers", name)
				return
			}
			rows++
			t.Run(name, func(t *testing.T) { testWriter(t, cmd, "--"+f.Name, strings.Fields(row.args), row.suffix) })
		})
	}
	if rows != len(writers) {
		t.Errorf("%d flags write files, and writers has %d", rows, len(writers))
	}
}

// writes reports whether a flag names a file to be written, whatever its type.
func writes(f *pflag.Flag) bool {
	_, ok := f.Value.(fileName)
	return ok || f.Name == "output" || f.Shorthand == "o" || f.Value.Type() == "string" && strings.Contains(f.Usage, "write")
}

func testWriter(t *testing.T, cmd *cobra.Command, flag string, args []string, suffix string) {
	run := func(out string, more ...string) (int, string) {
		words := append([]string{cmd.Name()}, args...)
		return inTemp(append(append(words, flag, strings.TrimSuffix(out, suffix)), more...)...)
	}
	link := "link" + suffix
	if err := os.Symlink("a.csv", link); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(link)
	other := "notes.txt" + suffix
	if err := os.WriteFile(other, []byte("do not lose this\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(other)
	victims := []string{link, other}
	for _, arg := range args {
		if _, err := os.Stat(arg); err == nil && suffix == "" {
			victims = append(victims, arg)
		}
	}
	for _, victim := range victims {
		before, err := os.ReadFile(victim)
		if err != nil {
			t.Fatal(err)
		}
		code, said := run(victim)
		if after, err := os.ReadFile(victim); err != nil || !bytes.Equal(after, before) {
			t.Errorf("%s is lost (%v)", victim, err)
		}
		if code != exitFailed || !strings.Contains(said, "not written over: ") {
			t.Errorf("%s: exit %d, %s", victim, code, said)
		}
	}
	if code, said := run(other, "--force"); code != exitDone {
		t.Errorf("--force: exit %d, %s", code, said)
	}
	if b, err := os.ReadFile(other); err != nil || strings.HasPrefix(string(b), "do not") {
		t.Errorf("--force writes nothing (%v)", err)
	}
	if hidden, _ := filepath.Glob(".*"); len(hidden) > 0 {
		t.Errorf("left behind: %v", hidden)
	}
}

// exempt are the functions that write files, and may be called besides those of
// package outfile, with the reason.
var exempt = map[string]string{
	"token.go os.OpenFile":          "adds a line to a file that it has read as tokens",
	"runner.go os.WriteFile":        "an empty file in a folder of its own",
	"runner.go os.MkdirTemp":        "a folder of its own",
	"signals.go atomicfile.Abandon": "writes nothing",

	"backup.go atomicfile.MkdirAll": "the folder above the copy",
	"backup.go os.MkdirTemp":        "a folder of its own, which becomes the copy",
	"backup.go os.Rename":           "gives the copy a name that no file has",
	"backup.go atomicfile.SyncDir":  "writes no file",
	"backup.go atomicfile.Write":    "into the folder of its own",
}

// No command writes a file but by a Writing or a lock.
func TestNoOtherWriters(t *testing.T) {
	used := make(map[string]bool)
	for _, dir := range []string{".", "../../cmd/bayes", "../../beam/cmd/bayes-beam"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, call := range writingCalls(t, file) {
				key := filepath.Base(file) + " " + call
				if exempt[key] == "" {
					t.Errorf("%s calls %s: write by a Writing and its Destination, or by lock", file, call)
				}
				used[key] = true
			}
		}
	}
	for key := range exempt {
		if !used[key] {
			t.Errorf("%s is exempt, and not there", key)
		}
	}
}

// writingCalls returns the functions a file names that write files.
func writingCalls(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := s.X.(*ast.Ident); ok {
			switch name := pkg.Name + "." + s.Sel.Name; {
			case pkg.Name == "atomicfile", pkg.Name == "ioutil", name == "outfile.Plan" && filepath.Base(file) != "write.go":
				calls = append(calls, name)
			case strings.Contains(" os.Create os.CreateTemp os.MkdirTemp os.WriteFile os.OpenFile os.Rename os.Link os.Truncate ", " "+name+" "):
				calls = append(calls, name)
			}
		}
		return true
	})
	return calls
}
