package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func lowered(s string) string { return string(lowerBuffer(s).text) }

func lowerBuffer(s string) *Buffer {
	b := new(Buffer)
	b.reset(s)
	b.lower(s)
	b.size = len(b.text)
	return b
}

// Python's str.lower, case by case.
func TestLower(t *testing.T) {
	for in, want := range map[string]string{
		"ΑΣ": "ας", "ΑΣΑ": "ασα", "Σ": "σ", "ΑΣ.": "ας.", "ΑΣ'Α": "ασ'α", "Α\u0301Σ": "α\u0301ς", "ΣΣ": "σς",
		"ʰΣ": "ʰσ", "aʰΣ": "aʰς", "ΑΣʰ": "αςʰ", // ʰ has case, but is ignored first
		"İstanbul": "i̇stanbul", "KELVIN \u212a": "kelvin k", "Ⱥb": "ⱥb", "ÀÉ": "àé", "ǅ": "ǆ", "ẞ": "ß",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`@{": "abcdefghijklmnopqrstuvwxyz[\\]^_`@{",
		"\xffA\xc3":                           "\xffa\xc3", "\x82\x84A": "\x82\x84a", "\xc1\x81": "\xc1\x81",
		"가A나": "가a나", "Ꙁ": "ꙁ", "𐐀": "𐐨",
	} {
		if got := lowered(in); got != want {
			t.Errorf("lower(%q) = %q, want %q", in, got, want)
		}
	}
}

// lower(c) is Unicode's simple mapping for each character but İ, among others,
// in a word of ASCII, and before one whose length changes.
func TestLowerOfEachCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r > 0x40000 && r < 0xe0000 { // there are no characters, so some say what all do
			r += 100
		}
		if !utf8.ValidRune(r) || r == 'İ' {
			continue
		}
		in, want := string(r), string(unicode.ToLower(r))
		for _, around := range []string{"", "X", "Ⱥ"} {
			if got := lowered(in + around); got != want+strings.ToLower(around) {
				t.Fatalf("lower(%+q) = %+q, want %+q", in+around, got, want+strings.ToLower(around))
			}
		}
	}
}

// The characters beside those of the categories Mn, Me, Cf, Lm and Sk that a
// final sigma looks past (Word_Break = MidLetter, MidNumLet, Single_Quote),
// as Python 3.11 has them.
func TestCaseIgnorable(t *testing.T) {
	want := []rune{'\'', '.', ':', 0xb7, 0x387, 0x55f, 0x5f4, 0x2018, 0x2019, 0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a}
	var got []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if caseIgnorable(r) && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) {
			got = append(got, r)
			if s := lowered("Α" + string(r) + "Σ"); !strings.HasSuffix(s, "ς") {
				t.Errorf("U+%04X: %q", r, s)
			}
			if s := lowered("ΑΣ" + string(r) + "Α"); !strings.HasPrefix(s, "ασ") {
				t.Errorf("U+%04X: %q", r, s)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %U\nwant %U", got, want)
	}
}

// plainLower is the law of lower-casing, a character at a time.
func plainLower(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out.WriteByte(s[i])
		case r == 'İ':
			out.WriteString("i\u0307")
		case r == 'Σ' && finalSigma(s, i):
			out.WriteRune('ς')
		default:
			out.WriteRune(unicode.ToLower(r))
		}
		i += size
	}
	return out.String()
}

// FuzzLower holds the fast paths equal to the plain law, and positions in the
// original to rise and to stand between its characters.
func FuzzLower(f *testing.F) {
	for _, s := range []string{"ABCDEFGH ÀÉ", "xİ y", "KELVIN\u212aȺⱭ ΟΔΟΣ", "\x82\x84\xc3A\xff", "ВЧЕРА МЫ", "映画A가Ꙁ𐐀", "\xe0\x80\x80\xe0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := lowered(s), plainLower(s); got != want {
			t.Fatalf("lower(%q) = %q, want %q", s, got, want)
		}
		b := lowerBuffer(s)
		last, valid := 0, utf8.ValidString(s)
		for pos := range b.size + 1 {
			if pos < b.size && !utf8.RuneStart(b.text[pos]) {
				continue // inside a character
			}
			at := b.original(pos)
			switch {
			case at < last || at > len(s) || pos == b.size && at != len(s):
				t.Fatalf("%q: position %d is %d, after %d of %d", s, pos, at, last, len(s))
			case valid && at < len(s) && !utf8.RuneStart(s[at]):
				t.Fatalf("%q: position %d is %d, inside a character", s, pos, at)
			}
			last = at
		}
	})
}
