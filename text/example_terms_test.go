package text_test

import (
	"fmt"

	"bayes/text"
)

func ExampleChars() {
	for _, a := range []text.Analyzer{
		{Segmenter: text.Words{}},
		{Segmenter: text.Chars{Min: 3}},
		{Segmenter: text.CharWords{Min: 3}},
	} {
		fmt.Print(a.String(), ":")
		for token := range a.Tokens("a good") {
			fmt.Printf(" %q", token.Term)
		}
		fmt.Println()
	}
	// Output:
	// default: "a" "good"
	// chars=3: "a g" " go" "goo" "ood"
	// char-words=3: " a " " go" "goo" "ood" "od "
}

func ExampleNewStopWords() {
	list := text.NewStopWords("short", "the", "a")
	a := text.Analyzer{StopWords: list}
	for token := range a.Tokens("The cat on a mat") {
		fmt.Println(token.Term)
	}
	fmt.Println(list.Words(), a.String())
	// Output:
	// cat
	// on
	// mat
	// [a the] default stopwords=short
}
