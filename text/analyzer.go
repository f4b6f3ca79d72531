// Package text turns text into terms.
//
// An [Analyzer] normalises a text, cuts it into tokens, drops or rewrites some of
// them, and joins neighbouring words into n-grams. The zero Analyzer is the default one, for any language:
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
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Token is a term and its position.
type Token struct {
	Term       string
	Start, End int // byte offsets in the original text
}

// An Analyzer turns text into terms. The zero Analyzer is the default one. Its
// fields are in the order in which they are applied. They must not be changed
// after its first use; it may then be used by many goroutines at once, each with
// a Buffer of its own.
type Analyzer struct {
	Form      Form       // spell characters in one way
	KeepCase  bool       // leave case as it is; otherwise the text is lower-cased
	Accents   Accents    // fold é to e
	Segmenter Segmenter  // cut the text into tokens; nil means Words
	Negation  bool       // mark the words between an English negation and the next punctuation: "not a good film." has NOT_good
	StopWords *StopWords // leave these words out, marked or not
	MinLength int        // leave out words of fewer characters
	Subwords  [2]int     // the shortest and the longest piece of a word that is a term too, from 1 to 16; the zero value means none
	Stem      Stemmer    // reduce words to their stems
	NGrams    [2]int     // the shortest and the longest word n-gram, from 1 to 16; the zero value means {1, 1}
}

// Analyze fills b with the terms of s: all n-grams of the shortest length in
// the order of the text, then those of the next length, as scikit-learn orders
// them, and at last the subwords. An n-gram is n neighbouring words joined by one
// space; words that were left out are no neighbours.
//
// A subword is a piece of a word, as fastText has them (Bojanowski, Grave, Joulin and
// Mikolov 2017), written as a pattern that the word matches: hap* begins happy, *ppy ends
// it, and *app* is of its middle. An end of the word counts as one character, so hap* and
// *ppy have length 4, and *app* has 3. What has both ends is the word itself, and no
// subword. Words are taken as they were cut, before they are marked or stemmed; those of
// more than 128 bytes, which no language has, have no subwords.
func (a *Analyzer) Analyze(b *Buffer, s string) {
	a.AnalyzeWords(b, s)
	if shortest, longest := a.Lengths(); longest > 1 {
		b.joinNGrams(shortest, longest)
	}
	b.tokens = append(b.tokens, b.subwords...)
}

// AnalyzeWords fills b with the words of s, whose n-grams of all [Analyzer.Lengths]
// are its terms: for those who know n-grams by their words. Subwords are left out.
func (a *Analyzer) AnalyzeWords(b *Buffer, s string) {
	segmenter := a.segmenter()
	_, readsCase := segmenter.(CaseReader)
	b.reset(s)
	if a.Form != AsIs {
		s = b.normalize(s, a.Form)
	}
	if !a.KeepCase && !readsCase {
		b.lower(s)
	}
	if a.Accents != KeepAccents {
		b.fold(string(b.text), a.Accents)
	}
	b.size = len(b.text)
	segmenter.Segment(b)
	if !a.KeepCase && readsCase {
		b.lowerTerms()
	}
	if a.filters() {
		a.filter(b)
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

// Lengths returns the lengths of the n-grams of words that are terms.
func (a *Analyzer) Lengths() (shortest, longest int) {
	return lengths(a.NGrams[0], a.NGrams[1])
}

// filter leaves words of b out and rewrites others: see [Analyzer] for the order.
func (a *Analyzer) filter(b *Buffer) {
	// What needs all words, before any is left out.
	marks := false
	if a.Negation {
		marks = b.findNegation()
	}
	if a.Stem != nil {
		b.rememberStems(a.Stem)
	}
	shortest, longest := a.subwords()
	b.reserveSubwords(shortest, longest)
	words := b.tokens[:0]
	for _, t := range b.tokens {
		// Leave words out.
		term := b.text[t.lo:t.hi]
		if a.StopWords != nil {
			if _, stop := a.StopWords.words[string(term)]; stop {
				continue
			}
		}
		if a.MinLength > 1 && utf8.RuneCount(term) < a.MinLength {
			continue
		}
		// Rewrite the word. Subwords are those of the word as it is.
		b.addSubwords(t, shortest, longest)
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

// filters reports whether filter has anything to do.
func (a *Analyzer) filters() bool {
	return a.Negation || a.StopWords != nil || a.MinLength > 1 || a.Subwords != [2]int{} || a.Stem != nil
}

// subwords returns the lengths of subwords, 0 and 0 if there are none.
func (a *Analyzer) subwords() (shortest, longest int) {
	if a.Subwords == [2]int{} {
		return 0, 0
	}
	return lengths(a.Subwords[0], a.Subwords[1])
}

// String returns a in the form read by [Parse]: the segmenter's name, then what
// differs from the zero Analyzer, such as "default stopwords=en ngrams=1-2".
func (a *Analyzer) String() string {
	words := []string{a.segmenter().String()}
	if a.Form != AsIs {
		words = append(words, "form="+a.Form.String())
	}
	if a.KeepCase {
		words = append(words, "lowercase=false")
	}
	if a.Accents != KeepAccents {
		words = append(words, "accents="+a.Accents.String())
	}
	if a.Negation {
		words = append(words, "negation=true")
	}
	if a.StopWords != nil {
		words = append(words, "stopwords="+a.StopWords.String())
	}
	if a.MinLength > 1 {
		words = append(words, "min-length="+strconv.Itoa(a.MinLength))
	}
	if m, n := a.subwords(); n > 0 {
		words = append(words, "subwords="+rangeString(m, n))
	}
	if a.Stem != nil {
		words = append(words, "stem="+a.Stem.String())
	}
	if m, n := a.Lengths(); n > 1 {
		words = append(words, "ngrams="+rangeString(m, n))
	}
	return strings.Join(words, " ")
}
