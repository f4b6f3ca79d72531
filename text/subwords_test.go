package text

import (
	"slices"
	"strings"
	"testing"
)

// What is too long for a word has no subwords.
func TestLongWordsHaveNoSubwords(t *testing.T) {
	for length, want := range map[int]int{maxWord: 1 + maxWord, maxWord + 1: 1} { // with 3, each letter begins, ends or is in the middle of one
		if got := terms(mustParse(t, "whitespace subwords=3"), strings.Repeat("x", length)); len(got) != want {
			t.Errorf("%d letters have %d terms, want %d", length, len(got), want)
		}
	}
}

// The subwords of words between white space are what CharWords, and scikit-learn's
// char_wb, cut them into, except whole words.
func TestSubwordsAreCharWords(t *testing.T) {
	for _, s := range []string{
		"", "a", "ab", "the cat\tsat, on 1,000 mats…", " 정말\u3000재미있는 영화 ", "ÉCOLE naïve", "a\xffb \xc3", "👨‍👩‍👧 e\u0301\u0301",
	} {
		for _, lengths := range []string{"1", "2", "2-3", "3-5", "16", "1-16"} {
			var want []string
			for _, term := range terms(mustParse(t, "char-words="+lengths), s) {
				tail, begins := strings.CutPrefix(term, " ")
				piece, ends := strings.CutSuffix(tail, " ")
				if piece == "" || begins && ends {
					continue
				}
				if !begins {
					piece = "*" + piece
				}
				if !ends {
					piece += "*"
				}
				want = append(want, piece)
			}
			var got []string
			for _, term := range terms(mustParse(t, "whitespace subwords="+lengths), s) {
				if IsSubword([]byte(term)) {
					got = append(got, term)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("subwords of %s of %q:\n got %q\nwant %q", lengths, s, got, want)
			}
		}
	}
}
