//go:build nodictionaries

package cli

import (
	"errors"

	"bayes/text"
)

// lacking says in the version what the program is built without.
const lacking = ", without the Japanese and Korean dictionaries"

// dictionaries returns the languages that are cut by a dictionary, each with the error of
// a program that has none.
func dictionaries() []*text.Language {
	return []*text.Language{
		{Name: "ja", Absent: errors.New("this program is built without the Japanese dictionary: use one that is built without -tags nodictionaries")},
		{Name: "ko", Absent: errors.New("this program is built without the Korean dictionary: use one that is built without -tags nodictionaries")},
	}
}
