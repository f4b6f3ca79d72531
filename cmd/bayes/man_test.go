//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every command has a manual page, with all flags that its help has, and groff has nothing to
// say against it.
func TestManualPages(t *testing.T) {
	dir := t.TempDir()
	pages := make(map[string]string)
	for line := range strings.Lines(mustBayes(t, dir, "man", "--json")) {
		var p struct{ Name, Page string }
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		pages[p.Name] = p.Page
	}
	flag := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`)
	for _, command := range append(commandsBelow(t, dir), "") {
		if command == "help" {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSpace("bayes "+command), " ", "-") + ".1"
		page, ok := pages[name]
		if !ok {
			t.Errorf("there is no page %s", name)
			continue
		}
		delete(pages, name)
		if printed := mustBayes(t, dir, append([]string{"man"}, strings.Fields(command)...)...); printed != page {
			t.Errorf("bayes man %s and bayes man --json differ", command)
		}
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"} {
			if section == "SEE ALSO" && command == "" {
				continue // it has all commands already
			}
			if !strings.Contains(page, "\n.SH \""+section+"\"\n") {
				t.Errorf("%s has no section %s", name, section)
			}
		}
		for _, m := range flag.FindAllStringSubmatch(mustBayes(t, dir, append(strings.Fields(command), "--help")...), -1) {
			if !strings.Contains(page, `\-\-`+strings.ReplaceAll(m[1], "-", `\-`)+`\fR`) {
				t.Errorf("%s lacks --%s", name, m[1])
			}
		}
		write(t, filepath.Join(dir, name), []byte(page))
	}
	for name := range pages {
		t.Errorf("%s is of no command", name)
	}
	if t.Failed() {
		return
	}
	installed(t, "man", "have the manual pages formatted")
	for _, page := range []string{"bayes.1", "bayes-train.1", "bayes-serve.1", "bayes-filter.1", "bayes-completion-zsh.1"} {
		cmd := exec.Command("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C.UTF-8", "MANROFFSEQ=", "MANWIDTH=80")
		var warnings strings.Builder
		cmd.Stderr = &warnings
		if err := cmd.Run(); err != nil || warnings.Len() > 0 {
			t.Errorf("man %s: %v\n%s", page, err, warnings.String())
		}
	}
	if out := mustBayes(t, dir, "man", "filter"); !strings.Contains(out, "2: unsure; 3: failed") {
		t.Error("the page of filter does not have its exit codes")
	}
}

// A command that there is none of is wrong usage.
func TestManualOfNothing(t *testing.T) {
	for _, args := range [][]string{{"trian"}, {"train", "twice"}} {
		out, err := bayesIn(t, t.TempDir(), append([]string{"man"}, args...)...).CombinedOutput()
		if err == nil || !strings.HasPrefix(string(out), "bayes: ") || !strings.Contains(string(out), " --help)") {
			t.Errorf("bayes man %q: %v, %s", args, err, out)
		}
	}
}
