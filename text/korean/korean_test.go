package korean_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/internal/morph/morphtest"
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

// Descriptions of analyzers name the words by this.
func ExampleLanguage() {
	a, err := text.Parse("ko:base", korean.Language())
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens("밥을 먹었다.") {
		fmt.Println(token.Term)
	}
	// Output:
	// 밥
	// 을
	// 먹
	// 었
	// 다
}

// Cut by hand, as the tags of the Sejong corpus say.
func TestTerms(t *testing.T) {
	morphtest.Terms(t, korean.Language(), [][3]string{
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
	})
}

func TestSpecs(t *testing.T) {
	morphtest.Specs(t, korean.Language(), "ko", "ko:base", "ko:content", "ko:base,content", "ko:content ngrams=1-2")
}

// The parts of a contracted word stand where it stands.
func TestSpans(t *testing.T) {
	const s = "공원에 갔다"
	want := map[string]string{"공원": "공원", "에": "에", "가": "갔", "았": "갔", "다": "다"}
	morphtest.Spans(t, morphtest.Parse(t, korean.Language(), "ko:base"), s, want)
}

// FuzzWords holds tokens to be pieces of the text in order, a text's words to be
// those of its lines, and the options to leave some words out or take them apart.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"어제 밥을 먹었다.\n공원에 갔다 ㅋㅋ", "\xff\xfe\x00밥\u0301", "SK텔레콤 學校 할 수 있다", "\u1107\u1161\u11b8 \u2028 1.5"} {
		f.Add(s)
	}
	base := &text.Analyzer{KeepCase: true, Segmenter: korean.Words{Base: true}}
	f.Fuzz(func(t *testing.T, s string) {
		words := morphtest.Words(t, s, korean.Words{}, korean.Words{Content: true})
		i := 0 // the word that parts are of
		for token := range base.Tokens(s) {
			if i < len(words) && token.Start > words[i].Start {
				i++
			}
			if i == len(words) || token.Start != words[i].Start || token.End != words[i].End || token.Term == "" {
				t.Fatalf("%q: part %q stands elsewhere than the word", s, token.Term)
			}
		}
	})
}

// Long texts without a boundary are handled in linear time: a quadratic one
// would not end.
func TestLongTexts(t *testing.T) {
	morphtest.LongTexts(t, korean.Words{}, map[string]string{
		"Hangul": strings.Repeat("밥", 1<<18), "laughter": strings.Repeat("ㅋ", 1<<18), "unknown": strings.Repeat("뷁", 1<<17), "mixed": strings.Repeat("a밥", 1<<16),
	})
}

func TestAnalyzeDoesNotAllocate(t *testing.T) {
	morphtest.Allocations(t, morphtest.Parse(t, korean.Language(), "ko:base,content"), strings.Repeat("어제 친구와 밥을 먹었다. 정말 고마웠어요! SK텔레콤 ", 20))
}

func BenchmarkCorpus(b *testing.B) { morphtest.Benchmark(b, korean.Language(), "nsmc") }
