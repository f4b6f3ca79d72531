// Package english cuts English text as NLTK's word_tokenize does, for
// [text.Analyzer.Segmenter]:
//
//	a := &text.Analyzer{Segmenter: english.NLTK, MinLength: 4}
//
// Sentences are found by Punkt (Kiss and Strunk 2006, "Unsupervised multilingual
// sentence boundary detection", Computational Linguistics 32:4), with the
// parameters that were learned from the Wall Street Journal and come with
// github.com/neurosnap/sentences. Within a sentence, words are cut by the rules
// of the Penn Treebank with NLTK's changes: "can't" is "ca" and "n't", "cannot"
// is "can" and "not", and marks are words of their own, a double quote “ or ”.
//
// Use it to repeat published work. For new work package text's default is
// faster and seldom less accurate.
package english

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"bayes/text"
)

var (
	// NLTK cuts as NLTK 3.8 does.
	NLTK text.Segmenter = segmenter{"nltk", rulesOf("mtsdn", dots, "*")}

	// NLTKClassic cuts as NLTK did before 3.5: of several dots only three are a
	// word, an asterisk belongs to the word beside it, and 'n is cut. Figures
	// published before 2020 rest on it.
	NLTKClassic text.Segmenter = segmenter{"nltk-classic", rulesOf("mtsd", literal("..."), "")}
)

// Language gives both segmenters to [text.Parse].
func Language() *text.Language {
	return &text.Language{Name: "en", Segmenters: []text.Segmenter{NLTK, NLTKClassic}}
}

var _ text.CaseReader = segmenter{}

type segmenter struct {
	name  string
	rules []rule
}

func (s segmenter) String() string { return s.name }

// Version is that of the rules here and of the English model of Punkt.
func (segmenter) Version() string { return "1" }

// ReadsCase says that Punkt sees capital letters.
func (segmenter) ReadsCase() {}

func (s segmenter) Segment(b *text.Buffer) {
	t := spaced(b.Text())
	l := lines.Get().(*line)
	defer lines.Put(l)
	for start, end := range sentences(t) {
		l.reset(t, start, end)
		for _, rule := range s.rules {
			rule(l)
		}
		l.emit(b, t)
	}
}

// lines keeps what a text is cut with for the next.
var lines = sync.Pool{New: func() any { return new(line) }}

// spaced returns t with spaces in place of the bytes that are not UTF-8.
func spaced(t []byte) []byte {
	if utf8.Valid(t) {
		return t
	}
	clean := make([]byte, len(t))
	copy(clean, t)
	for i := 0; i < len(clean); {
		r, size := utf8.DecodeRune(clean[i:])
		if r == utf8.RuneError && size == 1 {
			clean[i] = ' '
		}
		i += size
	}
	return clean
}

// The classes of characters of Python's re and str, by which NLTK's rules are
// written.

// isSpace reports what \s matches.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}

// isWord reports what \w matches.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// isDigit reports what \d matches.
func isDigit(r rune) bool { return unicode.IsDigit(r) }

// spaceAt returns the length of the white space that stands at t[i:], or 0.
func spaceAt(t []byte, i int) int {
	if i >= len(t) {
		return 0
	}
	if r, size := utf8.DecodeRune(t[i:]); isSpace(r) {
		return size
	}
	return 0
}

// skipSpace returns where the white space that begins at t[i] ends.
func skipSpace(t []byte, i int) int {
	for n := spaceAt(t, i); n > 0; n = spaceAt(t, i) {
		i += n
	}
	return i
}

// skipWord returns where the characters that are no white space end.
func skipWord(t []byte, i int) int {
	for i < len(t) {
		r, size := utf8.DecodeRune(t[i:])
		if isSpace(r) {
			break
		}
		i += size
	}
	return i
}

// trimSpace returns where t ends without its last white space.
func trimSpace(t []byte) int {
	end := len(t)
	for end > 0 {
		r, size := utf8.DecodeLastRune(t[:end])
		if !isSpace(r) {
			break
		}
		end -= size
	}
	return end
}
