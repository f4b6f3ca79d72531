package text

import (
	"testing"
	"unicode"
)

// The table of the basic plane says what classOf says of the planes beyond, and both what
// Unicode does.
func TestClasses(t *testing.T) {
	table := basic()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := other
		switch {
		case isCJK(r):
			want = cjk
		case unicode.IsLetter(r), unicode.IsNumber(r):
			want = letter
		case unicode.IsMark(r):
			want = mark
		case unicode.IsSpace(r):
			want = space
		}
		if got := classOf(table, r); got != want {
			t.Errorf("%U: class %d, want %d", r, got, want)
		}
	}
	for r, want := range map[rune]bool{
		'A': false, 'α': false, 'ᄀ': true, '々': true, 'ぁ': true, 'ー': true, '・': false, '゙': false, '゛': false,
		'ｰ': true, 'ﾞ': true, '中': true, '한': true, '。': false, '\U00020000': true, '\U0001F600': false,
	} {
		if isCJK(r) != want {
			t.Errorf("isCJK(%U) is %v", r, !want)
		}
	}
}
