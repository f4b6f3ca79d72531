package morph

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"bayes/internal/long"
	"bayes/internal/race"
	"bayes/internal/testdata"

	"github.com/ikawaha/kagome-dict-ko"
	"github.com/ikawaha/kagome-dict/dict"
	"github.com/ikawaha/kagome-dict/ipa"
	"github.com/ikawaha/kagome/v2/tokenizer"
)

// A language is a dictionary with our tokenizer and kagome's, the oracle. Ours
// makes kagome's candidates, also of words that it would leave whole.
type language struct {
	name, file string
	dictionary string
	ours       *Tokenizer
	kagome     *tokenizer.Tokenizer
	read       func(tokenizer.Token) (class, form string) // what the generator reads of a token
}

var languages = sync.OnceValue(func() []language {
	make := func(name, file, dictionary string, d *dict.Dict, read func(tokenizer.Token) (class, form string)) language {
		k, err := tokenizer.New(d, tokenizer.OmitBosEos())
		if err != nil {
			panic(err)
		}
		b, err := os.ReadFile("../../text/" + dictionary)
		if err != nil {
			panic(err)
		}
		l := language{name, file, string(b), Load(string(b)), k, read}
		for i := range l.ours.unknown {
			l.ours.unknown[i].shorter = true
		}
		return l
	}
	return []language{
		make("ja", "livedoor/test.csv", "japanese/ipadic.zst", ipa.Dict(), func(token tokenizer.Token) (class, form string) {
			if base := column(token, ipa.BaseForm); base != "*" && base != token.Surface {
				form = base
			}
			return column(token, 0) + "," + column(token, 1), form
		}),
		make("ko", "nsmc/test.csv", "korean/mecab-ko-dic.zst", ko.Dict(), func(token tokenizer.Token) (class, form string) {
			if column(token, int(ko.Type)) == "Inflect" {
				form = column(token, int(ko.Expression))
			}
			return column(token, 0), form
		}),
	}
})

// column returns what kagome's dictionary says of a token, or "*".
func column(token tokenizer.Token, i int) string {
	if s, ok := token.FeatureAt(i); ok {
		return s
	}
	return "*"
}

// cut returns the morphemes of s, each with its part of speech and its form.
func (l *language) cut(s string) (list []string) {
	l.ours.Each([]byte(s), func(m Morpheme) {
		form, _ := l.ours.Form(m)
		list = append(list, fmt.Sprintf("%d %s %s %s", m.Start, s[m.Start:m.End], l.ours.Class(m), form))
	})
	return list
}

// cutByKagome returns what kagome finds in the pieces of s.
func (l *language) cutByKagome(s string) (list []string) {
	for start, end := nextPiece([]byte(s), 0); start < end; start, end = nextPiece([]byte(s), end) {
		for _, token := range l.kagome.Tokenize(s[start:end]) {
			if holdsWord([]byte(token.Surface)) {
				class, form := l.read(token)
				list = append(list, fmt.Sprintf("%d %s %s %s", start+token.Position, token.Surface, class, form))
			}
		}
	}
	return list
}

