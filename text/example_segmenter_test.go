package text_test

import (
	"bytes"
	"fmt"

	"bayes/text"
)

// tags is a segmenter of a program's own. It finds @names, which count as they stand, and
// #tags, which count in small letters and without the sign.
type tags struct{}

func (tags) String() string  { return "tags" }
func (tags) Version() string { return "1" } // another one as soon as the terms are others
func (tags) ReadsCase()      {}             // the text comes with its capital letters

func (tags) Segment(b *text.Buffer) {
	at := 0
	for _, word := range bytes.SplitAfter(b.Text(), []byte(" ")) {
		end := at + len(bytes.TrimSuffix(word, []byte(" ")))
		switch {
		case bytes.HasPrefix(word, []byte("@")):
			b.Add(at, end)
		case bytes.HasPrefix(word, []byte("#")):
			b.AddTerm(string(bytes.ToLower(b.Text()[at+1:end])), at, end)
		}
		at += len(word)
	}
}

var (
	_ text.CaseReader = tags{}
	_ text.Versioned  = tags{}
)

// A program may have a segmenter of its own. [text.Parse] finds it by its name.
func ExampleSegmenter() {
	a, err := text.Parse("tags", &text.Language{Segmenters: []text.Segmenter{tags{}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens("@Ann learns #Go and #Bayes") {
		fmt.Println(token.Term, token.Start, token.End)
	}
	// Output:
	// @ann 0 4
	// go 12 15
	// bayes 20 26
}
