package english

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"bayes/text"
)

type reference struct {
	Text      string
	Sentences []string
	Tokens    []string
}

func references(t testing.TB, name string) (refs []reference) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &refs); err != nil {
		t.Fatal(err)
	}
	return refs
}

// The words of NLTK 3.8, each text as one sentence.
func TestTreebank(t *testing.T) {
	for _, ref := range references(t, "treebank") {
		l := new(line)
		l.reset([]byte(ref.Text), 0, len(ref.Text))
		for _, rule := range NLTK.(segmenter).rules {
			rule(l)
		}
		if got := strings.Fields(string(l.text)); !slices.Equal(got, ref.Tokens) {
			t.Errorf("%q\n got %q\nwant %q", ref.Text, got, ref.Tokens)
		}
	}
}

// The sentences of NLTK 3.8.
func TestSentences(t *testing.T) {
	for _, ref := range references(t, "word_tokenize") {
		var got []string
		for start, end := range sentences([]byte(ref.Text)) {
			got = append(got, ref.Text[start:end])
		}
		if !slices.Equal(got, ref.Sentences) {
			t.Errorf("%q\n got %q\nwant %q", ref.Text, got, ref.Sentences)
		}
	}
}

// Sentences and words, of NLTK 3.8 and of its rules before 3.5.
func TestWordTokenize(t *testing.T) {
	for _, tc := range []struct {
		file      string
		segmenter text.Segmenter
	}{
		{"word_tokenize", NLTK},
		{"word_tokenize_classic", NLTKClassic},
	} {
		a := &text.Analyzer{Segmenter: tc.segmenter, KeepCase: true}
		for _, ref := range references(t, tc.file) {
			if got := terms(a, ref.Text); !slices.Equal(got, ref.Tokens) {
				t.Errorf("%s: %q\n got %q\nwant %q", tc.file, ref.Text, got, ref.Tokens)
			}
		}
	}
}

func terms(a *text.Analyzer, s string) []string {
	list := []string{}
	for token := range a.Tokens(s) {
		list = append(list, token.Term)
	}
	return list
}

// Terms stand in the text in order, whatever the text is, and other than for
// quotes and capital letters they are pieces of it.
func FuzzNLTK(f *testing.F) {
	for _, ref := range references(f, "treebank")[:40] {
		f.Add(ref.Text)
	}
	f.Add("\xff. A\x00\u2029'tis\xe2\x80\n\"(x.)\" -- 'n cannot'tis")
	f.Fuzz(func(t *testing.T, s string) {
		for _, segmenter := range []text.Segmenter{NLTK, NLTKClassic} {
			a := &text.Analyzer{Segmenter: segmenter, KeepCase: true}
			last := 0
			for token := range a.Tokens(s) {
				if token.Start < last || token.End <= token.Start || token.End > len(s) {
					t.Fatalf("%v: %q: %q stands at [%d,%d), after %d", segmenter, s, token.Term, token.Start, token.End, last)
				}
				last = token.End
				if token.Term != s[token.Start:token.End] && token.Term != "``" && token.Term != "''" {
					t.Fatalf("%v: %q: %q stands for %q", segmenter, s, token.Term, s[token.Start:token.End])
				}
			}
		}
	})
}

func TestLongTexts(t *testing.T) {
	n := 1 << 16
	for _, s := range []string{
		strings.Repeat("x", n), strings.Repeat("a.", n), strings.Repeat("a.)", n), strings.Repeat(". ", n), strings.Repeat("Mr. Smith. ", n/10),
		strings.Repeat("'", n), strings.Repeat("\"", n), strings.Repeat("!", n), strings.Repeat("-. ", n), strings.Repeat("e\u0301", n), strings.Repeat("\x00", n),
		strings.Repeat(". .\u00a0", n), strings.Repeat(".\n\n", n), strings.Repeat("? ''", n),
	} {
		for range 2 {
			if len(terms(&text.Analyzer{Segmenter: NLTK}, s)) == 0 {
				t.Errorf("%q...: no words", s[:10])
			}
			s += "x"
		}
	}
}
