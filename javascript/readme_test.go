package javascript_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamples runs the commands and the programs of the documentation, which print what stands there.
func TestExamples(t *testing.T) {
	path, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Node is installed")
		}
		t.Skip("no Node is installed")
	}
	for _, page := range []string{"README.md", "../docs/javascript.md"} {
		source, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := make(map[string]string)
		for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(source), -1) {
			blocks[m[1]] = m[2]
		}
		dir := t.TempDir()
		sample, err := os.ReadFile(filepath.Join("..", "internal", "cli", "sample.csv"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "support.csv"), sample)
		for line := range strings.Lines(blocks["console"]) {
			args := strings.Fields(strings.TrimPrefix(line, "$ bayes "))
			for i, a := range args {
				if strings.HasPrefix(a, "support.") {
					args[i] = filepath.Join(dir, a)
				}
			}
			command(t, args...)
		}
		here, err := filepath.Abs(".")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(here, filepath.Join(dir, "node_modules", "bayes-naive")); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "program.mjs"), []byte(blocks["js"]))
		cmd := exec.Command(path, "program.mjs")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != blocks["text"] || len(out) == 0 {
			t.Errorf("%s: %v: it prints\n%swant\n%s", page, err, out, blocks["text"])
		}
	}
}
