package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tricks count what is done to words so that a filter does not know them.
type tricks struct {
	invisible  int // characters of no width
	mixed      int // words of letters of several alphabets that look alike
	spacedOut  int // words with something between all letters
	lookalikes int // letters of other alphabets in such words
}

// undo returns s as it looks: without invisible characters, with letters that look like Latin ones
// in words of Latin ones, and with v.i.a.g.r.a in one word.
func (t *tricks) undo(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		n := wordEnd(s)
		if n == 0 {
			r, size := utf8.DecodeRuneInString(s)
			if r == 0 || r == utf8.RuneError && size == 1 {
				b.WriteByte(' ')
			} else {
				b.WriteString(s[:size])
			}
			s = s[size:]
			continue
		}
		if word, size := spacedOut(s); size > 0 {
			t.spacedOut++
			b.WriteString(word)
			s = s[size:]
			continue
		}
		b.WriteString(t.word(s[:n]))
		s = s[n:]
	}
	return b.String()
}

// wordEnd returns how long the word is that s begins with: letters, digits, marks and what is
// invisible among them.
func wordEnd(s string) int {
	for i, r := range s {
		if r < utf8.RuneSelf {
			if !isASCIIWord(byte(r)) {
				return i
			}
		} else if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !isInvisible(r) {
			return i
		}
	}
	return len(s)
}

func isASCIIWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isInvisible reports whether a character has no width, and no meaning within a word of an alphabet.
func isInvisible(r rune) bool {
	switch r {
	case 0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xfeff:
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x206f || 0xe0000 <= r && r <= 0xe007f
}

// word undoes what is done within a word.
func (t *tricks) word(s string) string {
	latin, others, invisible := 0, 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if r >= 'A' {
				latin++
			}
		case isInvisible(r):
			invisible++
		case lookalike[r] != 0:
			others++
		}
	}
	mixed := latin > 0 && others > 0
	if !mixed && invisible == 0 {
		return s
	}
	t.invisible += invisible
	if mixed {
		t.mixed++
		t.lookalikes += others
	}
	return strings.Map(func(r rune) rune {
		switch {
		case isInvisible(r):
			return -1
		case mixed && lookalike[r] != 0:
			return lookalike[r]
		}
		return r
	}, s)
}

// spacedOut returns the word that s begins with if one same mark stands between all of its letters,
// four at least, and how much of s it takes. Blanks count only between single letters.
func spacedOut(s string) (word string, size int) {
	const least, most = 4, 30
	if len(s) < 2*least-1 || !isASCIILetter(s[0]) || isASCIIWord(s[1]) || !strings.ContainsRune(".-_*|~^ ", rune(s[1])) {
		return "", 0
	}
	var letters []byte
	mark := s[1]
	i := 0
	for i < len(s) && isASCIILetter(s[i]) && len(letters) < most {
		if i+1 < len(s) && isASCIIWord(s[i+1]) {
			break // the word after a blank
		}
		letters = append(letters, s[i])
		size = i + 1
		if i+1 >= len(s) || s[i+1] != mark {
			break
		}
		i += 2
	}
	if len(letters) < least {
		return "", 0
	}
	return string(letters), size
}

func isASCIILetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// lookalike are letters that look like Latin ones.
var lookalike = map[rune]rune{
	'а': 'a', 'в': 'b', 'с': 'c', 'е': 'e', 'н': 'h', 'і': 'i', 'ј': 'j', 'к': 'k', 'м': 'm', 'о': 'o', 'р': 'p', 'ѕ': 's', 'т': 't', 'у': 'y', 'х': 'x', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w',
	'А': 'A', 'В': 'B', 'С': 'C', 'Е': 'E', 'Н': 'H', 'І': 'I', 'Ј': 'J', 'К': 'K', 'М': 'M', 'О': 'O', 'Р': 'P', 'Ѕ': 'S', 'Т': 'T', 'У': 'Y', 'Х': 'X',
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'γ': 'y',
	'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
}
