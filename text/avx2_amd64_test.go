package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// withAVX2 calls f with AVX2 as on says.
func withAVX2(on bool, f func()) {
	defer func(was bool) { useAVX2 = was }(useAVX2)
	useAVX2 = on
	f()
}

// needAVX2 skips the test if the processor has no AVX2.
func needAVX2(t testing.TB) {
	if !useAVX2 {
		t.Skip("this processor has no AVX2")
	}
}

// marked returns a Buffer that holds s in lower case and its masks. Capital letters
// lie behind the text.
func marked(s string, avx2 bool) *Buffer {
	b := &Buffer{text: bytes.Repeat([]byte{'X'}, len(s)+2*padding)}
	withAVX2(avx2, func() {
		b.reset(s)
		b.lower(s)
		b.size = len(b.text)
		b.markWords()
	})
	return b
}

// checkAVX2 holds what AVX2 does to s equal to what Go does, and neither writes behind the text.
// Where the text has become shorter than s, what is left of s behind it is of no account.
func checkAVX2(t *testing.T, s string) {
	t.Helper()
	got, want := marked(s, true), marked(s, false)
	all, behind := cap(got.text), max(len(s), len(want.text))
	if !bytes.Equal(got.text, want.text) || !bytes.Equal(got.text[behind:all], want.text[behind:all]) {
		t.Fatalf("lower(%q)\n got %q\nwant %q", s, got.text[:all], want.text[:all])
	}
	if !slices.Equal(got.words, want.words) {
		t.Fatalf("masks of %q\n got %x\nwant %x", s, got.words, want.words)
	}
}

// Each byte stands at each place of texts of all lengths up to 200, and so does the
// end of a run of ASCII.
func TestAVX2(t *testing.T) {
	needAVX2(t)
	every := make([]byte, 512)
	for i := range every {
		every[i] = byte(i)
	}
	for n := range 201 {
		for first := range 256 {
			checkAVX2(t, string(every[first:][:n]))
		}
		for i := range n {
			for _, c := range []string{"é", "\xff", "'", ".", "가", "힣", "Ꙁ", "ꭰ", "ー", "Ａ"} {
				checkAVX2(t, strings.Repeat("A", i)+c+strings.Repeat("Z", n-i))
			}
		}
	}
}

// FuzzAVX2 holds AVX2 and Go equal for any text.
func FuzzAVX2(f *testing.F) {
	needAVX2(f)
	for _, s := range []string{
		"Don't e-mail A.B.C. 3.14 1,000 x_y; it COSTS too much, or so the Fox says to the lazy dog: none.",
		"J'ai MANGÉ du kangourou ce midi, c'était pas très bon à l'École, MAIS IL N'Y AVAIT RIEN D'AUTRE.",
		"일단 저희 Call 해요 ~~ 각본, 촬영 연출 모든게 유기적인 최고의 조합!!! ㅋㅋㅋ 힣힤ꯀꭰ걍 A",
		"映画館でABCを観た、とても面白かったＡＢＣ。ｱｲｳ ꙀꙁꞀ ﬁ \xea\xb0 \xed\xa0\x80X \xe3A\xeaB\xed",
		"00000000000000000000Ʞ00000000A",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ İ ABCDEFGHIJKLMNOPQRSTUVWXYZ ΟΔΟΣ ABCDEFGHIJKLMNOPQRSTUVWXYZ\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(checkAVX2)
}

// BenchmarkAVX2 measures what the instructions replace.
func BenchmarkAVX2(b *testing.B) {
	needAVX2(b)
	for _, data := range []struct{ name, line string }{
		{"english", "The quick brown Fox doesn't jump over the lazy dog; it costs $3.14, or so. "},
		{"korean", "일단 저희 와요 ~~ 각본, 촬영 연출 모든게 유기적인 최고의 조합!!! "},
		{"french", "J'ai mangé du kangourou ce midi, c'était pas très bon à l'École. "},
	} {
		for _, size := range []int{20, 75, 2000} {
			s := strings.Repeat(data.line, size/len(data.line)+1)[:size]
			for _, avx2 := range []bool{false, true} {
				name := fmt.Sprintf("data=%s/size=%d/avx2=%v", data.name, size, avx2)
				buf := marked(s, avx2)
				b.Run("step=lower/"+name, func(b *testing.B) {
					withAVX2(avx2, func() {
						for b.Loop() {
							buf.lower(s)
						}
					})
				})
				b.Run("step=mark/"+name, func(b *testing.B) {
					withAVX2(avx2, func() {
						for b.Loop() {
							buf.markWords()
						}
					})
				})
			}
		}
	}
}
