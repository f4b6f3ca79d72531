package cli

import (
	"bayes/text"
	"bayes/text/bogofilter"
	"bayes/text/english"
	"bayes/text/japanese"
	"bayes/text/korean"
	"bayes/text/snowball"
	"bayes/text/stopwords"
)

// Languages returns what analyzers may be made of, besides package text's own.
// None loads a dictionary before it is used.
func Languages() []*text.Language {
	return []*text.Language{
		bogofilter.Language(), english.Language(), japanese.Language(), korean.Language(), stopwords.Language(), snowball.Language(),
	}
}
