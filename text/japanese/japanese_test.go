package japanese_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bayes/internal/race"
	"bayes/internal/testdata"
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

func mustParse(t testing.TB, spec string) *text.Analyzer {
	t.Helper()
	a, err := text.Parse(spec, japanese.Language())
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

// Cut by hand, as school grammar and the IPA dictionary's parts of speech say.
func TestTerms(t *testing.T) {
	for _, tc := range []struct{ spec, text, want string }{
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
	for _, spec := range []string{"ja", "ja:base", "ja:content", "ja:base,content", "ja:base ngrams=1-2"} {
		if got := mustParse(t, spec).String(); got != spec {
			t.Errorf("%q is spelled %q", spec, got)
		}
	}
}

// A base form stands where its word stands.
func TestSpans(t *testing.T) {
	const s = "ｹｰｷを食べました"
	want := map[string]string{"ケーキ": "ｹｰｷ", "を": "を", "食べる": "食べ", "ます": "まし", "た": "た"}
	for token := range mustParse(t, "ja:base form=nfkc").Tokens(s) {
		if got := s[token.Start:token.End]; got != want[token.Term] {
			t.Errorf("%s stands at %q, want %q", token.Term, got, want[token.Term])
		}
	}
}

// FuzzWords holds tokens to be pieces of the text in order, a text's words to be
// those of its lines, and the options to leave some words out or rewrite them.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"寿司を食べました。\nNHKで2011年に", "\xff\xfe\x00猫\u0301か\u3099", "ﾊﾟｿｺﾝ ＡＢＣ 𠮷野家", "abc \u2028 ー〜?"} {
		f.Add(s)
	}
	plain, base := &text.Analyzer{KeepCase: true, Segmenter: japanese.Words{}}, &text.Analyzer{KeepCase: true, Segmenter: japanese.Words{Base: true}}
	content := &text.Analyzer{KeepCase: true, Segmenter: japanese.Words{Content: true}}
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
		i := 0
		for token := range base.Tokens(s) {
			if i == len(words) || token.Start != words[i].Start || token.End != words[i].End || token.Term == "" {
				t.Fatalf("%q: base form %q stands elsewhere than the word", s, token.Term)
			}
			i++
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
		"Han": strings.Repeat("映", 1<<20), "kana": strings.Repeat("スーパー", 1<<18), "right to left": strings.Repeat("שלום ", 1<<17),
		"plums": strings.Repeat("すもも", 1<<18), "digits": strings.Repeat("1", 1<<20), "broken": strings.Repeat("\xff", 1<<20), "mixed": strings.Repeat("a映", 1<<18),
	} {
		var b text.Buffer
		(&text.Analyzer{Segmenter: japanese.Words{Base: true}}).Analyze(&b, s)
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
	a := mustParse(t, "ja:base,content")
	var b text.Buffer
	s := strings.Repeat("この映画はとても面白かったです。デジタルオーディオプレーヤーが2011年に", 20)
	a.Analyze(&b, s)
	if n := testing.AllocsPerRun(100, func() { a.Analyze(&b, s) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkCorpus measures a part of livedoor, a line for a document.
func BenchmarkCorpus(b *testing.B) {
	lines := strings.Split(string(testdata.Read(b, "livedoor/test.csv")), "\n")
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	for _, s := range japanese.Language().Segmenters {
		b.Run("data=livedoor/analyzer="+s.String(), func(b *testing.B) {
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
