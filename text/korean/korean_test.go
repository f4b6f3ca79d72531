package korean_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bayes/internal/race"
	"bayes/internal/testdata"
	"bayes/text"
	"bayes/text/korean"
)

func Example() {
	a := &text.Analyzer{Segmenter: korean.Words{Base: true, Content: true}}
	for token := range a.Tokens("어제 친구와 밥을 먹었다. 정말 고마웠어요!") {
		fmt.Println(token.Term)
	}
	// Output:
	// 어제
	// 친구
	// 밥
	// 먹
	// 정말
	// 고맙
}

func mustParse(t testing.TB, spec string) *text.Analyzer {
	t.Helper()
	a, err := text.Parse(spec, korean.Language())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func terms(a *text.Analyzer, s string) []string {
	list := []string{}
	for t := range a.Tokens(s) {
		list = append(list, t.Term)
	}
	return list
}

// Cut by hand, as the tags of the Sejong corpus say.
func TestTerms(t *testing.T) {
	for _, tc := range []struct{ spec, text, want string }{
		{"ko", "밥을 먹었다.", "밥 을 먹 었 다"},
		{"ko:base", "밥을 먹었다.", "밥 을 먹 었 다"},
		{"ko:content", "밥을 먹었다.", "밥 먹"},
		{"ko:base,content", "밥을 먹었다.", "밥 먹"},
		{"ko", "공원에 갔다", "공원 에 갔 다"},
		{"ko:base", "공원에 갔다", "공원 에 가 았 다"},
		{"ko:content", "공원에 갔다", "공원 갔"},
		{"ko:base,content", "공원에 갔다", "공원 가"},
		{"ko:base", "고마웠어요", "고맙 었 어요"},
		{"ko:base,content", "정말 아름다운 무궁화", "정말 아름답 무궁화"},
		{"ko:base,content", "이게 뭔데", ""}, // pronouns, particles, the copula
		{"ko:base", "이게 뭐야", "이것 이 뭐 이 야"},
		{"ko:content", "재미없는 영화였어요 ㅋㅋㅋ", "재미없 영화"},
		{"ko", "SK텔레콤 2011년", "sk 텔레콤 2011 년"},
		{"ko:content", "2011년 學校 iPhone", "2011 學校 iphone"}, // 년 is a unit
		{"ko:base,content ngrams=2", "밥을 먹고 학교에 갔다", "밥 먹|먹 학교|학교 가"},
		{"ko form=nfc", "\u1107\u1161\u11b8을", "밥 을"},
		{"ko", "밥\n을", "밥 을"},
		{"ko", "... !? ^^ ♥", ""},
		{"ko", "", ""},
		{"ko", "\x00밥\xff\x00집\xea", "밥 집"},
	} {
		want := strings.Fields(tc.want)
		if strings.Contains(tc.want, "|") {
			want = strings.Split(tc.want, "|")
		}
		if got := terms(mustParse(t, tc.spec), tc.text); !slices.Equal(got, want) {
			t.Errorf("%s: %q\n got %q\nwant %q", tc.spec, tc.text, got, want)
		}
	}
}

func TestSpecs(t *testing.T) {
	for _, spec := range []string{"ko", "ko:base", "ko:content", "ko:base,content", "ko:content ngrams=1-2"} {
		if got := mustParse(t, spec).String(); got != spec {
			t.Errorf("%q is spelled %q", spec, got)
		}
	}
}

// The parts of a contracted word stand where it stands.
func TestSpans(t *testing.T) {
	const s = "공원에 갔다"
	want := map[string]string{"공원": "공원", "에": "에", "가": "갔", "았": "갔", "다": "다"}
	for token := range mustParse(t, "ko:base").Tokens(s) {
		if got := s[token.Start:token.End]; got != want[token.Term] {
			t.Errorf("%s stands at %q, want %q", token.Term, got, want[token.Term])
		}
	}
}

// FuzzWords holds tokens to be pieces of the text in order, a text's words to be
// those of its lines, and the options to leave some words out or take them apart.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"어제 밥을 먹었다.\n공원에 갔다 ㅋㅋ", "\xff\xfe\x00밥\u0301", "SK텔레콤 學校 할 수 있다", "\u1107\u1161\u11b8 \u2028 1.5"} {
		f.Add(s)
	}
	plain, base := &text.Analyzer{KeepCase: true, Segmenter: korean.Words{}}, &text.Analyzer{KeepCase: true, Segmenter: korean.Words{Base: true}}
	content := &text.Analyzer{KeepCase: true, Segmenter: korean.Words{Content: true}}
	f.Fuzz(func(t *testing.T, s string) {
		words := slices.Collect(plain.Tokens(s))
		last := 0
		for _, w := range words {
			if w.Start < last || w.End <= w.Start || s[w.Start:w.End] != w.Term {
				t.Fatalf("%q: %q at [%d,%d) after %d", s, w.Term, w.Start, w.End, last)
			}
			last = w.End
		}
		var lines []string
		for line := range strings.Lines(s) {
			lines = append(lines, terms(plain, line)...)
		}
		if got := terms(plain, s); !slices.Equal(got, lines) {
			t.Fatalf("%q\n got %q\nby lines %q", s, got, lines)
		}
		i := 0 // the word that parts are of
		for token := range base.Tokens(s) {
			if i < len(words) && token.Start > words[i].Start {
				i++
			}
			if i == len(words) || token.Start != words[i].Start || token.End != words[i].End || token.Term == "" {
				t.Fatalf("%q: part %q stands elsewhere than the word", s, token.Term)
			}
		}
		for token := range content.Tokens(s) {
			if !slices.Contains(words, token) {
				t.Fatalf("%q: content word %q is no word", s, token.Term)
			}
		}
	})
}

