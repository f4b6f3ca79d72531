package text_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/text"
	"bayes/text/english"

	"pgregory.net/rapid"
)

func ExampleAnalyzer_MostTerms() {
	a := text.Analyzer{NGrams: [2]int{1, 2}}
	fmt.Println(a.MostTerms(len("a rose is a rose")))
	// Output: 18
}

// No text has more terms than are said to be the most.
func TestMostTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := func(name string) [2]int {
			least := rapid.IntRange(1, 4).Draw(t, name)
			return [2]int{least, rapid.IntRange(least, 6).Draw(t, name)}
		}
		chars := lengths("chars")
		a := text.Analyzer{
			Segmenter: rapid.SampledFrom([]text.Segmenter{
				nil, text.SKLearn{}, text.Whitespace{}, text.Chars{Min: chars[0], Max: chars[1]}, text.CharWords{Min: chars[0], Max: chars[1]}, english.NLTK,
			}).Draw(t, "segmenter"),
			NGrams: lengths("n-grams"),
		}
		if rapid.Bool().Draw(t, "with subwords") {
			a.Subwords = lengths("subwords")
		}
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "word", "1", ".5", " ", " ", "\n", ".", "!", "'", "-", "_", "#", "$", "é", "中", "文", "カ", "가", "ก", "😀", "\u200d", "\u0301", "can't", "x"}))
		s := strings.Join(pieces.Draw(t, "text"), "")
		var b text.Buffer
		a.Analyze(&b, s)
		if b.Len() > a.MostTerms(len(s)) {
			t.Fatalf("%v: %d terms in %q, of at most %d", &a, b.Len(), s, a.MostTerms(len(s)))
		}
	})
}

// A word of one character has three of them, with the spaces on either side.
func TestMostTermsOfOneCharacter(t *testing.T) {
	a := text.Analyzer{Segmenter: text.CharWords{Min: 1, Max: 1}}
	for _, s := range []string{"a", "a b", "ab", "a b c"} {
		var b text.Buffer
		a.Analyze(&b, s)
		if b.Len() > a.MostTerms(len(s)) {
			t.Errorf("%d terms in %q, of at most %d", b.Len(), s, a.MostTerms(len(s)))
		}
	}
}
