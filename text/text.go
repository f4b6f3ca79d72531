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
	"fmt"
	"iter"
	"strconv"
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

// An Analyzer turns text into terms. The zero Analyzer is the default one. Its
// fields must not be changed after its first use; it may then be used by many
// goroutines at once, each with a Buffer of its own.
type Analyzer struct {
	Segmenter Segmenter // nil means Words
	KeepCase  bool      // leave case as it is; otherwise the text is lower-cased first
	NGrams    [2]int    // the shortest and the longest word n-gram; the zero value means {1, 1}
}

// Analyze fills b with the terms of s: all n-grams of the shortest length in
// the order of the text, then those of the next length, as scikit-learn orders
// them. An n-gram is n neighbouring words joined by one space.
func (a *Analyzer) Analyze(b *Buffer, s string) {
	b.reset(s, !a.KeepCase)
	a.segmenter().Segment(b)
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
	if a.NGrams == [2]int{} {
		return 1, 1
	}
	return a.NGrams[0], a.NGrams[1]
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

// A Language is a named set of segmenters.
type Language struct {
	Name       string
	Segmenters []Segmenter
}

// Parse returns the Analyzer that spec describes. It knows the segmenters of
// this package and those of the given languages. The error names the word that
// is not understood.
func Parse(spec string, langs ...*Language) (*Analyzer, error) {
	a := new(Analyzer)
	for i, word := range strings.Fields(spec) {
		if err := a.set(i, word, langs); err != nil {
			return nil, fmt.Errorf("analyzer %q: %w", spec, err)
		}
	}
	if a.Segmenter == nil {
		return nil, fmt.Errorf("analyzer %q: no name: want default, sklearn, whitespace, chars=M-N or char-words=M-N", spec)
	}
	return a, nil
}

// set applies word i of a description.
func (a *Analyzer) set(i int, word string, langs []*Language) (err error) {
	if i == 0 {
		a.Segmenter, err = segmenterNamed(word, langs)
		return err
	}
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "lowercase":
		lower, err := strconv.ParseBool(value)
		a.KeepCase = !lower
		if err != nil {
			return fmt.Errorf("%s: want true or false", word)
		}
	case "ngrams":
		a.NGrams, err = parseRange(value)
	default:
		err = fmt.Errorf("unknown option %q", word)
	}
	return err
}

func segmenterNamed(name string, langs []*Language) (Segmenter, error) {
	if kind, lengths, ok := strings.Cut(name, "="); ok && (kind == "chars" || kind == "char-words") {
		r, err := parseRange(lengths)
		if kind == "chars" {
			return Chars{r[0], r[1]}, err
		}
		return CharWords{r[0], r[1]}, err
	}
	known := []Segmenter{Words{}, SKLearn{}, Whitespace{}}
	for _, l := range langs {
		known = append(known, l.Segmenters...)
	}
	var names []string
	for _, s := range known {
		if s.String() == name {
			return s, nil
		}
		names = append(names, s.String())
	}
	return nil, fmt.Errorf("unknown name %q: want one of %s, chars=M-N, char-words=M-N", name, strings.Join(names, ", "))
}

// parseRange reads "2" or "1-2".
func parseRange(s string) (r [2]int, err error) {
	low, high, two := strings.Cut(s, "-")
	if !two {
		high = low
	}
	r[0], err = strconv.Atoi(low)
	if err == nil {
		r[1], err = strconv.Atoi(high)
	}
	if err != nil || r[0] < 1 || r[1] < r[0] || r[1] > maxNGram {
		return r, fmt.Errorf("n-grams %q: want a length such as 2 or 1-2, at most %d", s, maxNGram)
	}
	return r, nil
}

const maxNGram = 16
