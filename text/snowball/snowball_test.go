package snowball_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"bayes/text"
	"bayes/text/snowball"
)

func Example() {
	a := &text.Analyzer{Stem: snowball.English}
	for token := range a.Tokens("Generations of runners were running generously") {
		fmt.Print(token.Term, " ")
	}
	// Output: generat of runner were run generous
}

func ExampleLanguage() {
	a, err := text.Parse("default stem=de", snowball.Language())
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens("Häuser am Abhang") {
		fmt.Print(token.Term, " ")
	}
	// Output: haus am abhang
}

// Words of the samples on snowballstem.org.
func TestStems(t *testing.T) {
	for spec, want := range map[string]string{
		"en consistently": "consist", "en knightly": "knight", "en knack": "knack", "en skies": "sky", "en dying": "die",
		"de aufeinanderfolgenden": "aufeinanderfolg", "de kategorische": "kategor",
		"fr continuellement": "continuel", "fr majestueusement": "majestu",
		"es cheques": "chequ", "es toreados": "tor",
		"ru вавиловка": "вавиловк",
	} {
		var name, word string
		fmt.Sscan(spec, &name, &word)
		a, err := text.Parse("default stem="+name, snowball.Language())
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Stem.Stem(word); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

func FuzzStem(f *testing.F) {
	f.Add("running")
	f.Add("größten")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, word string) {
		for _, s := range snowball.Language().Stemmers {
			if stem := s.Stem(word); utf8.ValidString(word) && !utf8.ValidString(stem) {
				t.Errorf("%s: the stem of %q is %q", s, word, stem)
			}
		}
	})
}
