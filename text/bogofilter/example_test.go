package bogofilter_test

import (
	"fmt"

	"bayes/text"
	"bayes/text/bogofilter"
)

func Example() {
	a := &text.Analyzer{Segmenter: bogofilter.Tokens{}, KeepCase: true}
	for token := range a.Tokens("Subject: cheap pills\n\nSee www.pills.example for $9.99 offers") {
		fmt.Println(token.Term)
	}
	// Output:
	// subj:cheap
	// subj:pills
	// See
	// www.pills.example
	// for
	// $9.99
	// offers
}

func ExampleLanguage() {
	a, err := text.Parse("bogofilter lowercase=false", bogofilter.Language())
	fmt.Println(a, err)
	// Output: bogofilter lowercase=false <nil>
}
