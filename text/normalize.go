package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Form is a way to spell characters that Unicode can spell in several, as
// Unicode Standard Annex #15 defines them.
type Form uint8

const (
	AsIs Form = iota // as the text has them
	NFC              // composed: é is one character
	NFKC             // composed, and compatible characters are one: ﬁ is fi, １ is 1, ｶﾞ is ガ
)

func (f Form) String() string { return [...]string{"as-is", "nfc", "nfkc"}[f] }

// Accents says what becomes of accents.
type Accents uint8

const (
	KeepAccents  Accents = iota // é stays
	FoldAccents                 // é becomes e: characters are decomposed (NFKD) and combining marks dropped, as scikit-learn's strip_accents="unicode" does; Korean syllables fall apart into their letters, and が becomes か
	ASCIIAccents                // the same, and all that is not ASCII is dropped (strip_accents="ascii")
)

func (a Accents) String() string { return [...]string{"keep", "fold", "ascii"}[a] }

// rewrite brings b.text, a copy of s, into a normal form, drops the characters that keep
// does not report, and records where lengths change. A nil keep keeps all. It returns
// the new text.
func (b *Buffer) rewrite(s string, form norm.Form, keep func(rune) bool) string {
	b.beginStep()
	b.text = b.text[:0]
	var it norm.Iter
	it.InitString(form, s)
	for end := 0; !it.Done(); {
		// The form of s[start:end] is piece. Most pieces do not change.
		start := end
		piece := it.Next()
		end = it.Pos()
		if keep == nil && end-start == len(piece) && s[start:end] == string(piece) {
			b.text = append(b.text, piece...)
			b.align(len(b.text), end)
			continue
		}
		b.appendFiltered(piece, end, keep)
	}
	return string(b.text)
}

// appendFiltered appends the characters of piece that keep reports. The piece comes from
// what ends at byte end of the step's input: positions inside the piece map to that end.
func (b *Buffer) appendFiltered(piece []byte, end int, keep func(rune) bool) {
	for i := 0; i < len(piece); {
		r, size := utf8.DecodeRune(piece[i:])
		if keep == nil || keep(r) {
			b.text = append(b.text, piece[i:i+size]...)
			b.align(len(b.text), end)
		}
		i += size
	}
	b.align(len(b.text), end)
}

// normalize brings b.text, a copy of s, into a form.
func (b *Buffer) normalize(s string, f Form) string {
	form := norm.NFC
	if f == NFKC {
		form = norm.NFKC
	}
	if isASCII(s) || form.IsNormalString(s) {
		return s
	}
	return b.rewrite(s, form, nil)
}

// fold removes the accents from b.text, a copy of s.
func (b *Buffer) fold(s string, a Accents) {
	switch {
	case isASCII(s):
	case a == ASCIIAccents:
		b.rewrite(s, norm.NFKD, func(r rune) bool { return r < utf8.RuneSelf })
	default:
		b.rewrite(s, norm.NFKD, func(r rune) bool { return !combining(r) })
	}
}

// combining reports whether r has a combining class other than zero.
func combining(r rune) bool {
	if r < 0x300 || !unicode.Is(unicode.M, r) {
		return false
	}
	var p [utf8.UTFMax]byte
	return norm.NFD.Properties(p[:utf8.EncodeRune(p[:], r)]).CCC() != 0
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
