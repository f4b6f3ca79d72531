package cli

import (
	"slices"

	"bayes/text"
	"bayes/text/bogofilter"
	"bayes/text/english"
	"bayes/text/snowball"
	"bayes/text/stopwords"
)

// Languages returns what analyzers may be made of, besides package text's own.
// None loads a dictionary before it is used.
func Languages() []*text.Language {
	return slices.Concat(
		[]*text.Language{bogofilter.Language(), english.Language()},
		dictionaries(),
		[]*text.Language{stopwords.Language(), snowball.Language()},
	)
}
