package stopwords_test

import (
	"fmt"
	"slices"
	"testing"

	"bayes/text"
	"bayes/text/stopwords"
)

func Example() {
	a := &text.Analyzer{StopWords: stopwords.English()}
	for token := range a.Tokens("The end of the road") {
		fmt.Print(token.Term, " ")
	}
	// Output: end road
}

func ExampleLanguage() {
	a, err := text.Parse("default stopwords=de", stopwords.Language())
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens("Das Ende der Straße") {
		fmt.Print(token.Term, " ")
	}
	// Output: ende straße
}

func TestLists(t *testing.T) {
	for name, want := range map[string]struct {
		size int
		word string
	}{"en": {179, "the"}, "de": {231, "über"}, "fr": {154, "étaient"}, "es": {308, "también"}, "ja": {109, "これら"}, "ko": {206, "그리고"}} {
		a, err := text.Parse("default stopwords="+name, stopwords.Language())
		if err != nil {
			t.Fatal(err)
		}
		words := a.StopWords.Words()
		if len(words) != want.size || !slices.Contains(words, want.word) {
			t.Errorf("%s: %d words, want %d with %q", name, len(words), want.size, want.word)
		}
		if got := a.String(); got != "default stopwords="+name {
			t.Errorf("%s is spelled %q", name, got)
		}
	}
	if _, err := text.Parse("default stopwords=tlh", stopwords.Language()); err == nil {
		t.Error("Klingon has no list")
	}
}
