package morph

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// maxPiece is the largest number of bytes that are analysed at once. It bounds memory; no
// sentence is nearly as long.
const maxPiece = 4096

// nextPiece returns the next piece of t from i on, which is analysed by itself. A piece ends
// at a line end, another control character or a byte that is not UTF-8. If that is too
// far away, it ends behind the last end of a sentence within maxPiece, else behind the
// last space, else behind the last character. It is empty at the end of t.
func nextPiece(t []byte, i int) (start, end int) {
	// Skip what no piece has.
	for i < len(t) {
		cut, size := separates(t[i:])
		if !cut {
			break
		}
		i += size
	}
	sentence, blank, char := i, i, i // the last cuts of each kind
	for j := i; j < len(t); {
		cut, size := separates(t[j:])
		if cut {
			return i, j
		}
		// Marks stay with the character before them.
		c := t[j : j+size]
		if j > i && !isMark(c) {
			char = j
		}
		if j+size-i > maxPiece {
			return i, lastCut(i, j, sentence, blank, char)
		}
		j += size
		if endsSentence(c) {
			sentence = j
		} else if isBlank(c) {
			blank = j
		}
	}
	return i, len(t)
}

// lastCut returns the first of the cuts that makes a piece from start on. If
// there is none, the piece ends at limit, among the marks of one character.
func lastCut(start, limit int, cuts ...int) int {
	for _, c := range cuts {
		if c > start {
			return c
		}
	}
	return limit
}

// separates reports whether the first character of t is in no piece, and returns its
// size.
func separates(t []byte) (bool, int) {
	if c := t[0]; c < utf8.RuneSelf {
		return c < ' ' || c == 0x7f, 1
	}
	r, size := utf8.DecodeRune(t)
	return r < 0xa0 || r == '\u2028' || r == '\u2029' || r == utf8.RuneError, size
}

// endsSentence reports whether c ends a sentence. A full stop of ASCII is not among the
// marks, since it may be in a number.
func endsSentence(c []byte) bool {
	switch string(c) {
	case "。", "．", "！", "？", "｡", "!", "?":
		return true
	}
	return false
}

func isBlank(c []byte) bool {
	return c[0] == ' ' || string(c) == "\u3000" || string(c) == "\u00a0"
}

func isMark(c []byte) bool {
	if c[0] < 0xcc { // U+0300 is the first
		return false
	}
	r, _ := utf8.DecodeRune(c)
	return unicode.IsMark(r)
}

// holdsWord reports whether t holds a letter or a number.
func holdsWord(t []byte) bool {
	return bytes.ContainsFunc(t, func(r rune) bool {
		return 'ぁ' <= r && r <= 'ゖ' || '一' <= r && r <= '鿿' || '가' <= r && r <= '힣' || unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}
