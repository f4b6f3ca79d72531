package cli

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/testdata"
)

// program returns the path of a program of another package, and skips the test where it is missing, unless
// that is in CI.
func program(t *testing.T, name, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing: install %s", name, pkg)
	}
	t.Skipf("%s is missing: install %s to compare with it", name, pkg)
	return ""
}

func printed(t *testing.T, stdin []byte, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() > 2) {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

// An imported list gives bogofilter's own score, of its own tokens and of ours.
func TestImportedScores(t *testing.T) {
	bogofilter, lexer, util := program(t, "bogofilter", "bogofilter"), program(t, "bogolexer", "bogofilter"), program(t, "bogoutil", "bogofilter")
	mails := map[string][]string{}
	for _, class := range []string{"spam", "ham"} {
		files, err := filepath.Glob(filepath.Join(testdata.Path(t, "spamassassin"), class, "*"))
		if err != nil || len(files) < 600 {
			t.Fatal(class, len(files), err)
		}
		for i := 0; i < 600; i += 5 {
			mails[class] = append(mails[class], files[i])
		}
	}
	t.Chdir(t.TempDir())
	const teach = 60
	for class, flag := range map[string]string{"spam": "-s", "ham": "-n"} {
		printed(t, nil, bogofilter, append([]string{"-C", "-d", ".", flag, "-B"}, mails[class][:teach]...)...)
	}
	if err := os.WriteFile("words.txt", []byte(printed(t, nil, util, "-d", "wordlist.db")), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if code := newApp(strings.NewReader(""), &said, &said).run(context.Background(), []string{"import", "bogofilter", "words.txt", "-o", "m.nb"}); code != 0 {
		t.Fatal(said.String())
	}
	m, err := bayes.OpenModel("m.nb", Languages()...)
	if err != nil {
		t.Fatal(err)
	}
	spamOf := func(d bayes.Document) float64 {
		for _, c := range m.Predict(d).Classes {
			if c.Class == "spam" {
				return c.P
			}
		}
		return math.NaN()
	}
	same, all := 0, 0
	for _, class := range []string{"spam", "ham"} {
		for _, file := range mails[class] {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := strconv.ParseFloat(strings.TrimSpace(printed(t, raw, bogofilter, "-C", "-d", ".", "-TT")), 64)
			if err != nil {
				t.Fatal(err)
			}
			var d bayes.Document
			for token := range strings.Lines(printed(t, raw, lexer, "-C", "-p")) {
				token, _, _ = strings.Cut(strings.TrimSuffix(token, "\n"), ": ") // of a field in a message within, the whole line is printed
				d.Attrs = append(d.Attrs, bayes.Term(token, 1))
			}
			if got := spamOf(d); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%s: %v of bogolexer's tokens, bogofilter %v", file, got, want)
			}
			if all++; math.Abs(spamOf(MailDocument(m, raw))-want) <= 1e-12 {
				same++
			}
		}
	}
	if 100*same < 99*all {
		t.Errorf("our tokens give the score of %d of %d mails", same, all)
	}
}
