//go:build unix

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes/internal/testdata"
)

var updateLearn = flag.Bool("update-learn", false, "write what the commands of docs/learn print into its chapters")

// learnNeeds lists what chapters read beside docs/learn/data: files among the corpora.
var learnNeeds = map[string][]string{"5-sms-spam.md": {"sms/spam.csv"}}

// The chapters of docs/learn show what their commands print, each chapter in a folder of its own that
// has the files of docs/learn/data.
func TestLearn(t *testing.T) {
	chapters, err := filepath.Glob("../../docs/learn/[1-9]-*.md")
	if err != nil || len(chapters) == 0 {
		t.Fatalf("%q, %v", chapters, err)
	}
	for _, path := range chapters {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../../docs/learn/data")); err != nil {
				t.Fatal(err)
			}
			for _, corpus := range learnNeeds[name] {
				writeFile(t, filepath.Join(dir, filepath.Base(corpus)), string(testdata.Read(t, corpus)))
			}
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			renewed := sessionsRun(t, dir, name, string(page))
			if *updateLearn && renewed != string(page) {
				if err := os.WriteFile(path, []byte(renewed), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// sessionsRun runs the sessions of a page in a folder, and returns the page with what they print. Unless
// that is to be written, what the page does not show is an error.
func sessionsRun(t *testing.T, dir, name, page string) string {
	t.Helper()
	if strings.Contains(page, "```sh\n") || strings.Contains(page, "```bash\n") {
		t.Errorf("%s has commands in a block that is not run: a session is ```console", name)
	}
	const fence = "```console\n"
	sessions := fenced(page, "console")
	if len(sessions) == 0 {
		t.Errorf("%s has no session", name)
	}
	for _, session := range sessions {
		var now strings.Builder
		for _, s := range steps(session) {
			got := inShell(t, dir, s.command)
			if shows(s.output, got) {
				got = s.output
			} else if !*updateLearn {
				t.Errorf("%s\n%s shows\n%s\nit prints\n%s\nTo renew it: go test ./cmd/bayes -run TestLearn -update-learn", s.command, name, s.output, got)
			}
			now.WriteString("$ " + s.command + "\n" + got)
		}
		page = strings.Replace(page, fence+session+"```", fence+now.String()+"```", 1)
	}
	return page
}

// What is renewed is what is printed otherwise, alone; three dots stay where they hold.
func TestSessionsRenewed(t *testing.T) {
	defer func(was bool) { *updateLearn = was }(*updateLearn)
	*updateLearn = true
	const stale = "# A\n\n```console\n$ echo 1\n2\n$ printf 'a\\nb\\nc\\n'\na\n...\n$ printf 'a\\nb\\n'\n...\nc\n```\n\nText.\n"
	const fresh = "# A\n\n```console\n$ echo 1\n1\n$ printf 'a\\nb\\nc\\n'\na\n...\n$ printf 'a\\nb\\n'\na\nb\n```\n\nText.\n"
	for _, page := range []string{stale, fresh} {
		if got := sessionsRun(t, t.TempDir(), "a page", page); got != fresh {
			t.Errorf("renewed, it is\n%s", got)
		}
	}
}
