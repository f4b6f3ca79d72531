package japanese_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/internal/morph/morphtest"
	"bayes/text"
	"bayes/text/japanese"
)

func Example() {
	a := &text.Analyzer{Segmenter: japanese.Words{Base: true, Content: true}}
	for token := range a.Tokens("昨日、友達と寿司を食べました。") {
		fmt.Println(token.Term)
	}
	// Output:
	// 昨日
	// 友達
	// 寿司
	// 食べる
}

// Descriptions of analyzers name the words by this.
func ExampleLanguage() {
	a, err := text.Parse("ja:base", japanese.Language())
	if err != nil {
		fmt.Println(err)
		return
	}
	for token := range a.Tokens("寿司を食べました。") {
		fmt.Println(token.Term)
	}
	// Output:
	// 寿司
	// を
	// 食べる
	// ます
	// た
}

// Cut by hand, as school grammar and the IPA dictionary's parts of speech say.
func TestTerms(t *testing.T) {
	morphtest.Terms(t, japanese.Language(), [][3]string{
		{"ja", "寿司を食べました。", "寿司 を 食べ まし た"},
		{"ja:base", "寿司を食べました。", "寿司 を 食べる ます た"},
		{"ja:content", "寿司を食べました。", "寿司 食べ"},
		{"ja:base,content", "寿司を食べました。", "寿司 食べる"},
		{"ja", "すもももももももものうち", "すもも も もも も もも の うち"},
		{"ja:content", "すもももももももものうち", "すもも もも もも"}, // うち is a dependent noun
		{"ja", "この映画はとても面白かったです!", "この 映画 は とても 面白かっ た です"},
		{"ja:base,content", "この映画はとても面白かったです!", "映画 とても 面白い"},
		{"ja:base", "彼女は働いていなかった", "彼女 は 働く て いる ない た"},
		{"ja:base,content", "彼女は働いていなかった", "働く"}, // 彼女 is a pronoun, いる and ない serve 働く
		{"ja:base,content", "しかし、もう一度ゆっくり読み直したい", "もう一度 ゆっくり 読み直す"},
		{"ja", "NHKで2011年に", "nhk で 2011 年 に"},
		{"ja lowercase=false", "ＮＨＫとNHK", "ＮＨＫ と NHK"},
		{"ja form=nfkc", "ﾊﾟｿｺﾝを買った", "パソコン を 買っ た"},
		{"ja:base", "ツイートした", "ツイート する た"}, // ツイート is not in the dictionary
		{"ja:base,content ngrams=2", "東京へ行き、本を買った", "東京 行く|行く 本|本 買う"},
		{"ja", "東京\n都", "東京 都"}, // two lines
		{"ja", "、。!? 「」★\u3000♪", ""},
		{"ja", "", ""},
		{"ja", "\x00猫\xff\x00犬\xe3", "猫 犬"},
	})
}

func TestSpecs(t *testing.T) {
	morphtest.Specs(t, japanese.Language(), "ja", "ja:base", "ja:content", "ja:base,content", "ja:base ngrams=1-2")
}

// A base form stands where its word stands.
func TestSpans(t *testing.T) {
	const s = "ｹｰｷを食べました"
	want := map[string]string{"ケーキ": "ｹｰｷ", "を": "を", "食べる": "食べ", "ます": "まし", "た": "た"}
	morphtest.Spans(t, morphtest.Parse(t, japanese.Language(), "ja:base form=nfkc"), s, want)
}

// FuzzWords holds tokens to be pieces of the text in order, a text's words to be
// those of its lines, and the options to leave some words out or rewrite them.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"寿司を食べました。\nNHKで2011年に", "\xff\xfe\x00猫\u0301か\u3099", "ﾊﾟｿｺﾝ ＡＢＣ 𠮷野家", "abc \u2028 ー〜?"} {
		f.Add(s)
	}
	base := &text.Analyzer{KeepCase: true, Segmenter: japanese.Words{Base: true}}
	f.Fuzz(func(t *testing.T, s string) {
		words := morphtest.Words(t, s, japanese.Words{}, japanese.Words{Content: true})
		i := 0
		for token := range base.Tokens(s) {
			if i == len(words) || token.Start != words[i].Start || token.End != words[i].End || token.Term == "" {
				t.Fatalf("%q: base form %q stands elsewhere than the word", s, token.Term)
			}
			i++
		}
	})
}

// Long texts without a boundary are handled in linear time: a quadratic one
// would not end.
func TestLongTexts(t *testing.T) {
	morphtest.LongTexts(t, japanese.Words{Base: true}, map[string]string{
		"Han": strings.Repeat("映", 1<<18), "kana": strings.Repeat("スーパー", 1<<16), "plums": strings.Repeat("すもも", 1<<16), "mixed": strings.Repeat("a映", 1<<16),
	})
}

func TestAnalyzeDoesNotAllocate(t *testing.T) {
	morphtest.Allocations(t, morphtest.Parse(t, japanese.Language(), "ja:base,content"), strings.Repeat("この映画はとても面白かったです。デジタルオーディオプレーヤーが2011年に", 20))
}

func BenchmarkCorpus(b *testing.B) { morphtest.Benchmark(b, japanese.Language(), "livedoor") }
