package english_test

import (
	"fmt"
	"strings"

	"bayes/text"
	"bayes/text/english"
	"bayes/text/stopwords"
)

func ExampleLanguage() {
	a, err := text.Parse("nltk stopwords=en min-length=4", english.Language(), stopwords.Language())
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens(`Mr. Smith said "I can't call." Cannot you?`) {
		fmt.Println(token.Term, token.Start)
	}
	fmt.Println(a)
	// Output:
	// smith 4
	// said 10
	// call 24
	// nltk stopwords=en min-length=4
}

// What the two differ in: several dots, asterisks and 'n.
func ExampleNLTKClassic() {
	for _, s := range []text.Segmenter{english.NLTK, english.NLTKClassic} {
		a := &text.Analyzer{Segmenter: s}
		var words []string
		for token := range a.Tokens("wait....what *now* rock 'n roll") {
			words = append(words, token.Term)
		}
		fmt.Println(strings.Join(words, " | "))
	}
	// Output:
	// wait | .... | what | * | now | * | rock | 'n | roll
	// wait | ... | .what | *now* | rock | ' | n | roll
}
