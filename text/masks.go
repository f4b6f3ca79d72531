package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A mask says what 64 bytes of text are, the first in the lowest bit.
type mask struct {
	word    uint64 // ASCII letters, digits and underscores, and what joins them
	middle  uint64 // what may join them, by its neighbours
	outside uint64 // bytes that are not ASCII
}

// markWords sets the masks of the text, the last of which may stand behind it.
func (b *Buffer) markWords() {
	b.text = slices.Grow(b.text, spare)
	blocks := b.size/64 + 1
	b.words = slices.Grow(b.words[:0], blocks)[:blocks]
	if t := b.text[:b.size+spare]; useAVX2 {
		markBlocksAVX2(b.words, t)
	} else {
		markBlocks(b.words, t)
	}
	m := &b.words[blocks-1]
	inside := uint64(1)<<(b.size%64) - 1
	m.word &= inside
	m.middle &= inside
	m.outside &= inside
	b.joinWords()
}

// markBlocks sets the masks of the blocks of 64 bytes that t begins with, but joins
// no words.
func markBlocks(masks []mask, t []byte) {
	for k := range masks {
		var m mask
		block := t[64*k:][:64]
		for i := 0; i < 64; i += 8 {
			word, middle, outside := wordBytes(binary.LittleEndian.Uint64(block[i:]))
			m.word |= gather(word) << i
			m.middle |= gather(middle) << i
			if outside != 0 {
				m.outside |= gather(outside) << i
			}
		}
		masks[k] = m
	}
}

// wordBytes sets the high bit of those of eight bytes that are ASCII letters,
// digits or underscores, of those that can stand in the middle of a word, and of
// those that are not ASCII. Adding to seven bits sets the high bit of a byte from
// a bound on, and never carries.
func wordBytes(x uint64) (word, middle, outside uint64) {
	low, outside := x&^highs, x&highs
	small := low | 0x20*ones
	letters := (small + (0x80-'a')*ones) &^ (small + (0x7f-'z')*ones)
	digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	notUnderscore := low ^ '_'*ones + 0x7f*ones
	notDotComma := (low | (','^'.')*ones) ^ '.'*ones + 0x7f*ones
	notColons := (low | (':'^';')*ones) ^ ';'*ones + 0x7f*ones
	notQuote := low ^ '\''*ones + 0x7f*ones
	inside := highs &^ outside
	return (letters | digits | ^notUnderscore) & inside, inside &^ (notDotComma & notColons & notQuote), outside
}

// gather moves the high bits of eight bytes to the lowest eight bits.
func gather(highBits uint64) uint64 { return highBits >> 7 * 0x0102040810204080 >> 56 }

// joinWords adds to the masks the characters between runs that they join to one
// word: WB6 and WB7 between letters, WB11 and WB12 between numbers. The rules
// within a run are WB5, WB8 to WB10, WB13a and WB13b.
func (b *Buffer) joinWords() {
	before := uint64(0) // the last bit of the mask before
	for k := range b.words {
		m := &b.words[k]
		behind := uint64(0)
		if k+1 < len(b.words) {
			behind = b.words[k+1].word << 63
		}
		between := m.middle & (m.word<<1 | before) & (m.word>>1 | behind)
		before = m.word >> 63
		for ; between != 0; between &= between - 1 {
			i := bits.TrailingZeros64(between)
			if at := 64*k + i; joins(b.text[at-1], b.text[at], b.text[at+1]) {
				m.word |= 1 << i
			}
		}
	}
}

// joins reports whether c, which can stand in the middle of a word, does so
// between two bytes of words.
func joins(before, c, behind byte) bool {
	around := wordBreak[before]
	if around != wordBreak[behind] {
		return false
	}
	switch wordBreak[c] {
	case midNum:
		return around == numeric
	case midLetter:
		return around == aLetter
	}
	return around != extendNumLet
}

// nextWord returns where the first byte stands, at or after i, that can be part
// of a word, or the length of the text.
func (b *Buffer) nextWord(i int) int {
	return b.next(i, func(m *mask) uint64 { return m.word | m.outside })
}

// next returns where the first byte stands, at or after i, that has a bit in a
// part of its mask, or the length of the text.
func (b *Buffer) next(i int, part func(*mask) uint64) int {
	k := i / 64
	if w := part(&b.words[k]) >> (i % 64); w != 0 {
		return i + bits.TrailingZeros64(w)
	}
	for k++; k < len(b.words); k++ {
		if w := part(&b.words[k]); w != 0 {
			return 64*k + bits.TrailingZeros64(w)
		}
	}
	return b.size
}
