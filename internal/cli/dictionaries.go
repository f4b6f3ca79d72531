//go:build !nodictionaries

package cli

import (
	"bayes/text"
	"bayes/text/japanese"
	"bayes/text/korean"
)

// lacking says in the version what the program is built without.
const lacking = ""

// dictionaries returns the languages that are cut by a dictionary.
func dictionaries() []*text.Language {
	return []*text.Language{japanese.Language(), korean.Language()}
}
