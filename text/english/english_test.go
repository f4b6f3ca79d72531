package english

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"bayes/internal/long"
	"bayes/internal/testdata"
	"bayes/text"
)

// A reference says how NLTK cuts a text, which is a row of the SMS collection or
// written out. The lengths are in bytes; white space between is left out.
type reference struct {
	Row       int
	Text      string
	Sentences []int
	Words     []int // a double quote that NLTK writes '' has 1, what it writes `` less than 0
}

// references returns the references of a file, with their texts.
func references(t testing.TB, name string) (refs []reference) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &refs); err != nil {
		t.Fatal(err)
	}
	rows := messages(t)
	for i := range refs {
		if refs[i].Text == "" {
			refs[i].Text = rows[refs[i].Row]
		}
	}
	return refs
}

// messages returns the texts of the SMS collection, read as ISO 8859-1, as those
// that NLTK was given were.
func messages(t testing.TB) (texts []string) {
	t.Helper()
	var latin1 strings.Builder
	for _, c := range testdata.Read(t, "sms/spam.csv") {
		latin1.WriteRune(rune(c))
	}
	records, err := csv.NewReader(strings.NewReader(latin1.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		texts = append(texts, record[1])
	}
	return texts
}

func (r *reference) sentences() (list []string) {
	at := 0
	for i, n := range r.Sentences {
		if i > 0 {
			at = skipSpace([]byte(r.Text), at)
		}
		list = append(list, r.Text[at:at+n])
		at += n
	}
	return list
}

func (r *reference) words() []string {
	list := []string{}
	at := 0
	for _, n := range r.Words {
		at = skipSpace([]byte(r.Text), at)
		word := r.Text[at : at+max(n, -n)]
		switch {
		case n < 0:
			word = "``"
		case word == `"`:
			word = "''"
		}
		list = append(list, word)
		at += max(n, -n)
	}
	return list
}

// The words of NLTK 3.8, each text as one sentence.
func TestTreebank(t *testing.T) {
	for _, ref := range references(t, "treebank") {
		l := new(line)
		l.reset([]byte(ref.Text), 0, len(ref.Text))
		for _, rule := range NLTK.(segmenter).rules {
			rule(l)
		}
		if got := strings.Fields(string(l.text)); !slices.Equal(got, ref.words()) {
			t.Errorf("%q\n got %q\nwant %q", ref.Text, got, ref.words())
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
		if !slices.Equal(got, ref.sentences()) {
			t.Errorf("%q\n got %q\nwant %q", ref.Text, got, ref.sentences())
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
			if got := terms(a, ref.Text); !slices.Equal(got, ref.words()) {
				t.Errorf("%s: %q\n got %q\nwant %q", tc.file, ref.Text, got, ref.words())
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
	for _, s := range []string{
		"Don't worry, it's O'Neill's e-mail: a.b@c.org (see http://x.y/z?q=1)", "\"Hello,\" she said -- 'I can't won't cannot gonna'...",
		"He paid $3.88 at 5:30 p.m.; 100% of it!", "Mr. Smith went. Wanna go?! 'Tis 3. No ''quotes'' *here*",
	} {
		f.Add(s)
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
	if long.Sample(t, "texts of 65,536 pieces, not 16,384") {
		n = 1 << 14
	}
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
