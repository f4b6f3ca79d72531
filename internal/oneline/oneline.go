// Package oneline says what went wrong in one line, for people and for clients, who know nothing of packages.
package oneline

import (
	"slices"
	"strings"
)

// Of returns err's text in one line, without the names of packages that errors begin with, as in "bayes: empty model" or "model.nb: bayes: empty model".
// These are words of their own after a colon: "spam.bayes: file exists" is about a file. One that is called just bayes is taken for the package.
func Of(err error, packages ...string) string {
	var words []string
	begins := true
	for _, word := range strings.Fields(err.Error()) {
		name, ends := strings.CutSuffix(word, ":")
		if !begins || !ends || !slices.Contains(packages, name) {
			words = append(words, word)
		}
		begins = ends
	}
	return strings.Join(words, " ")
}
