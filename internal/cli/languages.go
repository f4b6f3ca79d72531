package cli

import (
	"fmt"

	"bayes/text"
	"bayes/text/english"
	"bayes/text/japanese"
	"bayes/text/korean"
	"bayes/text/snowball"
	"bayes/text/stopwords"
)

// languages returns what analyzers may be made of, besides package text's own.
// None loads a dictionary before it is used.
func languages() []*text.Language {
	return []*text.Language{
		english.Language(), japanese.Language(), korean.Language(), stopwords.Language(), snowball.Language(),
	}
}

// stopWordsOf returns the stop words of a language, or of a file.
func stopWordsOf(name string) (*text.StopWords, error) {
	for _, list := range stopwords.Language().StopWords {
		if list.String() == name {
			return list, nil
		}
	}
	words, err := readLines(name)
	if err != nil {
		return nil, fmt.Errorf("--stopwords: neither a language nor a file: %w", err)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%s: no stop words", name)
	}
	return text.NewStopWords("", words...), nil
}
