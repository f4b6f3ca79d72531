package text

import (
	"net/url"
	"slices"
	"strings"
)

// StopWords are words that an [Analyzer] leaves out. The words of a name never
// change: a better list gets another name.
type StopWords struct {
	name  string
	words map[string]struct{}
}

// NewStopWords returns the list of that name, as [Parse] finds it in a
// [Language]. A list without a name is spelled out in the descriptions of
// analyzers that use it.
func NewStopWords(name string, words ...string) *StopWords {
	s := &StopWords{name, make(map[string]struct{}, len(words))}
	for _, w := range words {
		s.words[w] = struct{}{}
	}
	return s
}

// Words returns the words, sorted.
func (s *StopWords) Words() []string {
	words := make([]string, 0, len(s.words))
	for w := range s.words {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

// String returns the name, or, of a list without one, its words, each behind a
// comma and escaped as in a query of an address.
func (s *StopWords) String() string {
	if s.name != "" {
		return s.name
	}
	var b strings.Builder
	for _, w := range s.Words() {
		b.WriteString("," + url.QueryEscape(w))
	}
	return b.String()
}
