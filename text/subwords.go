package text

import (
	"slices"
	"unicode/utf8"
)

// wildcard is written where a subword does not reach the end of its word.
const wildcard = '*'

// IsSubword reports whether a term of an [Analyzer] that has subwords is one of them:
// whether it begins or ends with an asterisk. A word of an analyzer such as "whitespace"
// may begin or end with one too, and is then counted as a subword.
func IsSubword(term []byte) bool {
	return len(term) > 0 && (term[0] == wildcard || term[len(term)-1] == wildcard)
}

// addSubwords adds the subwords of the word t, from the shortest length to the longest;
// none if longest is 0, or of what is too long to be a word.
func (b *Buffer) addSubwords(t token, shortest, longest int) {
	if longest == 0 || t.hi-t.lo > maxWord {
		return
	}
	b.chars = b.chars[:0]
	for i := t.lo; i < t.hi; {
		_, size := utf8.DecodeRune(b.text[i:t.hi])
		b.chars = append(b.chars, char{at: i})
		i += size
	}
	length := len(b.chars) + 2 // with both ends
	for n := shortest; n <= min(longest, length-1); n++ {
		for i := 0; i+n <= length; i++ {
			b.addSubword(t, i, i+n)
		}
	}
}

// reserveSubwords makes room for the subwords of all tokens in a buffer that has had none: growing step by
// step takes longer than all else where a program reads one text and ends.
func (b *Buffer) reserveSubwords(shortest, longest int) {
	if longest == 0 || cap(b.subwords) > 0 {
		return
	}
	subwords, size := 0, 0
	for _, t := range b.tokens {
		if t.hi-t.lo > maxWord {
			continue
		}
		length := utf8.RuneCount(b.text[t.lo:t.hi]) + 2
		for n := shortest; n <= min(longest, length-1); n++ {
			subwords += length + 1 - n
			size += (length + 1 - n) * (n + 1) // of ASCII
		}
	}
	b.subwords, b.text = slices.Grow(b.subwords, subwords), slices.Grow(b.text, size+padding)
}

// addSubword adds the subword of t from i up to, and without, j, where 0 is the beginning
// of t, and its first character is 1.
func (b *Buffer) addSubword(t token, i, j int) {
	first, end := max(i-1, 0), min(j-1, len(b.chars))
	if first >= end {
		return // no character of the word
	}
	lo, hi := b.chars[first].at, t.hi
	if end < len(b.chars) {
		hi = b.chars[end].at
	}
	s := token{lo: len(b.text), start: t.start, end: t.end}
	if t.lo == t.start && t.hi == t.end { // the word is a piece of the text
		s.start, s.end = lo, hi
	}
	// Write it behind the text, as a pattern.
	if i > 0 {
		b.text = append(b.text, wildcard)
	}
	b.text = append(b.text, b.text[lo:hi]...)
	if j < len(b.chars)+2 {
		b.text = append(b.text, wildcard)
	}
	s.hi = len(b.text)
	b.subwords = append(b.subwords, s)
}
