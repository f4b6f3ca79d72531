package answer_test

import (
	"fmt"
	"testing"

	"bayes"
	"bayes/answer"
)

func TestText(t *testing.T) {
	for want, d := range map[string]bayes.Document{
		"":                      {},
		"as it is":              {Text: "as it is"},
		"title: a\nbody: b c":   {Attrs: []bayes.Attr{bayes.Text("title", "a"), bayes.Number("price", 3), bayes.Text("body", "b c")}},
		"as it is\ncolour: red": {Text: "as it is", Attrs: []bayes.Attr{bayes.Text("title", ""), bayes.Category("colour", "red")}},
	} {
		if got := answer.Text(d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func ExampleText() {
	fmt.Println(answer.Text(bayes.Document{Attrs: []bayes.Attr{bayes.Text("title", "An invoice"), bayes.Text("body", "I paid twice.")}}))
	// Output:
	// title: An invoice
	// body: I paid twice.
}
