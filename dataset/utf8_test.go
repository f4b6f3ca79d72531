package dataset_test

import (
	"testing"
	"unicode/utf8"

	fastutf8 "github.com/segmentio/asm/utf8"
)

// The library that looks at 32 bytes at a time agrees with the standard one on all that
// four bytes at the edges of UTF-8's forms can be, wherever these stand.
func TestFastUTF8(t *testing.T) {
	edges := []byte("\x00a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xee\xef\xf0\xf1\xf4\xf5\xff")
	text := []byte("한국어 text, 日本語 and more of it, Straße, ж, 😀 and so on; 가나다라마바사아자차카타파하")
	for i := range len(edges) * len(edges) * len(edges) * len(edges) {
		b := append([]byte(nil), text...)
		at := i % (len(b) - 3)
		for !utf8.RuneStart(b[at]) {
			at--
		}
		for j := range 4 {
			b[at+j] = edges[i%len(edges)]
			i /= len(edges)
		}
		for _, part := range [][]byte{b, b[:at+4], b[at:], b[:min(len(b), at+33)]} {
			if fastutf8.Valid(part) != utf8.Valid(part) {
				t.Fatalf("%x: %v", part, fastutf8.Valid(part))
			}
		}
	}
}