func (l *language) compare(t *testing.T, s string) {
	t.Helper()
	if got, want := l.cut(s), l.cutByKagome(s); !slices.Equal(got, want) {
		t.Fatalf("%s: %q\n got %s\nwant %s", l.name, s, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// What is found is what kagome finds, on every tenth line of the corpora.
func TestAgreesWithKagome(t *testing.T) {
	stride := 10
	if long.Sample(t, "every tenth line, not every fiftieth") {
		stride = 50
	}
	for _, l := range languages() {
		for i, line := range strings.Split(string(testdata.Read(t, l.file)), "\n") {
			if i%stride == 0 {
				l.compare(t, line)
			}
		}
	}
}

// FuzzAgreesWithKagome holds the same for any text, and that morphemes are
// pieces of it in order.
func FuzzAgreesWithKagome(f *testing.F) {
	for _, s := range []string{
		"すもももももももものうち。", "어제 밥을 먹었다 ㅋㅋㅋ", "NHKで2011年\x00に\xffabc\uFFFDд\u0301", "ー〜★♪ ＡＢＣ １２３", "㍻𠮷野家か\u3099",
		"a.b,c!?\t\u2028x", "שלום мир Ελλάδα", "\u0301\u0301",
	} {
		f.Add(s)
	}
	both := languages() // kagome takes longer to load than an input may take
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range both {
			last := 0
			l.ours.Each([]byte(s), func(m Morpheme) {
				if m.Start < last || m.End <= m.Start || m.End > len(s) || !utf8.ValidString(s[m.Start:m.End]) {
					t.Fatalf("%s: %q: morpheme [%d,%d) after %d", l.name, s, m.Start, m.End, last)
				}
				last = m.End
			})
			if len(s) < maxUnknown {
				l.compare(t, s)
			}
		}
	})
}

// maxUnknown is how many characters an unknown word of kagome may have; here
// it ends with the piece.
const maxUnknown = 1024

// Where kagome cuts the last character off, words stay whole.
func TestUnknownWordsStayWhole(t *testing.T) {
	const s = "the iPhone 2011 мир"
	l := languages()[1]
	l.compare(t, s)
	want := len(strings.Fields(s))
	if n := len(l.cut(s)); n <= want {
		t.Fatalf("kagome's candidates make %d words of %q: it needs no exception any more", n, s)
	}
	n := 0
	Load(languages()[1].dictionary).Each([]byte(s), func(Morpheme) { n++ })
	if n != want {
		t.Errorf("%q is cut into %d words", s, n)
	}
}

// Pieces are what separators leave, short, and lose nothing.
func TestPieces(t *testing.T) {
	long := strings.Repeat("あ", 1000)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"separators", "\n\x00\xff\u2028", nil},
		{"lines", "a b\r\n\nc。d\xffe", []string{"a b", "c。d", "e"}},
		{"sentence", long + "。" + long, []string{long + "。", long}},
		{"space", long + " " + long, []string{long + " ", long}},
		{"sentence before space", long + "。あ " + long, []string{long + "。", "あ " + long}},
		{"any character", long + long, []string{strings.Repeat("あ", 1365), strings.Repeat("あ", 635)}},
		{"marks", "あ" + strings.Repeat("a", 4091) + "e\u0301b", []string{"あ" + strings.Repeat("a", 4091), "e\u0301b"}},
		{"marks only", strings.Repeat("\u0301", 2049), []string{strings.Repeat("\u0301", 2048), "\u0301"}},
	} {
		var got []string
		for start, end := nextPiece([]byte(tc.text), 0); start < end; start, end = nextPiece([]byte(tc.text), end) {
			got = append(got, tc.text[start:end])
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %.60q", tc.name, got)
		}
	}
}

// The quick test for letters and numbers is the plain one.
func TestHoldsWord(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := holdsWord([]byte(string(r))), (unicode.IsLetter(r) || unicode.IsNumber(r)); got != want {
			t.Errorf("%U: %v", r, got)
		}
	}
}

func TestEachDoesNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector makes pools forget")
	}
	text := []byte("어제 밥을 먹었다. この映画はとても面白かったです。NHK 2011\n")
	for _, l := range languages() {
		n := 0
		count := func() { l.ours.Each(text, func(Morpheme) { n++ }) }
		count()
		if allocs := testing.AllocsPerRun(100, count); allocs >= 1 {
			t.Errorf("%s: %v allocations", l.name, allocs)
		}
	}
}

func BenchmarkEach(b *testing.B) {
	for _, l := range languages() {
		lines := strings.Split(string(testdata.Read(b, l.file)), "\n")
		lines = lines[:min(len(lines), 2000)]
		size := 0
		for _, line := range lines {
			size += len(line)
		}
		b.Run("data="+l.name+"/by=bayes", func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, line := range lines {
					l.ours.Each([]byte(line), func(Morpheme) {})
				}
			}
		})
		b.Run("data="+l.name+"/by=kagome", func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, line := range lines {
					l.kagome.Tokenize(line)
				}
			}
		})
	}
}
