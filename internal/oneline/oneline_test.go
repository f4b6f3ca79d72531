package oneline_test

import (
	"errors"
	"testing"

	"bayes/internal/oneline"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"bayes: empty model":                          "empty model",
		"model.nb: bayes: store: empty\n\tmodel":      "model.nb: empty model",
		"spam.bayes: file exists":                     "spam.bayes: file exists",
		"lib/bayes: is a folder":                      "lib/bayes: is a folder",
		"server: bayes: store: damaged":               "server: damaged",
		"my bayes: no examples":                       "my bayes: no examples",
		"the package is bayes":                        "the package is bayes",
		"no end of line\r\nbut \"bayes: \" in quotes": "no end of line but \"bayes: \" in quotes",
		"": "",
	} {
		if got := oneline.Of(errors.New(text), "bayes", "store"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
