package cli

import (
	"net"
	"os"
	"regexp"
	"strings"
	"testing"
)

// What is offered at the end trains as the pile is read, and of the texts without an answer where a file of answers is read like them; else it is
// nothing, since the model would not be the one that is praised.
func TestTrainLine(t *testing.T) {
	for _, of := range []struct {
		flags, answers, file string
		unanswered           bool
		want                 string
	}{
		{"", "l.csv", "pile.csv", false, "bayes train l.csv -o model.nb"},
		{"", "l.csv", "my pile.csv", true, "bayes train l.csv --unlabelled 'my pile.csv' -o model.nb"},
		{"--ngrams 1-2 --order random", "l.csv", "pile.csv", true, "bayes train l.csv --ngrams=1-2 --unlabelled pile.csv --asked=false -o model.nb"},
		{"--text body", "l.csv", "pile.csv", true, ""},
		{"--text body", "l.csv", "pile.csv", false, "bayes train l.csv -o model.nb"},
		{"", "l.csv", "-", true, ""},
		{"", "-l.csv", "pile.csv", false, "bayes train ./-l.csv -o model.nb"},
	} {
		cmd := new(App).labelCommand()
		if err := cmd.ParseFlags(strings.Fields(of.flags)); err != nil {
			t.Fatal(err)
		}
		if got := trainLine(cmd, of.answers, []string{of.file}, of.unanswered); got != of.want {
			t.Errorf("%+v: %q", of, got)
		}
	}
}

// What is labelled is never written over by answers, a file of answers that lacks a column is told so, and labels that were written before --afresh was given.
func TestLabelFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"pile.csv": "label,text\na,one two\n,three\n", "cut.csv": "label,text,row,who,random\na,one two,1,ann,no\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range []struct{ args, said string }{
		{"label pile.csv -o pile.csv --tty", `^bayes: pile.csv: not written over: it is read by this very command, .*\(choose another name\)\n$`},
		{"label pile.csv -o ./pile.csv --force --afresh --tty", `^bayes: ./pile.csv: not written over: it is read`},
		{"label pile.csv -o cut.csv --tty", `^bayes: cut.csv: .* and here is no when\n$`},
		{"label pile.csv -o cut.csv --force --tty", `and here is no when`},
		{"label pile.csv -o l.csv --tty", `^l.csv: 1 of 2 texts labelled`},
		{"label pile.csv -o l.csv --afresh --tty", `^note: --afresh: 1 label that l.csv has from the file before`},
	} {
		if _, said := inTemp(strings.Fields(of.args)...); !regexp.MustCompile(of.said).MatchString(said) {
			t.Errorf("%s: %s", of.args, said)
		}
	}
	if b, err := os.ReadFile("pile.csv"); err != nil || !strings.HasSuffix(string(b), "three\n") {
		t.Errorf("%q, %v", b, err)
	}
}

// An address of a page that listens everywhere is one that a browser can open.
func TestReachable(t *testing.T) {
	for listen, want := range map[string]string{"127.0.0.1:0": `^127\.0\.0\.1:\d+$`, "0.0.0.0:0": `^[1-9]\d*\.\d+\.\d+\.\d+:\d+$`, ":0": `^([1-9]\d*\.\d+\.\d+\.\d+|\[[0-9a-f:]*[0-9a-f]\]):\d+$`} {
		l, err := net.Listen("tcp", listen)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachable(l.Addr()); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s is reached at %s", listen, got)
		}
		l.Close()
	}
}

// A long text is shown up to 4,000 characters, of however many bytes each.
func TestClip(t *testing.T) {
	for _, char := range []string{"a", "é", "あ", "😀"} {
		for n, want := range map[int]int{0: 0, 3999: 3999, 4000: 4000, 4001: 4001, 100_000: 4001} { // with the sign that there is more
			if got := clip(strings.Repeat(char, n)); len([]rune(got)) != want || strings.HasSuffix(got, "…") != (n > 4000) {
				t.Errorf("%d of %s: %d characters", n, char, len([]rune(got)))
			}
		}
	}
}

// Of a text that several people have answered one answer is learned and unlearned, and each is audited. Where labels are not those that
// were answered, each row is a row.
func TestOutvoted(t *testing.T) {
	t.Chdir(t.TempDir())
	const answers = "label,text,row,who,when,random\nx,one two,1,ann,,yes\ny,one two,1,bo,,yes\nx,one two,1,cy,,yes\ny,three,2,ann,,no\nx,one,words,ann,,no\n"
	if err := os.WriteFile("l.csv", []byte(answers), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct{ args, out, said string }{
		{"train l.csv -o m.nb --json", `"documents": ?3,`, `^note: l.csv: texts that several people have answered \(1\) count once each, with the label that most gave\n$`},
		{"unlearn m.nb l.csv --json", `"total": ?0`, "count once"},
		{"train l.csv --label who -o who.nb --json", `"documents": ?5,`, `^$`},
		{"audit l.csv --json", `"row":5`, `^$`},
		{"split l.csv --json --stratify=false", `"train_documents": ?4`, `^$`},
	} {
		out, said := runs(t, strings.Fields(of.args)...)
		if !regexp.MustCompile(of.out).MatchString(out) || !regexp.MustCompile(of.said).MatchString(said) {
			t.Errorf("%s: %s, %s", of.args, out, said)
		}
	}
}
