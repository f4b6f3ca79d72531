package text

import "encoding/binary"

// The word-break properties of ASCII (UAX #29, table 3).
const (
	_ = iota
	aLetter
	numeric
	extendNumLet
	midLetter
	midNum
	midNumLet // also Single_Quote, which without Hebrew behaves the same
)

// wordBreak has the word-break property of each ASCII character, zero for those that
// are in no word.
var wordBreak = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			t[c] = aLetter
		case '0' <= c && c <= '9':
			t[c] = numeric
		}
	}
	t['_'], t[':'], t[','], t[';'] = extendNumLet, midLetter, midNum, midNum
	t['.'], t['\''] = midNumLet, midNumLet
	return t
}()

// A mask classifies 64 bytes of text, one bit a byte, the first in the lowest bit. With
// the masks of a text, words of ASCII are found without a look at each character.
//
// The gain, as ratios of the speed of BenchmarkWords, which lower-cases the text too:
//
//	                                     English   French   Korean
//	all by the rules of UAX #29          1         1        1
//	masks by 64-bit words (swar.go)      7         1.7      2
//	masks by AVX2 (avx2_amd64.s)         14        2        3.4
//
// In French, the rules still cut what is next to a letter that is not ASCII.
type mask struct {
	word    uint64 // ASCII letters, digits and underscores, and what joins them
	middle  uint64 // characters that join words between some neighbours
	outside uint64 // bytes that are not ASCII
}

// markBlocks sets the masks of the blocks of 64 bytes that t begins with. It does not
// add the characters that join words to them: see [Buffer.joinWords].
func markBlocks(masks []mask, t []byte) {
	for k := range masks {
		var m mask
		block := t[64*k:][:64]
		for i := 0; i < 64; i += 8 {
			word, middle, outside := wordBytes(binary.LittleEndian.Uint64(block[i:]))
			m.word |= packHighBits(word) << i
			m.middle |= packHighBits(middle) << i
			if outside != 0 {
				m.outside |= packHighBits(outside) << i
			}
		}
		masks[k] = m
	}
}

// joins reports whether c, which can stand in the middle of a word, joins the bytes
// before it and behind it. Both of them are in words.
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
