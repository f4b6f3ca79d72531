package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bayes/mail"
)

// filtered runs filter on a mail.
func filtered(stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, said bytes.Buffer
	code = newApp(stdin, &out, &said).run(context.Background(), append([]string{"filter"}, args...))
	return code, out.String(), said.String()
}

func TestFilter(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"box/spam/1": "Received: from a.example\nFrom: x@pills.example\nSubject: cheap pills\n\ncheap pills now\n",
		"box/ham/1":  "Received: from b.example\nFrom: ann@b.example\nSubject: lunch\n\nsee you at noon\n",
		"bad.nb":     "no model",
	} {
		os.MkdirAll("box/spam", 0o700)
		os.MkdirAll("box/ham", 0o700)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, said := inTemp("train", "box", "-o", "m.nb"); code != exitDone {
		t.Fatal(said)
	}
	if code, said := inTemp("freeze", "m.nb", "-o", "f.nb"); code != exitDone {
		t.Fatal(said)
	}
	const spam, ham, unsure = "X-Bayes-Status: ham\nFrom: x@pills.example\nSubject: cheap pills\n\ncheap \xff pills\r\n\x00", "From: ann@b.example\nSubject: lunch\n\nsee you", "\n"
	for _, model := range []string{"m.nb", "f.nb"} {
		for status, raw := range []string{spam, ham, unsure} {
			code, out, said := filtered(iotest.OneByteReader(strings.NewReader(raw)), model)
			want := strings.TrimPrefix(raw, "X-Bayes-Status: ham\n")
			start := "X-Bayes-Status: " + mail.Status(status).String() + "\nX-Bayes-Score: "
			if code != status || said != "" || !strings.HasPrefix(out, start) || !strings.HasSuffix(out, "\n"+want) || strings.Count(out, "X-Bayes-") != 3 {
				t.Errorf("%s: exit code %d, want %d; %s\n%q", model, code, status, said, out)
			}
		}
	}
	// Whatever fails, the mail passes as it is.
	for _, c := range []struct{ args, says string }{
		{"none.nb", "none.nb: no such file or directory"},
		{"bad.nb", "bad.nb: "},
		{"box", "box: is a directory, and no model"},
		{"-", "the mail is on standard input"},
		{"", "want one MODEL"},
		{"m.nb m.nb", "want one MODEL"},
		{"m.nb --wrong", "unknown flag: --wrong"},
		{"m.nb --spam-cutoff x", "--spam-cutoff x: want a number"},
		{"m.nb --spam-cutoff 0.3", "0 <= ham < spam <= 1"},
		{"m.nb --spam-label junk", `m.nb: the model has no class "junk"`},
	} {
		code, out, said := filtered(strings.NewReader(spam), strings.Fields(c.args)...)
		if code != 3 || out != spam || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("filter %s: exit code %d, %q\n%q", c.args, code, said, out)
		}
	}
	code, out, said := filtered(io.MultiReader(strings.NewReader(spam), iotest.ErrReader(errors.New("gone"))), "m.nb")
	if code != 3 || out != spam || !strings.Contains(said, "standard input: gone") {
		t.Errorf("a reader that fails: %d, %q, %q", code, said, out)
	}
}

// A model that has cutoffs says of a mail what predict says, frozen too, and flags override them.
func TestFilterByOwnCutoffs(t *testing.T) {
	t.Chdir(t.TempDir())
	raw := func(label string, i int) string {
		words := []string{"cheap", "pills", "lunch", "noon"}
		if label == "ham" {
			slices.Reverse(words)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "From: someone%d@a.example\nSubject: hi\n\n", i)
		for j, word := range words { // the first are the most frequent
			b.WriteString(strings.Repeat(word+" ", (i*(3-j)+i/7)%(5-j)))
		}
		return b.String()
	}
	for i := range 40 {
		for _, label := range []string{"spam", "ham"} {
			if err := os.MkdirAll("box/"+label, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(fmt.Sprintf("box/%s/%d", label, i), []byte(raw(label, i)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code, said := inTemp("train", "box", "--format", "mail", "--correct=false", "--ngrams", "1", "--weighting", "count", "--max-fpr", "spam=0.02,ham=0.1", "-o", "m.nb"); code != exitDone {
		t.Fatal(said)
	}
	if code, said := inTemp("freeze", "m.nb", "-o", "f.nb"); code != exitDone {
		t.Fatal(said)
	}
	seen := make(map[string]int)
	for i := range 40 {
		for _, label := range []string{"spam", "ham"} {
			name := fmt.Sprintf("box/%s/%d", label, i)
			var predicted, said bytes.Buffer
			newApp(nil, &predicted, &said).run(context.Background(), []string{"predict", "m.nb", name, "--format", "mail", "--json"})
			var want struct{ Label string }
			if err := json.Unmarshal(predicted.Bytes(), &want); err != nil {
				t.Fatal(err, said.String())
			}
			seen[want.Label]++
			for _, model := range []string{"m.nb", "f.nb"} {
				code, out, said := filtered(strings.NewReader(raw(label, i)), model)
				if code > 2 || mail.Status(code).String() != want.Label || !strings.HasPrefix(out, "X-Bayes-Status: "+want.Label+"\n") {
					t.Errorf("%s of %s: exit code %d, want %s; %s\n%s", model, name, code, want.Label, said, out)
				}
				if code, _, said := filtered(strings.NewReader(raw(label, i)), model, "--spam-cutoff", "1e-300", "--ham-cutoff", "1e-301"); code != int(mail.Spam) {
					t.Errorf("%s of %s: exit code %d where all is spam; %s", model, name, code, said)
				}
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("only these were predicted: %v", seen)
	}
}

// What cannot be written is a failure, and so is a panic.
func TestFilterFails(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.csv", []byte("label,text\nspam,cheap pills\nham,see you\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := inTemp("train", "a.csv", "-o", "m.nb"); code != exitDone {
		t.Fatal(said)
	}
	var said bytes.Buffer
	code := newApp(strings.NewReader("cheap"), full{}, &said).run(context.Background(), []string{"filter", "m.nb"})
	if code != 3 || said.String() != "bayes: standard output: full\n" {
		t.Errorf("exit code %d, %q", code, said.String())
	}
	_, err := guarded(func() (int, error) { panic("oh") })
	if err == nil || !strings.HasPrefix(err.Error(), "a fault in bayes: oh: ") {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }
