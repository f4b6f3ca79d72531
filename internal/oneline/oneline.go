// Package oneline says what went wrong in one line, for people and for clients, who know nothing of packages.
package oneline

import (
	"slices"
	"strings"
)

// Of returns err's text in one line, without the names of packages that errors begin with, as in "bayes: empty model".
// These are words of their own: "spam.bayes: file exists" is about a file.
func Of(err error, packages ...string) string {
	words := slices.DeleteFunc(strings.Fields(err.Error()), func(word string) bool {
		name, begins := strings.CutSuffix(word, ":")
		return begins && slices.Contains(packages, name)
	})
	return strings.Join(words, " ")
}
