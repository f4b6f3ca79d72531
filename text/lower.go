package text

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lower lower-cases b.text, a copy of s, in place if it can: as Python's str.lower does,
// by Unicode's simple mappings, and by SpecialCasing for İ and the final sigma.
// From the first letter whose length changes it is built anew.
func (b *Buffer) lower(s string) {
	t := b.text
	vectors := useAVX2 && len(t) >= 32
	for i := 0; i < len(t); {
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
		if 0xc2 <= c && c < 0xe0 && i+1 < len(t) && t[i+1]&0xc0 == 0x80 {
			if l := lowerOfTwo()[uint16(c&0x1f)<<6|uint16(t[i+1]&0x3f)]; l != odd {
				t[i], t[i+1] = byte(l>>8), byte(l)
				i += 2
				continue
			}
		}
		if caseless(t, i) {
			i += 3
			continue
		}
		r, size := utf8.DecodeRune(t[i:])
		if l := unicode.ToLower(r); l != r {
			if r == 'Σ' && finalSigma(s, i) {
				l = 'ς'
			}
			if utf8.RuneLen(l) != size || r == 'İ' {
				b.lowerAnew(s, i)
				return
			}
			utf8.EncodeRune(t[i:], l)
		}
		i += size
	}
}

// odd marks the characters of two bytes that [lowerOfTwo] leaves to the slow
// path. It is no UTF-8.
const odd = 0

// lowerOfTwo returns, for each character of two bytes in UTF-8 (U+0080 to
// U+07FF), the two bytes of its lower case. Odd are those whose lower case is of
// another length, the sigma, which depends on its neighbours, and the numbers
// below U+0080, which no two bytes spell. It is built when it is first asked
// for.
var lowerOfTwo = sync.OnceValue(func() *[1 << 11]uint16 {
	t := new([1 << 11]uint16)
	for r := rune(0x80); r < 1<<11; r++ {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == 2 && r != 'Σ' {
			t[r] = uint16(0xc0|l>>6)<<8 | uint16(0x80|l&0x3f)
		}
	}
	return t
})

// caseless reports whether at i stands a character of three bytes in the blocks
// of India and its neighbours (U+0800 to U+0FFF) or of Chinese, Japanese and
// Korean (U+3000 to U+9FFF and U+AC00 to U+D7FF), none of which has case.
func caseless(t []byte, i int) bool {
	if i+3 > len(t) {
		return false
	}
	c := t[i]
	return (c == 0xe0 && t[i+1] >= 0xa0 || 0xe3 <= c && c <= 0xe9 || 0xeb <= c && c <= 0xec ||
		c == 0xea && t[i+1] >= 0xb0 || c == 0xed && t[i+1] < 0xa0) &&
		t[i+1]&0xc0 == 0x80 && t[i+2]&0xc0 == 0x80
}

// lowerAnew lower-cases s from byte i on, which stands at byte i of b.text, and
// notes where lengths change.
func (b *Buffer) lowerAnew(s string, i int) {
	b.beginStep()
	b.text = b.text[:i]
	for i < len(s) {
		var size int
		b.text, size = appendLowerRune(b.text, s, i)
		if strings.HasPrefix(s[i:], "İ") {
			// No position between the two stands inside the İ of the original.
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

// lowerTerms lower-cases each term by itself.
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

// isLower reports whether t is of caseless characters and of ASCII without
// capital letters.
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

// finalSigma reports whether the sigma at byte i of s ends a word: before it
// stands a cased letter and behind it none, where characters that case ignores
// do not count (The Unicode Standard, table 3-17, Final_Sigma).
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

func cased(r rune) bool {
	return unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsTitle(r) ||
		unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '‘', '’', '․', '‧', '﹒', '＇', '．', '：', '﹕', '︓', '\u0387', '՟', '״': // Word_Break = MidLetter, MidNumLet or Single_Quote
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
