// Package morphtest holds segmenters of words by a dictionary to what they have in
// common, whatever the language.
package morphtest

import (
	"slices"
	"strings"
	"testing"

	"bayes/internal/race"
	"bayes/internal/testdata"
	"bayes/text"
)

// Parse returns the analyzer of that description.
func Parse(t testing.TB, l *text.Language, spec string) *text.Analyzer {
	t.Helper()
	a, err := text.Parse(spec, l)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func terms(a *text.Analyzer, s string) []string {
	list := []string{}
	for t := range a.Tokens(s) {
		list = append(list, t.Term)
	}
	return list
}

// Terms checks cases: the description of an analyzer, a text, and its terms, each
// behind a space, or, if one has a space in it, behind a bar.
func Terms(t *testing.T, l *text.Language, cases [][3]string) {
	for _, tc := range cases {
		spec, s, want := tc[0], tc[1], strings.Fields(tc[2])
		if strings.Contains(tc[2], "|") {
			want = strings.Split(tc[2], "|")
		}
		if got := terms(Parse(t, l, spec), s); !slices.Equal(got, want) {
			t.Errorf("%s: %q\n got %q\nwant %q", spec, s, got, want)
		}
	}
}

// Specs checks that descriptions are spelled as they were read.
func Specs(t *testing.T, l *text.Language, specs ...string) {
	for _, spec := range specs {
		if got := Parse(t, l, spec).String(); got != spec {
			t.Errorf("%q is spelled %q", spec, got)
		}
	}
}

// Spans checks of what piece of s each term stands for.
func Spans(t *testing.T, a *text.Analyzer, s string, want map[string]string) {
	for token := range a.Tokens(s) {
		if got := s[token.Start:token.End]; got != want[token.Term] {
			t.Errorf("%s stands at %q, want %q", token.Term, got, want[token.Term])
		}
	}
}

// Words holds tokens to be pieces of the text in order, a text's words to be those of
// its lines, and content words to be some of them. It returns the words.
func Words(t *testing.T, s string, plain, content text.Segmenter) []text.Token {
	a := &text.Analyzer{KeepCase: true, Segmenter: plain}
	words := slices.Collect(a.Tokens(s))
	last := 0
	for _, w := range words {
		if w.Start < last || w.End <= w.Start || s[w.Start:w.End] != w.Term {
			t.Fatalf("%q: %q at [%d,%d) after %d", s, w.Term, w.Start, w.End, last)
		}
		last = w.End
	}
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, terms(a, line)...)
	}
	if got := terms(a, s); !slices.Equal(got, lines) {
		t.Fatalf("%q\n got %q\nby lines %q", s, got, lines)
	}
	for token := range (&text.Analyzer{KeepCase: true, Segmenter: content}).Tokens(s) {
		if !slices.Contains(words, token) {
			t.Fatalf("%q: content word %q is no word", s, token.Term)
		}
	}
	return words
}

// LongTexts checks that long texts without a boundary, and more, are handled in linear
// time: a quadratic one would not end.
func LongTexts(t *testing.T, seg text.Segmenter, more map[string]string) {
	texts := map[string]string{
		"no space": strings.Repeat("a", 4<<20), "marks": "a" + strings.Repeat("\u0301", 1<<18), "NUL": strings.Repeat("\x00", 4<<20),
		"right to left": strings.Repeat("שלום ", 1<<16), "digits": strings.Repeat("1", 1<<18), "broken": strings.Repeat("\xff", 1<<18),
	}
	for name, s := range more {
		texts[name] = s
	}
	for name, s := range texts {
		var b text.Buffer
		(&text.Analyzer{Segmenter: seg}).Analyze(&b, s)
		covered := 0
		for i := range b.Len() {
			start, end := b.Span(i)
			covered += end - start
		}
		if broken := name == "NUL" || name == "broken"; broken != (covered == 0) || covered > len(s) {
			t.Errorf("%s: %d of %d bytes are in tokens", name, covered, len(s))
		}
	}
}

// Allocations checks that analyzing s again allocates nothing.
func Allocations(t *testing.T, a *text.Analyzer, s string) {
	if race.Enabled {
		t.Skip("the race detector makes pools forget")
	}
	var b text.Buffer
	a.Analyze(&b, s)
	if n := testing.AllocsPerRun(100, func() { a.Analyze(&b, s) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// Benchmark measures a language's segmenters on the test file of a corpus, a line for a
// document.
func Benchmark(b *testing.B, l *text.Language, corpus string) {
	lines := strings.Split(string(testdata.Read(b, corpus+"/test.csv")), "\n")
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	for _, s := range l.Segmenters {
		b.Run("data="+corpus+"/analyzer="+s.String(), func(b *testing.B) {
			a := &text.Analyzer{Segmenter: s}
			var buf text.Buffer
			for _, line := range lines {
				a.Analyze(&buf, line) // load and warm
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, line := range lines {
					a.Analyze(&buf, line)
				}
			}
		})
	}
}
