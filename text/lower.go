package text

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lower lower-cases b.text, a copy of s, as Python's str.lower does: by Unicode's simple
// mappings, and by SpecialCasing for İ and the final sigma. It works in place, up to the
// first letter whose length changes; from there on it rebuilds the text.
//
// The cases are tried in the order of their cost: eight bytes of ASCII or two characters
// without case in one step, then one character of ASCII, of two bytes by a table, of
// three bytes in blocks without case, and any other by package unicode.
func (b *Buffer) lower(s string) {
	t := b.text
	vectors := useAVX2 && len(t) >= 32
	for i := 0; i < len(t); {
		// Eight bytes of ASCII, or three or six of characters without case. AVX2 goes on
		// from there to the end of such a run.
		if i+8 <= len(t) {
			x := binary.LittleEndian.Uint64(t[i:])
			n := 8
			if x&highs != 0 {
				n = caselessBytes(x)
			}
			if n > 0 && vectors {
				i = lowerRunAVX2(t, i)
				continue
			}
			if n > 0 {
				binary.LittleEndian.PutUint64(t[i:], lowerASCII(x))
				i += n
				continue
			}
		}
		c := t[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				t[i] = c + ('a' - 'A')
			}
			i++
			continue
		}
		// A character of two bytes whose lower case has two bytes too.
		if 0xc2 <= c && c < 0xe0 && i+1 < len(t) && t[i+1]&0xc0 == 0x80 {
			if l := lowerOfTwo()[uint16(c&0x1f)<<6|uint16(t[i+1]&0x3f)]; l != irregular {
				t[i], t[i+1] = byte(l>>8), byte(l)
				i += 2
				continue
			}
		}
		if caseless(t, i) {
			i += 3
			continue
		}
		size := b.lowerRune(s, i)
		if size == 0 {
			b.lowerRebuilding(s, i)
			return
		}
		i += size
	}
}

// lowerRune lower-cases the character at byte i in place, and returns its size, or 0 if
// its lower case has another one.
func (b *Buffer) lowerRune(s string, i int) int {
	r, size := utf8.DecodeRune(b.text[i:])
	l := unicode.ToLower(r)
	if l == r {
		return size
	}
	if r == 'Σ' && finalSigma(s, i) {
		l = 'ς'
	}
	if utf8.RuneLen(l) != size || r == 'İ' {
		return 0
	}
	return utf8.EncodeRune(b.text[i:], l)
}

// irregular is what [lowerOfTwo] has for characters that it leaves to [Buffer.lowerRune].
// No two bytes of UTF-8 are equal to it.
const irregular = 0

// lowerOfTwo returns, for each character of two bytes in UTF-8 (U+0080 to
// U+07FF), the two bytes of its lower case. Irregular are those whose lower case has
// another length, the sigma, which depends on its neighbours, and the numbers below
// U+0080, which are one byte. The table is built when it is first asked for.
var lowerOfTwo = sync.OnceValue(func() *[1 << 11]uint16 {
	t := new([1 << 11]uint16)
	for r := rune(0x80); r < 1<<11; r++ {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == 2 && r != 'Σ' {
			t[r] = uint16(0xc0|l>>6)<<8 | uint16(0x80|l&0x3f)
		}
	}
	return t
})

// caseless reports whether the character at i has three bytes and is in a block
// without case: those of India and its neighbours (U+0800 to U+0FFF), or of Chinese,
// Japanese and Korean (U+3000 to U+9FFF and U+AC00 to U+D7FF).
func caseless(t []byte, i int) bool {
	if i+3 > len(t) {
		return false
	}
	c := t[i]
	return (c == 0xe0 && t[i+1] >= 0xa0 || 0xe3 <= c && c <= 0xe9 || 0xeb <= c && c <= 0xec ||
		c == 0xea && t[i+1] >= 0xb0 || c == 0xed && t[i+1] < 0xa0) &&
		t[i+1]&0xc0 == 0x80 && t[i+2]&0xc0 == 0x80
}

// lowerRebuilding lower-cases s from byte i on, the same byte of b.text, and records
// where lengths change.
func (b *Buffer) lowerRebuilding(s string, i int) {
	b.beginStep()
	b.text = b.text[:i]
	for i < len(s) {
		var size int
		b.text, size = appendLowerRune(b.text, s, i)
		if strings.HasPrefix(s[i:], "İ") {
			// İ becomes i and a dot. The position between them is that behind the İ.
			b.align(len(b.text)-len("\u0307"), i+size)
		}
		i += size
		b.align(len(b.text), i)
	}
}

// appendLowerRune appends the lower case of the character at byte i of s, and
// returns how many bytes of s it takes.
func appendLowerRune(dst []byte, s string, i int) ([]byte, int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return append(dst, s[i]), 1
	case r == 'İ':
		return append(dst, "i̇"...), size
	case r == 'Σ' && finalSigma(s, i):
		return append(dst, "ς"...), size
	}
	return utf8.AppendRune(dst, unicode.ToLower(r)), size
}

// appendLower appends the lower case of s.
func appendLower(dst []byte, s string) []byte {
	for i, size := 0, 0; i < len(s); i += size {
		dst, size = appendLowerRune(dst, s, i)
	}
	return dst
}

// lowerTerms lower-cases each term by itself, for segmenters that read case.
func (b *Buffer) lowerTerms() {
	for i := range b.tokens {
		t := &b.tokens[i]
		if term := b.text[t.lo:t.hi]; !isLower(term) {
			t.lo = len(b.text)
			b.text = appendLower(b.text, string(term))
			t.hi = len(b.text)
		}
	}
}

// isLower reports whether t consists of characters without case and of ASCII without
// capital letters, so that lower-casing it changes nothing.
func isLower(t []byte) bool {
	for i := 0; i < len(t); {
		switch c := t[i]; {
		case c < utf8.RuneSelf && (c < 'A' || c > 'Z'):
			i++
		case c >= utf8.RuneSelf && caseless(t, i):
			i += 3
		default:
			return false
		}
	}
	return true
}

// finalSigma reports whether the sigma at byte i of s ends a word: a cased letter is
// before it and none behind it, where characters that case ignores are passed over
// (The Unicode Standard, table 3-17, Final_Sigma).
func finalSigma(s string, i int) bool {
	before := rune(-1)
	for j := i; j > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:j])
		if j -= size; !caseIgnorable(r) {
			before = r
			break
		}
	}
	if !cased(before) {
		return false
	}
	for _, r := range s[i+len("Σ"):] {
		if !caseIgnorable(r) {
			return !cased(r)
		}
	}
	return true
}

// cased is the property Cased.
func cased(r rune) bool {
	return unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsTitle(r) ||
		unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// caseIgnorable is the property Case_Ignorable.
func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '‘', '’', '․', '‧', '﹒', '＇', '．', '：', '﹕', '︓', '\u0387', '՟', '״': // Word_Break = MidLetter, MidNumLet or Single_Quote
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
