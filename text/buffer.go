package text

import (
	"sort"
)

// A Buffer holds the tokens of one text. It is reused from text to text, and
// then allocates nothing. The zero Buffer is ready to use; it is for one
// goroutine.
type Buffer struct {
	text   []byte // the normalised text, then n-grams that had to be joined
	size   int    // of the text in it
	tokens []token
	first  int     // token that Term(0) is: those before it were words of shorter n-grams
	shifts []shift // where lower-casing changed lengths
	chars  []char  // of the run that Chars and CharWords cut
}

// A token is text[lo:hi], and stands at [start, end) of the normalised text.
// The two differ for n-grams of words or characters.
type token struct{ lo, hi, start, end int }

// A shift says that from a position of the normalised text on, positions of the
// original are larger by delta.
type shift struct{ at, delta int }

func (b *Buffer) reset(s string, lower bool) {
	b.text = append(b.text[:0], s...)
	b.tokens, b.first, b.shifts = b.tokens[:0], 0, b.shifts[:0]
	if lower {
		b.lower(s)
	}
	b.size = len(b.text)
}

// lowerTerms lower-cases each term by itself.
func (b *Buffer) lowerTerms() {
	for i := range b.tokens {
		t := &b.tokens[i]
		if term := b.text[t.lo:t.hi]; !isLower(term) {
			lo := len(b.text)
			b.text = appendLower(b.text, string(term))
			t.lo, t.hi = lo, len(b.text)
		}
	}
}

// Text returns the text to be cut: the original, lower-cased if the analyzer
// says so and the segmenter does not read case. It must not be modified.
func (b *Buffer) Text() []byte { return b.text[:b.size] }

// Add appends the token Text()[start:end].
func (b *Buffer) Add(start, end int) {
	b.tokens = append(b.tokens, token{start, end, start, end})
}

// AddTerm appends a token that stands at Text()[start:end] and is counted as
// term, such as a word's base form.
func (b *Buffer) AddTerm(term string, start, end int) {
	lo := len(b.text)
	b.text = append(b.text, term...)
	b.tokens = append(b.tokens, token{lo, len(b.text), start, end})
}

// Len returns how many tokens there are.
func (b *Buffer) Len() int { return len(b.tokens) - b.first }

// Term returns what token i is counted as. It is valid until the next Analyze,
// and must not be modified.
func (b *Buffer) Term(i int) []byte {
	t := &b.tokens[b.first+i]
	return b.text[t.lo:t.hi:t.hi]
}

// Span returns where token i stands in the original text, in bytes.
func (b *Buffer) Span(i int) (start, end int) {
	t := &b.tokens[b.first+i]
	return b.original(t.start), b.original(t.end)
}

// original returns the position in the original text of one in the normalised
// text.
func (b *Buffer) original(pos int) int {
	i := sort.Search(len(b.shifts), func(i int) bool { return b.shifts[i].at > pos })
	if i == 0 {
		return pos
	}
	return pos + b.shifts[i-1].delta
}
