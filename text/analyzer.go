// Package text turns text into terms.
//
// An [Analyzer] lower-cases a text, cuts it into tokens, and joins neighbouring
// words into n-grams. The zero Analyzer is the default one, for any language:
//
//	var a text.Analyzer
//	for token := range a.Tokens("I am not happy") {
//		fmt.Println(token.Term)
//	}
//
// On a hot path, [Analyzer.Analyze] fills a [Buffer] that is used again and
// again, and then allocates nothing.
package text

import (
	"iter"
	"strings"
)

// A Token is a term and where it stood.
type Token struct {
	Term       string
	Start, End int // byte offsets in the original text
}

// A Segmenter cuts the text of a Buffer into tokens: it calls [Buffer.Add] for
// each, in the order of the text. The segmenters of this package are [Words],
// [Whitespace], [SKLearn], [Chars] and [CharWords].
type Segmenter interface {
	Segment(b *Buffer)
	String() string // its name in [Parse]
}

// A CaseReader is a Segmenter that needs capital letters to find where sentences
// end or what a word is. It is given the text as it stands, and its terms are
// lower-cased afterwards.
type CaseReader interface {
	Segmenter
	ReadsCase()
}

// An Analyzer turns text into terms. The zero Analyzer is the default one. Its
// fields must not be changed after its first use; it may then be used by many
// goroutines at once, each with a Buffer of its own.
type Analyzer struct {
	Segmenter Segmenter // nil means Words
	KeepCase  bool      // leave case as it is; otherwise the text is lower-cased first
	NGrams    [2]int    // the shortest and the longest word n-gram, from 1 to 16; the zero value means {1, 1}
}

// Analyze fills b with the terms of s: all n-grams of the shortest length in
// the order of the text, then those of the next length, as scikit-learn orders
// them. An n-gram is n neighbouring words joined by one space.
func (a *Analyzer) Analyze(b *Buffer, s string) {
	segmenter := a.segmenter()
	_, readsCase := segmenter.(CaseReader)
	b.reset(s, !a.KeepCase && !readsCase)
	segmenter.Segment(b)
	if !a.KeepCase && readsCase {
		b.lowerTerms()
	}
	if shortest, longest := a.ngrams(); longest > 1 {
		b.joinNGrams(shortest, longest)
	}
}

// Tokens returns the tokens of s.
func (a *Analyzer) Tokens(s string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		var b Buffer
		a.Analyze(&b, s)
		for i := range b.Len() {
			start, end := b.Span(i)
			if !yield(Token{string(b.Term(i)), start, end}) {
				return
			}
		}
	}
}

func (a *Analyzer) segmenter() Segmenter {
	if a.Segmenter == nil {
		return Words{}
	}
	return a.Segmenter
}

func (a *Analyzer) ngrams() (shortest, longest int) {
	return lengths(a.NGrams[0], a.NGrams[1])
}

// String returns a in the form read by [Parse]: the segmenter's name, then what
// departs from the zero Analyzer, such as "default ngrams=1-2".
func (a *Analyzer) String() string {
	words := []string{a.segmenter().String()}
	if a.KeepCase {
		words = append(words, "lowercase=false")
	}
	if m, n := a.ngrams(); n > 1 {
		words = append(words, "ngrams="+rangeString(m, n))
	}
	return strings.Join(words, " ")
}
