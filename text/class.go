package text

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// A class says what kind of character one is, as far as the segmenters need it.
type class uint8

const (
	other  class = iota
	letter       // or number: the general categories L and N
	mark         // the general category M
	cjk          // Han, Hiragana, Katakana or Hangul
	space        // the property White_Space
)

// basic returns the classes of the basic multilingual plane. The table is built when
// it is first asked for, so that programs that read only ASCII do not pay for it.
var basic = sync.OnceValue(func() *[1 << 16]class {
	t := new([1 << 16]class)
	for _, rule := range []struct {
		c      class
		tables []*unicode.RangeTable
	}{
		{letter, []*unicode.RangeTable{unicode.L, unicode.N}},
		{mark, []*unicode.RangeTable{unicode.M}},
		{space, []*unicode.RangeTable{unicode.White_Space}},
	} {
		for _, table := range rule.tables {
			for _, r := range table.R16 {
				for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
					t[c] = rule.c
				}
			}
		}
	}
	// Marks and white space of these scripts keep their classes.
	for _, table := range cjkScripts {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				if t[c] == letter {
					t[c] = cjk
				}
			}
		}
	}
	return t
})

// cjkScripts are written without spaces. The last table is of marks of length and voice,
// letters that the scripts share.
var cjkScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, {
	R16: []unicode.Range16{{Lo: 'ー', Hi: 'ー', Stride: 1}, {Lo: 'ｰ', Hi: 'ｰ', Stride: 1}, {Lo: 'ﾞ', Hi: 'ﾟ', Stride: 1}},
}}

// isCJK reports whether r is a letter or a number of cjkScripts. Marks of those scripts
// are marks.
func isCJK(r rune) bool {
	return r >= 0x1100 && unicode.In(r, cjkScripts...) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// classOf returns the class of r.
func classOf(table *[1 << 16]class, r rune) class {
	switch {
	case r < 1<<16:
		return table[r]
	case isCJK(r):
		return cjk
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return letter
	case unicode.IsMark(r):
		return mark
	}
	return other
}

// decode returns the class and the size of the first character of t. A byte that is
// not UTF-8 is a character of its own, of class other. Characters of three and of two
// bytes are decoded here, since most text that is not ASCII consists of them.
func decode(table *[1 << 16]class, t []byte) (class, int) {
	if len(t) >= 3 && t[0]&0xf0 == 0xe0 && t[1]&0xc0 == 0x80 && t[2]&0xc0 == 0x80 {
		r := rune(t[0]&0x0f)<<12 | rune(t[1]&0x3f)<<6 | rune(t[2]&0x3f)
		if r >= 0x800 && (r < 0xd800 || r > 0xdfff) {
			return table[r], 3
		}
	}
	if len(t) >= 2 && 0xc2 <= t[0] && t[0] < 0xe0 && t[1]&0xc0 == 0x80 {
		return table[rune(t[0]&0x1f)<<6|rune(t[1]&0x3f)], 2
	}
	r, size := utf8.DecodeRune(t)
	if r == utf8.RuneError && size == 1 {
		return other, 1
	}
	return classOf(table, r), size
}
