package text_test

import (
	"fmt"
	"strings"

	"bayes/text"
)

func ExampleAnalyzer_Tokens() {
	var a text.Analyzer
	for token := range a.Tokens("iPhone5を買った") {
		fmt.Println(token.Term, token.Start, token.End)
	}
	// Output:
	// iphone5 0 7
	// を買 7 13
	// 買っ 10 16
	// った 13 19
}

func ExampleAnalyzer_Analyze() {
	var a text.Analyzer
	var b text.Buffer // used for one text after another
	for _, s := range []string{"Don't panic.", "3.14 e-mail"} {
		a.Analyze(&b, s)
		for i := range b.Len() {
			fmt.Printf("%s;", b.Term(i))
		}
		fmt.Println()
	}
	// Output:
	// don't;panic;
	// 3.14;e;mail;
}

func ExampleBuffer_Span() {
	const s = "Not  Happy"
	a := text.Analyzer{NGrams: [2]int{2, 2}}
	var b text.Buffer
	a.Analyze(&b, s)
	start, end := b.Span(0)
	fmt.Printf("%s: %q\n", b.Term(0), s[start:end])
	// Output: not happy: "Not  Happy"
}

func ExampleParse() {
	a, err := text.Parse("sklearn lowercase=false ngrams=1-2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a)
	for token := range a.Tokens("Not a Happy end") {
		fmt.Println(token.Term)
	}
	// Output:
	// sklearn lowercase=false ngrams=1-2
	// Not
	// Happy
	// end
	// Not Happy
	// Happy end
}

func ExampleParse_unknown() {
	_, err := text.Parse("default loud")
	fmt.Println(err)
	// Output: analyzer "default loud": unknown option "loud": want one of form, lowercase, accents, negation, stopwords, min-length, stem, subwords, ngrams
}

// The words of a text, and the lengths of the n-grams that Analyze would make of them.
func ExampleAnalyzer_AnalyzeWords() {
	a := &text.Analyzer{NGrams: [2]int{1, 2}}
	var b text.Buffer
	a.AnalyzeWords(&b, "not very good")
	for i := range b.Len() {
		fmt.Printf("%s ", b.Term(i))
	}
	fmt.Println(a.Lengths())
	// Output: not very good 1 2
}

func ExampleAnalyzer_String() {
	fmt.Println(&text.Analyzer{})
	fmt.Println(&text.Analyzer{Segmenter: text.SKLearn{}, KeepCase: true})
	fmt.Println(&text.Analyzer{NGrams: [2]int{1, 2}})
	// Output:
	// default
	// sklearn lowercase=false
	// default ngrams=1-2
}

// sentences is a segmenter of another package.
type sentences struct{}

func (sentences) String() string { return "sentences" }

func (sentences) Segment(b *text.Buffer) {
	start := 0
	for i, c := range b.Text() {
		if c == '.' {
			b.Add(start, i+1)
			start = i + 1
		}
	}
}

func ExampleLanguage() {
	english := &text.Language{Name: "english", Segmenters: []text.Segmenter{sentences{}}}
	a, err := text.Parse("sentences", english)
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens("One. Two.") {
		fmt.Println(strings.TrimSpace(token.Term))
	}
	// Output:
	// one.
	// two.
}

func ExampleWhitespace() {
	a := text.Analyzer{Segmenter: text.Whitespace{}}
	for token := range a.Tokens("e-mail me!") {
		fmt.Println(token.Term)
	}
	// Output:
	// e-mail
	// me!
}

func ExampleIsSubword() {
	a := text.Analyzer{Subwords: [2]int{4, 4}, NGrams: [2]int{1, 2}}
	for token := range a.Tokens("very happy") {
		fmt.Println(token.Term, text.IsSubword([]byte(token.Term)))
	}
	// Output:
	// very false
	// happy false
	// very happy false
	// ver* true
	// *very* true
	// *ery true
	// hap* true
	// *happ* true
	// *appy* true
	// *ppy true
}