// Long texts without a boundary are handled in linear time: a quadratic one
// would not end.
func TestLongTexts(t *testing.T) {
	for name, s := range map[string]string{
		"no space": strings.Repeat("a", 10<<20), "marks": "a" + strings.Repeat("\u0301", 1<<20), "NUL": strings.Repeat("\x00", 10<<20),
		"Hangul": strings.Repeat("밥", 1<<20), "laughter": strings.Repeat("ㅋ", 1<<20), "right to left": strings.Repeat("שלום ", 1<<17),
		"unknown": strings.Repeat("뷁", 1<<19), "digits": strings.Repeat("1", 1<<20), "broken": strings.Repeat("\xff", 1<<20), "mixed": strings.Repeat("a밥", 1<<18),
	} {
		var b text.Buffer
		(&text.Analyzer{Segmenter: korean.Words{}}).Analyze(&b, s)
		covered := 0
		for i := range b.Len() {
			start, end := b.Span(i)
			covered += end - start
		}
		if broken := name == "NUL" || name == "broken"; broken != (covered == 0) || covered > len(s) {
			t.Errorf("%s: %d of %d bytes are in tokens", name, covered, len(s))
		}
	}
}

func TestAnalyzeDoesNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector makes pools forget")
	}
	a := mustParse(t, "ko:base,content")
	var b text.Buffer
	s := strings.Repeat("어제 친구와 밥을 먹었다. 정말 고마웠어요! SK텔레콤 ", 20)
	a.Analyze(&b, s)
	if n := testing.AllocsPerRun(100, func() { a.Analyze(&b, s) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkCorpus measures nsmc, a line for a document.
func BenchmarkCorpus(b *testing.B) {
	lines := strings.Split(string(testdata.Read(b, "nsmc/test.csv")), "\n")
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	for _, s := range korean.Language().Segmenters {
		b.Run("data=nsmc/analyzer="+s.String(), func(b *testing.B) {
			a := &text.Analyzer{Segmenter: s}
			var buf text.Buffer
			for _, line := range lines {
				a.Analyze(&buf, line) // load and warm
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, line := range lines {
					a.Analyze(&buf, line)
				}
			}
		})
	}
}
