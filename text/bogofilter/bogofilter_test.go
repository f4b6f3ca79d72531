package bogofilter_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bayes/internal/fuzzing"
	"bayes/internal/long"
	"bayes/internal/race"
	"bayes/internal/testdata"
	"bayes/text"
	"bayes/text/bogofilter"
)

var analyzer = &text.Analyzer{Segmenter: bogofilter.Tokens{}, KeepCase: true}

func tokens(s string) (list []string) {
	for token := range analyzer.Tokens(s) {
		list = append(list, token.Term)
	}
	return list
}

// lexer returns the path of bogolexer.
func lexer(t testing.TB) string {
	t.Helper()
	name, err := exec.LookPath("bogolexer")
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatal("bogolexer is missing: install bogofilter")
	default:
		t.Skip("bogolexer is missing: install bogofilter to compare with it")
	}
	return name
}

// differing returns how many tokens of two lists are not in the other, as bags.
func differing(a, b []string) (n int, of map[string]int) {
	of = make(map[string]int)
	for _, s := range a {
		of[s]++
	}
	for _, s := range b {
		of[s]--
	}
	for s, d := range of {
		if d == 0 {
			delete(of, s)
		}
		n += max(d, -d)
	}
	return n, of
}

// Tokens are those of bogolexer, for 99.9 of 100 in real mail.
func TestBogolexer(t *testing.T) {
	name := lexer(t)
	files, err := filepath.Glob(filepath.Join(testdata.Dir(t), "spamassassin", "*", "*"))
	if err != nil || len(files) == 0 {
		t.Skip("no mail to compare with")
	}
	step := 1
	if long.Sample(t, "the tokens of all mails") {
		step = 20
	}
	all, wrong, shown := 0, 0, 0
	for i := 0; i < len(files); i += step {
		raw, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(name, "-p", "-C")
		cmd.Stdin = bytes.NewReader(raw)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for line := range strings.Lines(string(out)) {
			line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), ": ") // of a field in a message within, the whole line is printed
			want = append(want, line)
		}
		n, of := differing(tokens(string(raw)), want)
		all += len(want)
		if wrong += n; n > 0 && shown < 25 {
			shown++
			t.Logf("%s: %d of %d: %.300s", files[i], n, len(want), fmt.Sprint(of))
		}
	}
	if 1000*wrong > all {
		t.Errorf("%d of %d tokens differ", wrong, all)
	}
}

// What is cut where.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ mail, want string }{
		{"Subject: cheap pills\n\nto you x", "subj:cheap subj:pills you"},
		{"From: a@pills.example\nX-Bogosity: Spam\n tests\nTo: bob\n\n", "from:pills.example to:bob"},
		{"Subject: =?utf-8?b?Y2hlYXA=?= =?iso-8859-1?q?d=E9j=E0_vu?=\n\n", "subj:cheapdéjà"},
		{"Subject: =?ISO-2022-JP?B?GyRCRnxLXDhsGyhC?= =?iso-2022-jp?Q?=1B$BF|K=5C8l=1B(B?=\n\n", "subj:日本語日本語"},
		{" Subject: cheap pills\n\n", "head:Subject head:cheap head:pills"},
		{"Content-Type: text/html\n\n<b>che</b>ap<br>pills &#102;ree <a href=\"http://x.example/%66ree\">", "head:Content-Type head:text head:html cheap pills free href http x.example free"},
		{"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nY2hlYXAgcGlsbHM=\n", "head:Content-Type head:text head:plain head:Content-Transfer-Encoding head:base64 cheap pills"},
		{"Content-Type: image/png\n\ncheap 10.0.0.1 $20", "head:Content-Type head:image head:png 10.0.0.1"},
		{"Content-Type: multipart/mixed; boundary=\"b1\"\n\n--b1\nContent-Type: text/plain\n\ncheap\n--b1--\n", "head:Content-Type head:multipart head:mixed mime:Content-Type mime:text mime:plain cheap"},
		{"Received: from a.example with id x99\nDate: now\n\n$9.99 costs", "rcvd:from rcvd:a.example rcvd:with head:Date $9.99 costs"},
		{"", ""},
	} {
		if got := strings.Join(tokens(c.mail), " "); got != c.want {
			t.Errorf("%q is cut into\n%s, want\n%s", c.mail, got, c.want)
		}
	}
}

// Encoded words that run into one another, and into letters, are not copied again and again.
func TestBombs(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector makes pools forget")
	}
	for _, unit := range []string{"=?utf-8?q?a?=x ", "a=?utf-8?q?a?=:", "=?utf-8?q?a?=", "=?utf-8?b?6enp6enp?=\n "} {
		raw := "Subject: x" + strings.Repeat(unit, 256<<10/len(unit))
		fuzzing.Bound(t, len(raw), 200, func() { tokens(raw) })
	}
}

// However a mail is broken, tokens are cut in time, and none is too long.
func FuzzTokens(f *testing.F) {
	const html = "Content-Type: text/html\n\n"
	for _, s := range []string{
		html + strings.Repeat("a<b>", 5000), html + strings.Repeat("a<", 5000), html + strings.Repeat("&#65;", 5000) + "<!-- x", html + "<a " + strings.Repeat("/%61", 5000),
		strings.Repeat("Content-Type: message/rfc822\n\n", 2000), "Subject: " + strings.Repeat("=?utf-8?q?=3D=3Fa?= ", 2000), strings.Repeat("Subject: a\n b\n", 2000),
		"From: " + strings.Repeat("a-1-", 3000) + "=b@c", "Content-Type: multipart/x; boundary=b\n" + strings.Repeat("\n--b\n", 3000), "charset=gb2312\n\n" + strings.Repeat("\xb0", 5000), "<!DOCTYPE HTML PUBLIC \"x\">a<b>c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, token := range tokens(s) {
			if len(token) == 0 || len(token) > 30 {
				t.Errorf("%q", token)
			}
		}
	})
}
