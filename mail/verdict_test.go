package mail_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/mail"

	"pgregory.net/rapid"
)

func trained(t testing.TB) *bayes.Model {
	t.Helper()
	c := bayes.NewCounts(nil)
	for label, text := range map[string]string{"spam": "cheap pills", "ham": "see you", "work": "the report"} {
		c.Learn(bayes.Example{Label: label, Text: text})
	}
	m, err := bayes.Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The score is the log-odds of spam against all other classes, and does not saturate.
func TestJudge(t *testing.T) {
	m := trained(t)
	for text, want := range map[string]mail.Status{strings.Repeat("cheap pills ", 5): mail.Spam, "see you": mail.Ham, "unheard of": mail.Ham, "cheap": mail.Unsure} {
		d := bayes.Document{Text: text}
		v, err := mail.DefaultCutoffs.Judge(m, d)
		if err != nil {
			t.Fatal(err)
		}
		p := 0.0
		for _, c := range m.Predict(d).Classes {
			if c.Class == "spam" {
				p = c.P
			}
		}
		if got := 1 / (1 + math.Exp(-v.Score)); v.Status != want || math.Abs(got-p) > 1e-12 {
			t.Errorf("%q: %v, P(spam) %v, want %v and %v", text, v.Status, got, want, p)
		}
	}
	v, err := mail.DefaultCutoffs.Judge(m, bayes.Document{Text: strings.Repeat("cheap pills ", 1000)})
	if err != nil || v.Score < 100 || v.Score > 1e6 {
		t.Errorf("a score of %v, %v", v.Score, err)
	}
	for _, c := range []mail.Cutoffs{{Label: "junk", Spam: 0.9, Ham: 0.1}, {Label: "spam", Spam: 0.4, Ham: 0.5}, {Label: "spam", Spam: math.NaN(), Ham: 0.5}} {
		if _, err := c.Judge(m, bayes.Document{}); err == nil {
			t.Errorf("%+v judges", c)
		}
	}
}

// A model's own cutoffs decide, as they do of what it predicts, and those that are given override them.
func TestJudgeByOwnCutoffs(t *testing.T) {
	c := bayes.NewCounts(nil)
	for label, text := range map[string]string{"spam": "cheap pills", "ham": "see you"} {
		c.Learn(bayes.Example{Label: label, Text: text})
	}
	model := func(cutoffs map[string]float64) *bayes.Model {
		m, err := bayes.Fit(c, bayes.Calibrated{Temperature: 2, Cutoffs: cutoffs})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	// A word has log-odds of ln 2, half of it calibrated.
	bySpam, both := model(map[string]float64{"spam": 1}), model(map[string]float64{"spam": 1, "ham": 0.5})
	for _, tc := range []struct {
		m       *bayes.Model
		cutoffs mail.Cutoffs
		text    string
		want    mail.Status
	}{
		{bySpam, mail.Cutoffs{}, "cheap", mail.Unsure}, {bySpam, mail.Cutoffs{}, "cheap pills", mail.Spam}, {bySpam, mail.Cutoffs{}, "see", mail.Ham},
		{both, mail.Cutoffs{}, "see", mail.Ham}, {both, mail.Cutoffs{}, "see you cheap pills", mail.Unsure}, {both, mail.Cutoffs{}, "cheap pills", mail.Spam},
		{bySpam, mail.Cutoffs{Spam: 0.9}, "cheap pills", mail.Unsure}, {bySpam, mail.Cutoffs{Spam: 0.55}, "cheap", mail.Spam},
		{bySpam, mail.Cutoffs{Ham: 0.1}, "see", mail.Unsure}, {both, mail.Cutoffs{Ham: 0.5}, "see you cheap pills", mail.Ham},
		{bySpam, mail.Cutoffs{Ham: 0.7}, "cheap pills", mail.Ham}, // of both, what loses no mail
		{model(nil), mail.Cutoffs{}, "cheap pills", mail.Unsure}, {model(nil), mail.Cutoffs{Spam: 0.6}, "cheap pills", mail.Spam},
	} {
		tc.cutoffs.Label = "spam"
		if v, err := tc.cutoffs.Judge(tc.m, bayes.Document{Text: tc.text}); err != nil || v.Status != tc.want {
			t.Errorf("%v, %+v of %q: %v %v, want %v", tc.m.EventModel(), tc.cutoffs, tc.text, v.Status, err, tc.want)
		}
	}
}

func TestMark(t *testing.T) {
	v := mail.Verdict{Status: mail.Unsure, Score: -0.25, Reason: []string{"cheap +1.00", "you -1.25"}}
	const ours = "X-Bayes-Status: unsure\nX-Bayes-Score: -0.2500\nX-Bayes-Reason: cheap +1.00, you -1.25\n"
	for _, c := range []struct{ in, want string }{
		{"", ours},
		{"\nbody\n", ours + "\nbody\n"},
		{"Subject: a\n\nX-Bayes-Status: ham\n", ours + "Subject: a\n\nX-Bayes-Status: ham\n"},
		{"x-bayes-STATUS: ham\nSubject: a\n\nb", ours + "Subject: a\n\nb"},
		{"A: b\nX-Bayes-Reason :\n folded\n\tagain\nX-Bayes-Score: 1\n c: d\nE: f\n folded\n\n b", ours + "A: b\nE: f\n folded\n\n b"},
		{"A: b\nno field\nX-Bayes-Status: ham\n\nb", ours + "A: b\nno field\n\nb"}, // some programs read on
		{"X-Bayes-Status: ham", ours},
		{"X-Bayes-Statusses: 1\n", ours + "X-Bayes-Statusses: 1\n"},
		{"From a@b Thu Aug 22 12:36:23 2002\nA: b\n\n", "From a@b Thu Aug 22 12:36:23 2002\n" + ours + "A: b\n\n"},
		{"A: b\r\nX-Bayes-Score:\r\n 1\r\n\r\nb\r\n", strings.ReplaceAll(ours, "\n", "\r\n") + "A: b\r\n\r\nb\r\n"},
	} {
		if got := string(mail.Mark([]byte(c.in), v)); got != c.want {
			t.Errorf("%q becomes\n%q, want\n%q", c.in, got, c.want)
		}
	}
	v.Reason = slices.Repeat([]string{strings.Repeat("x", 40) + " +1.00"}, 8)
	for line := range strings.Lines(string(mail.Mark(nil, v))) {
		if len(line) > 79 {
			t.Errorf("%d letters: %s", len(line), line)
		}
	}
}

// Whatever a message is, there is one field of each name behind Mark, and what else there was stays.
func TestMarkProperties(t *testing.T) {
	v := mail.Verdict{Status: mail.Spam, Score: 5}
	line := rapid.SampledFrom([]string{"A: b", "X-Bayes-Status: ham", "X-BAYES-SCORE : 1", " folded", "\tx", "", "no field", "From me", ":", "\x00\xff"})
	end := rapid.SampledFrom([]string{"\n", "\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SampledFrom([][]byte{nil, []byte("From me\n")}).Draw(t, "first")
		raw = append(raw, "X-Bayes-Score\t: 5\n\tfolded\nA: b\n"...)
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			raw = append(append(raw, line.Draw(t, "line")...), end.Draw(t, "end")...)
		}
		once := mail.Mark(raw, v)
		if again := mail.Mark(once, v); !bytes.Equal(bytes.ReplaceAll(once, []byte("\r"), nil), bytes.ReplaceAll(again, []byte("\r"), nil)) {
			t.Errorf("%q, and again %q", once, again)
		}
		head, _, _ := bytes.Cut(bytes.ReplaceAll(once, []byte("\r"), nil), []byte("\n\n"))
		for _, name := range []string{"x-bayes-status", "x-bayes-score", "x-bayes-reason"} {
			if n := bytes.Count(bytes.ToLower(head), []byte(name)); n != 1 {
				t.Errorf("%d fields %s in %q", n, name, once)
			}
		}
	})
}
