//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// readme returns a section of README.md, by its heading.
func readme(t *testing.T, heading string) string {
	t.Helper()
	return sectionOf(t, "README.md", heading)
}

// sectionOf returns a section of a page, by its heading.
func sectionOf(t *testing.T, page, heading string) string {
	t.Helper()
	b, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(b), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", page, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// fenced returns the blocks of a language, such as ```console, in a section.
func fenced(section, language string) []string {
	var blocks []string
	for {
		_, rest, ok := strings.Cut(section, "```"+language+"\n")
		if !ok {
			return blocks
		}
		block, after, _ := strings.Cut(rest, "```\n")
		blocks, section = append(blocks, block), after
	}
}

// A step is a line of a session, and what the session shows of its output.
type step struct{ command, output string }

// steps returns the steps of a session, whose commands begin with a dollar sign.
func steps(session string) []step {
	var list []step
	for line := range strings.Lines(session) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, step{command: strings.TrimSpace(command)})
		} else if n := len(list); n > 0 {
			list[n-1].output += line
		}
	}
	return list
}

// clone returns a folder that has what a clone of the repository has and the walk reads.
func clone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, tickets := range []string{"internal/cli/sample.csv", "examples/tickets/pile.csv"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(tickets)), 0o755); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile("../../" + tickets)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, tickets), string(b))
	}
	for _, name := range []string{"tickets.csv", "more.csv"} {
		writeFile(t, filepath.Join(dir, name), "label,subject,body,age,country,plan\na,one,two,3,KR,pro\nb,four,five,6,DE,free\n")
	}
	return dir
}

// inShell runs a line of README.md and returns all that it prints. The program is the one
// that is tested, so that installing or running it from its source needs no compiler.
func inShell(t *testing.T, dir, line string) string {
	t.Helper()
	switch line {
	case "go install ./cmd/bayes", "go test ./...":
		return ""
	}
	cmd := exec.Command("sh", "-c", strings.Replace(line, "go run ./cmd/bayes", "bayes", 1))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// seconds is a time, which is another one with each run.
var seconds = regexp.MustCompile(`\d+\.\d\d s\b`)

// shows reports whether a session shows what a command printed: line by line, where a line
// of three dots stands for any lines.
func shows(session, printed string) bool {
	pattern := regexp.QuoteMeta(seconds.ReplaceAllString(session, "TIME"))
	pattern = strings.ReplaceAll("\n"+pattern, "\n"+`\.\.\.`+"\n", "\n(?:.*\n)*")
	return regexp.MustCompile("^" + pattern + "$").MatchString("\n" + seconds.ReplaceAllString(printed, "TIME"))
}

// What README.md prints of its walk, from a clone to an explanation, is what is printed.
func TestReadmeWalk(t *testing.T) {
	dir, section := clone(t), readme(t, "Start")
	sessions := fenced(section, "console")
	if len(sessions) == 0 {
		t.Fatal("README.md has no walk")
	}
	for _, session := range sessions {
		for _, s := range steps(session) {
			if got := inShell(t, dir, s.command); !shows(s.output, got) {
				t.Errorf("%s\nREADME.md shows\n%s\nit prints\n%s", s.command, s.output, got)
			}
		}
	}
	for _, block := range fenced(section+sectionOf(t, "docs/cli.md", "Event models"), "sh") {
		for line := range strings.Lines(block) {
			command, _, _ := strings.Cut(line, "#")
			inShell(t, dir, strings.TrimSpace(command))
		}
	}
}

// All commands of README.md are run: the sessions are in the sections that TestReadmeWalk and
// TestReadmeProgram read, and a line of the text that is a command is one of a session.
func TestReadmeCommands(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	start, own := readme(t, "Start"), readme(t, "In your own program")
	for _, language := range []string{"console", "sh"} {
		run := fenced(start, language)
		if language == "console" {
			run = append(run, fenced(own, language)...)
		}
		if all := fenced(page, language); len(all) != len(run) {
			t.Errorf("README.md has %d blocks of %s, of which tests run %d", len(all), language, len(run))
		}
	}
	for _, m := range regexp.MustCompile("`(?:bayes|go) ([a-z]+)[^`\n]* [^`\n]*`").FindAllString(page, -1) {
		if !strings.Contains(page, "\n$ "+strings.Trim(m, "`")) {
			t.Errorf("%s is a command that no test runs", m)
		}
	}
}

// Three dots stand for lines, and nothing else is left out.
func TestShows(t *testing.T) {
	for _, tc := range []struct {
		session, printed string
		want             bool
	}{
		{"a\nb\n", "a\nb\n", true}, {"a\n", "a\nb\n", false}, {"", "a\n", false}, {"", "", true},
		{"a\n...\n", "a\nb\nc\n", true}, {"a\n...\nc\n", "a\nb\nc\n", true}, {"a\n...\nd\n", "a\nb\nc\n", false},
		{"...\n", "", true}, {"in 0.01 s\n", "in 1.25 s\n", true}, {"0.84 x\n", "0.85 x\n", false},
	} {
		if got := shows(tc.session, tc.printed); got != tc.want {
			t.Errorf("%q shows %q: %v", tc.session, tc.printed, got)
		}
	}
}

// The mean accuracy that README.md states, of ten splits of the sample.
func TestReadmeMean(t *testing.T) {
	stated := regexp.MustCompile(`mean accuracy is (0\.\d+)`).FindStringSubmatch(readme(t, "Start"))
	if stated == nil {
		t.Fatal("README.md does not state the mean accuracy")
	}
	dir := clone(t)
	const splits = 10
	var sum float64
	for seed := range splits {
		mustBayes(t, dir, "split", "internal/cli/sample.csv", "--seed", strconv.Itoa(seed+1), "--force", "-o", "support")
		mustBayes(t, dir, "train", "support.train.csv", "-o", "support.nb", "-q")
		out := mustBayes(t, dir, "test", "support.nb", "support.test.csv")
		found := regexp.MustCompile(`(?m)^accuracy +(\S+)`).FindStringSubmatch(out)
		if found == nil {
			t.Fatal(out)
		}
		accuracy, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += accuracy
	}
	if mean := sum / splits; fmt.Sprintf("%.3f", mean) != stated[1] || mean <= .85 {
		t.Errorf("%.3f, README.md states %s, and it should be above 0.85", mean, stated[1])
	}
}

// The program of README.md does what it says as a module outside of the repository, without
// a network.
func TestReadmeProgram(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOWORK", "off")
	section := readme(t, "In your own program")
	programs := fenced(section, "go")
	if len(programs) != 1 {
		t.Fatalf("README.md has %d programs", len(programs))
	}
	// The folder bayes holds what the walk left there.
	dir := filepath.Join(clone(t), "bayes")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	inShell(t, dir, "cp ../internal/cli/sample.csv support.csv")
	for _, session := range fenced(section, "console") {
		for _, s := range steps(session) {
			if to, ok := strings.CutPrefix(s.command, "cd "); ok {
				dir = filepath.Join(dir, to)
				writeFile(t, filepath.Join(dir, "main.go"), programs[0])
				continue
			}
			got := inShell(t, dir, strings.Replace(s.command, "=../bayes", "="+root, 1))
			if s.output != "" && !shows(s.output, got) {
				t.Errorf("%s\nREADME.md shows\n%s\nit prints\n%s", s.command, s.output, got)
			}
		}
	}
}

// The version of Go that README.md states is that of go.mod.
func TestReadmeGoVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	if want := "needs Go " + string(version[1]) + " or later"; !strings.Contains(readme(t, "In your own program"), want) {
		t.Errorf("README.md does not say that the library %s", want)
	}
}
