package text

import "unicode/utf8"

// more stands where a subword does not reach the end of its word.
const more = '*'

// IsSubword reports whether a term of an [Analyzer] that has subwords is one of them:
// whether it begins or ends with an asterisk. What an analyzer such as "whitespace" takes
// for a word may do so too, and is then counted as a subword.
func IsSubword(term []byte) bool {
	return len(term) > 0 && (term[0] == more || term[len(term)-1] == more)
}

// cutSubwords notes the subwords of the word t, from the shortest length to the longest;
// none if longest is 0, or of what is too long to be a word.
func (b *Buffer) cutSubwords(t token, shortest, longest int) {
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
			b.cutSubword(t, i, i+n)
		}
	}
}

// cutSubword notes the subword of t from i to before j, where 0 is the beginning of t, and
// its first character is 1.
func (b *Buffer) cutSubword(t token, i, j int) {
	first, end := max(i-1, 0), min(j-1, len(b.chars))
	if first >= end {
		return // no character of the word
	}
	lo, hi := b.chars[first].at, t.hi
	if end < len(b.chars) {
		hi = b.chars[end].at
	}
	s := token{lo: len(b.text), start: t.start, end: t.end}
	if t.lo == t.start && t.hi == t.end { // it stands in the text as it is
		s.start, s.end = lo, hi
	}
	if i > 0 {
		b.text = append(b.text, more)
	}
	b.text = append(b.text, b.text[lo:hi]...)
	if j < len(b.chars)+2 {
		b.text = append(b.text, more)
	}
	s.hi = len(b.text)
	b.subwords = append(b.subwords, s)
}
