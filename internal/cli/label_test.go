package cli

import (
	"net"
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
