package text

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

var _ Segmenter = Words{}

// Words cuts text of any language into words, without a dictionary. It is the
// default.
//
// A run of Chinese, Japanese or Korean characters becomes overlapping pairs:
// 映画館 is 映画 and 画館. A run of one is that character. The text between
// such runs is cut at the word boundaries of Unicode Standard Annex #29, and
// the pieces that hold a letter or a number are words. A byte that is not UTF-8
// separates.
type Words struct{}

func (Words) String() string { return "default" }

func (Words) Segment(b *Buffer) {
	b.markWords()
	t := b.Text()
	pieces := 0 // the end of the run that UAX #29 cuts, if i is inside one
	for i := b.nextWord(0); i < len(t); i = b.nextWord(i) {
		// ASCII: the masks have the words. A word that a character outside ASCII may
		// belong to is left to the rules.
		if t[i] < utf8.RuneSelf {
			if next := b.asciiWords(i); next > i {
				i = next
				continue
			}
		} else {
			// CJK: pairs of characters. A byte that is not UTF-8 is passed over.
			if plainCJK(t, i) {
				i = addPairs(b, t, i)
				continue
			}
			c, size := decode(basic(), t[i:])
			if c == cjk {
				i = addPairs(b, t, i)
				continue
			}
			if size == 1 {
				i++
				continue
			}
		}
		// Anything else: the rules of UAX #29, in the run without CJK that i is in.
		if pieces <= i {
			pieces = endOfRun(t, i)
		}
		i = addPiece(b, t[:pieces], i)
	}
}

// markWords sets the masks of the text. The last block may reach behind the text: its
// bits there are cleared.
func (b *Buffer) markWords() {
	b.text = slices.Grow(b.text, padding)
	blocks := b.size/64 + 1
	b.words = slices.Grow(b.words[:0], blocks)[:blocks]
	if t := b.text[:b.size+padding]; useAVX2 {
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

// joinWords adds to the word masks the characters that join the runs on either side to
// one word: WB6 and WB7 between letters, WB11 and WB12 between numbers. The rules
// within a run are WB5, WB8 to WB10, WB13a and WB13b.
func (b *Buffer) joinWords() {
	before := uint64(0) // the last bit of the mask before
	for k := range b.words {
		m := &b.words[k]
		behind := uint64(0)
		if k+1 < len(b.words) {
			behind = b.words[k+1].word << 63
		}
		// Bytes of the middle class with a byte of a word on either side. The neighbours
		// of the first and of the last bit are in other masks.
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

// nextWord returns the position of the first byte, at or after i, that can be part of
// a word, or the length of the text.
func (b *Buffer) nextWord(i int) int {
	return b.next(i, func(m *mask) uint64 { return m.word | m.outside })
}

// next returns the position of the first byte, at or after i, whose bit is set in a
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

// asciiWords adds the words from i on, up to the first one whose end depends on a
// character that is not ASCII. It returns the start of that word, or the position of
// that character if no word reaches it, or the length of the text.
func (b *Buffer) asciiWords(i int) int {
	limit := b.next(i, func(m *mask) uint64 { return m.outside })
	if limit == b.size {
		limit += 2 // nothing follows that could matter
	}
	// An edge is a bit of the word mask that differs from the bit before it: words begin
	// and end at them in turn.
	start, inWord := 0, uint64(0)
	skip := uint64(1)<<(i%64) - 1
	for k := i / 64; k < len(b.words) && 64*k < limit; k++ {
		w := b.words[k].word &^ skip
		skip = 0
		for edges := w ^ (w<<1 | inWord); edges != 0; edges &= edges - 1 {
			at := 64*k + bits.TrailingZeros64(edges)
			if inWord ^= 1; inWord == 1 {
				start = at
				continue
			}
			// WB6 and WB11 look at the character behind the one that ends the word.
			if at+2 > limit {
				return min(start, limit)
			}
			if b.text[start] != '_' || holdsWord(b.text[start:at]) {
				b.Add(start, at)
			}
		}
	}
	if inWord == 1 {
		return min(start, limit)
	}
	return min(limit, b.size)
}

// addPairs adds the overlapping pairs of the run of CJK characters that begins at
// i, and returns where it ends. Marks belong to the character before them.
func addPairs(b *Buffer, t []byte, i int) int {
	table := basic()
	before, this, n := i, i, 0 // where the last two characters begin
	for i < len(t) {
		size := 3
		if !plainCJK(t, i) {
			var c class
			if c, size = decode(table, t[i:]); c == mark && n > 0 {
				// A mark makes the pairs that hold its character longer.
				i += size
				continue
			} else if c != cjk {
				break
			}
		}
		if n >= 2 {
			b.Add(before, i)
		}
		before, this = this, i
		n++
		i += size
	}
	// What is left is the last pair, or the only character.
	if n == 1 {
		before = this
	}
	b.Add(before, i)
	return i
}

// plainCJK reports whether the character at i is one of the most frequent CJK
// characters: a Chinese one from U+4E00 to U+9FFF, a Korean syllable, or a Japanese
// letter. It spares most characters the table of classes.
func plainCJK(t []byte, i int) bool {
	if i+3 > len(t) || t[i]&0xf0 != 0xe0 || t[i+1]&0xc0 != 0x80 || t[i+2]&0xc0 != 0x80 {
		return false
	}
	r := rune(t[i]&0x0f)<<12 | rune(t[i+1]&0x3f)<<6 | rune(t[i+2]&0x3f)
	return 'ぁ' <= r && r <= 'ゖ' || 'ァ' <= r && r <= 'ー' && r != '・' || 0x4e00 <= r && r <= 0x9fff || '가' <= r && r <= '힣'
}

// endOfRun returns the position of the next CJK character, or byte that is not UTF-8,
// from i on, or the length of t.
func endOfRun(t []byte, i int) int {
	table := basic()
	for i < len(t) {
		if t[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, size := decode(table, t[i:])
		if c == cjk || size == 1 {
			break
		}
		i += size
	}
	return i
}

// addPiece adds the piece between two word boundaries of UAX #29 that begins at i, if
// it is a word, and returns its end.
func addPiece(b *Buffer, t []byte, i int) int {
	n, _, _ := words.SplitFunc(t[i:], true)
	if n <= 0 {
		n = 1
	}
	if holdsWord(t[i : i+n]) {
		b.Add(i, i+n)
	}
	return i + n
}

// holdsWord reports whether t holds a letter or a number.
func holdsWord(t []byte) bool {
	for i := 0; i < len(t); {
		if t[i] < utf8.RuneSelf {
			if p := wordBreak[t[i]]; p == aLetter || p == numeric {
				return true
			}
			i++
			continue
		}
		c, size := decode(basic(), t[i:])
		if c == letter || c == cjk {
			return true
		}
		i += size
	}
	return false
}
