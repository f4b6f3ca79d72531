package text

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
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

// parseStopWords is the inverse of [StopWords.String].
func parseStopWords(s string, langs []*Language) (*StopWords, error) {
	if list, ok := strings.CutPrefix(s, ","); ok {
		words := strings.Split(list, ",")
		for i, w := range words {
			var err error
			if words[i], err = url.QueryUnescape(w); err != nil {
				return nil, fmt.Errorf("stop word %q: %w", w, err)
			}
		}
		return NewStopWords("", words...), nil
	}
	var names []string
	for _, l := range langs {
		for _, list := range l.StopWords {
			if list.name == s {
				return list, nil
			}
			names = append(names, list.name)
		}
	}
	return nil, unknown("list of stop words", s, names)
}

// A Stemmer reduces words to stems: "running" to "run".
type Stemmer interface {
	Stem(word string) string
	String() string // its name in [Parse]
}

func parseStemmer(s string, langs []*Language) (Stemmer, error) {
	var names []string
	for _, l := range langs {
		for _, stemmer := range l.Stemmers {
			if stemmer.String() == s {
				return stemmer, nil
			}
			names = append(names, stemmer.String())
		}
	}
	return nil, unknown("stemmer", s, names)
}

// filter drops and rewrites the words of b: see [Analyzer] for the order.
func (a *Analyzer) filter(b *Buffer) {
	marks := false
	if a.Negation {
		marks = b.findNegation()
	}
	if a.Stem != nil {
		b.rememberStems(a.Stem)
	}
	shortest, longest := a.subwords()
	words := b.tokens[:0]
	for _, t := range b.tokens {
		term := b.text[t.lo:t.hi]
		if a.StopWords != nil {
			if _, stop := a.StopWords.words[string(term)]; stop {
				continue
			}
		}
		if a.MinLength > 1 && utf8.RuneCount(term) < a.MinLength {
			continue
		}
		b.cutSubwords(t, shortest, longest)
		if a.Stem != nil {
			b.stem(&t, a.Stem)
		}
		if marks && t.negated {
			b.replace(&t, negated, string(b.text[t.lo:t.hi]))
		}
		words = append(words, t)
	}
	b.tokens = words
}

func (a *Analyzer) filters() bool {
	return a.Negation || a.StopWords != nil || a.MinLength > 1 || a.Subwords != [2]int{} || a.Stem != nil
}

// replace makes t count as the parts, joined.
func (b *Buffer) replace(t *token, parts ...string) {
	t.lo = len(b.text)
	for _, p := range parts {
		b.text = append(b.text, p...)
	}
	t.hi = len(b.text)
}

// Limits: how many stems a Buffer remembers, and how many bytes a word may have that is
// stemmed or has subwords. No language's words are longer.
const (
	maxStems = 1 << 15
	maxWord  = 128
)

// stem makes t count as its stem. Most words of a text have been seen before:
// their stems are remembered.
func (b *Buffer) stem(t *token, stemmer Stemmer) {
	term := b.text[t.lo:t.hi]
	if len(term) > maxWord {
		return
	}
	stem, ok := b.stems[string(term)]
	if !ok {
		if len(b.stems) >= maxStems {
			clear(b.stems)
		}
		word := string(term)
		stem = stemmer.Stem(word)
		b.stems[word] = stem
	}
	if stem != string(term) {
		b.replace(t, stem)
	}
}

// rememberStems begins to remember the stems of a stemmer, or goes on.
func (b *Buffer) rememberStems(stemmer Stemmer) {
	if name := stemmer.String(); b.stems == nil || b.stemmer != name {
		b.stems, b.stemmer = make(map[string]string), name
	}
}

// negated is what [Analyzer.Negation] puts before a word. Terms are
// lower-cased, so that it makes a term that no text has.
const negated = "NOT_"

// findNegation notes which words stand between a negation and the next mark of
// punctuation, and reports whether any does.
func (b *Buffer) findNegation() (any bool) {
	scope, end := false, 0
	for i := range b.tokens {
		t := &b.tokens[i]
		if scope && (bytes.ContainsAny(b.text[min(end, t.start):t.start], clauseEnds) || isClauseEnd(b.text[t.lo:t.hi])) {
			scope = false
		}
		t.negated = scope
		any = any || scope
		end = t.end
		scope = scope || b.negates(t)
	}
	return any
}

// clauseEnds are the marks that end what a negation reaches.
const clauseEnds = ".,:;!?\n"

func isClauseEnd(term []byte) bool { return len(bytes.Trim(term, clauseEnds)) == 0 }

// negates reports whether t is not, never, no or the like, or ends in n't, also
// where the analyzer cuts a word at its apostrophe.
func (b *Buffer) negates(t *token) bool {
	switch term := bytes.ToLower(b.text[t.lo:t.hi]); string(term) {
	case "not", "no", "never", "nothing", "nowhere", "noone", "nobody", "none", "neither", "nor", "cannot", "without",
		"dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "havent", "hasnt", "hadnt", "wont", "wouldnt",
		"cant", "couldnt", "shouldnt", "aint":
		return true
	default:
		if bytes.HasSuffix(term, []byte("n't")) || bytes.HasSuffix(term, []byte("n’t")) {
			return true
		}
		rest := bytes.ToLower(b.text[t.end:min(t.end+len("’t"), b.size)])
		return bytes.HasSuffix(term, []byte("n")) && (bytes.HasPrefix(rest, []byte("'t")) || bytes.HasPrefix(rest, []byte("’t")))
	}
}
