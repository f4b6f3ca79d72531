package text

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

func terms(a *Analyzer, s string) []string {
	list := []string{}
	for t := range a.Tokens(s) {
		list = append(list, t.Term)
	}
	return list
}

func mustParse(t testing.TB, spec string) *Analyzer {
	t.Helper()
	a, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTerms(t *testing.T) {
	for _, tc := range []struct{ spec, text, want string }{
		{"default", "I am happy to see this movie !", "i am happy to see this movie"},
		{"default", "don't e-mail A.B.C. 3.14 1,000 x_y __ a:b 5:6 a.5", "don't e mail a.b.c 3.14 1,000 x_y a:b 5 6 a 5"},
		{"default", "정말 재미있는 영화", "정말 재미 미있 있는 영화"},
		{"default", "この りんご は おいしい りんご", "この りん んご は おい いし しい りん んご"},
		{"default", "iPhone5を買った", "iphone5 を買 買っ った"},
		{"default", "スーパーマン、映画!", "スー ーパ パー ーマ マン 映画"},
		{"default", "か\u3099き が", "か\u3099き が"},
		{"default", "ÉCOLE naïve l'école Straße ΟΔΟΣ", "école naïve l'école straße οδος"},
		{"default", "مرحبا بالعالم", "مرحبا بالعالم"},
		{"default", "अपनी मां", "अपनी मां"},
		{"default", "\xff\xfeabc\x80déf\xc3", "abc déf"},
		{"default", "👍 ok 👨‍👩‍👧", "ok"},
		{"default", "", ""},
		{"default ngrams=1-2", "I am  not happy", "i am not happy|i am|am not|not happy"},
		{"default ngrams=2", "not happy", "|not happy"},
		{"default ngrams=2-3", "not happy", "|not happy"},
		{"default ngrams=2", "happy", ""},
		{"sklearn", "I am not happy, a_b x2 é à la", "am not happy a_b x2 la"},
		{"sklearn", "映画 x ½½ 정", "映画 ½½"},
		{"sklearn lowercase=false", "Free ENTRY", "Free ENTRY"},
		{"default ngrams=1-2", "I am not happy to see this movie !",
			"i am not happy to see this movie|i am|am not|not happy|happy to|to see|see this|this movie"},
		{"char-words=3 ngrams=2", "a b  c", "| a   b | b   c "}, // the same join, however many spaces stood there
		{"whitespace", " a,b\tc\u3000d\u00a0e\n", "a,b c d e"},
	} {
		words, ngrams, _ := strings.Cut(tc.want, "|") // words with spaces between, n-grams with bars
		want := strings.Fields(words)
		if ngrams != "" {
			want = append(want, strings.Split(ngrams, "|")...)
		}
		if got := terms(mustParse(t, tc.spec), tc.text); !slices.Equal(got, want) {
			t.Errorf("%s: %q\n got %q\nwant %q", tc.spec, tc.text, got, want)
		}
	}
}

// Spans point into the original text, though lower-casing changes lengths.
func TestSpans(t *testing.T) {
	for _, tc := range []struct{ spec, text, term, original string }{
		{"sklearn", "xİ y", "xi", "xİ"}, // the mark of the İ is no \w
		{"chars=1", "aİb", "i", "İ"},
		{"default", "ȺȾ x", "x", "x"},
	} {
		for token := range mustParse(t, tc.spec).Tokens(tc.text) {
			if got := tc.text[token.Start:token.End]; token.Term == tc.term && got != tc.original {
				t.Errorf("%s: %q stands at %q, want %q", tc.spec, token.Term, got, tc.original)
			}
		}
	}
	const s = "İ KELVIN\u212a ȺB not  happy Ⱥ"
	for token := range mustParse(t, "default ngrams=1-2").Tokens(s) {
		original := s[token.Start:token.End]
		if got := strings.Join(strings.Fields(lowered(original)), " "); got != token.Term {
			t.Errorf("%q stands at %q", token.Term, original)
		}
	}
}

// CountVectorizer's own vocabulary and counts.
func TestVectorizers(t *testing.T) {
	b, err := os.ReadFile("testdata/vectorizers.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Params struct {
			Lowercase    *bool
			NGramRange   *[2]int `json:"ngram_range"`
			TokenPattern string  `json:"token_pattern"`
			Binary       bool
			Analyzer     string
			StopWords    []string `json:"stop_words"`
			StripAccents string   `json:"strip_accents"`
		}
		Docs       []string
		Vocabulary []string
		Rows       []map[string]float64
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, tc := range cases {
		a := &Analyzer{Segmenter: SKLearn{}, KeepCase: tc.Params.Lowercase != nil && !*tc.Params.Lowercase}
		if tc.Params.TokenPattern == `\S+` {
			a.Segmenter = Whitespace{}
		}
		if tc.Params.NGramRange != nil {
			a.NGrams = *tc.Params.NGramRange
		}
		switch tc.Params.Analyzer {
		case "char":
			a.Segmenter, a.NGrams = Chars{a.NGrams[0], a.NGrams[1]}, [2]int{}
		case "char_wb":
			a.Segmenter, a.NGrams = CharWords{a.NGrams[0], a.NGrams[1]}, [2]int{}
		}
		if tc.Params.StopWords != nil {
			a.StopWords = NewStopWords("", tc.Params.StopWords...)
		}
		if tc.Params.StripAccents == "unicode" {
			a.Accents = FoldAccents
		}
		a = mustParse(t, a.String())
		seen := make(map[string]bool)
		for i, doc := range tc.Docs {
			counts := make(map[string]float64)
			for _, term := range terms(a, doc) {
				seen[term] = true
				counts[term]++
				if tc.Params.Binary {
					counts[term] = 1
				}
			}
			if !reflect.DeepEqual(counts, tc.Rows[i]) {
				t.Errorf("%v: %q\n got %v\nwant %v", a, doc, counts, tc.Rows[i])
			}
		}
		slices.Sort(tc.Vocabulary)
		if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, tc.Vocabulary) {
			t.Errorf("%v: vocabulary\n got %q\nwant %q", a, got, tc.Vocabulary)
		}
	}
}

func TestSpecs(t *testing.T) {
	for _, spec := range []string{"default", "sklearn", "whitespace", "default lowercase=false", "sklearn ngrams=1-2", "whitespace lowercase=false ngrams=3", "default subwords=3-5 ngrams=1-2", "chars=2-4", "char-words=3 lowercase=false"} {
		if got := mustParse(t, spec).String(); got != spec {
			t.Errorf("%q came back as %q", spec, got)
		}
	}
	for _, a := range []*Analyzer{ // struct literals out of range have a spelling, too
		{NGrams: [2]int{0, 2}}, {NGrams: [2]int{3, 2}}, {NGrams: [2]int{-1, 99}}, {NGrams: [2]int{99, 1}},
		{Subwords: [2]int{0, 3}}, {Subwords: [2]int{4, -1}}, {Subwords: [2]int{20, 30}},
		{Segmenter: Chars{}}, {Segmenter: Chars{3, 2}}, {Segmenter: CharWords{0, 99}},
	} {
		const s = "I am not happy to see this movie !"
		if got, want := terms(mustParse(t, a.String()), s), terms(a, s); !slices.Equal(got, want) {
			t.Errorf("%v: read back as another analyzer\n got %q\nwant %q", a, got, want)
		}
	}
	for _, tc := range [][2]string{{"klingon", "klingon"}, {"default loud", "loud"}, {"default lowercase=maybe", "maybe"}, {"sklearn ngrams=2-1", "2-1"}} {
		if _, err := Parse(tc[0]); err == nil || !strings.Contains(err.Error()[len(tc[0]):], tc[1]) {
			t.Errorf("%q: the error does not name the word: %v", tc[0], err)
		}
	}
	for _, bad := range []string{"", "klingon", "default ngrams=0", "default ngrams=2-1", "default ngrams=x", "default ngrams=1-99", "default lowercase=maybe", "default loud", "chars", "chars=0", "chars=4-2", "char-words=x"} {
		if a, err := Parse(bad); err == nil {
			t.Errorf("%q is read as %v", bad, a)
		}
	}
	martian := &Language{Name: "martian", Segmenters: []Segmenter{named{"martian"}}}
	if a, err := Parse("martian ngrams=2", martian); err != nil || a.String() != "martian ngrams=2" {
		t.Errorf("%v, %v", a, err)
	}
	away := &Language{Name: "venusian", Absent: errors.New("on another planet")}
	for spec, want := range map[string]string{
		"venusian":        `analyzer "venusian": on another planet`,
		"venusian:base":   `analyzer "venusian:base": on another planet`,
		"martian ngrams=": `analyzer "martian ngrams=": `,
	} {
		if _, err := Parse(spec, away, martian); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// named is a segmenter of another package.
type named struct{ name string }

func (n named) String() string    { return n.name }
func (n named) Segment(b *Buffer) { b.Add(0, len(b.Text())) }

func TestAnalyzeDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("The quick brown Fox doesn't jump. 정말 재미있는 영화 この映画はÉCOLE, naïve. ", 20)
	for _, spec := range []string{"default", "sklearn", "whitespace", "default ngrams=1-3", "default subwords=3-5", "chars=1-3", "char-words=2-4"} {
		a := mustParse(t, spec)
		var b Buffer
		a.Analyze(&b, text)
		if n := testing.AllocsPerRun(10, func() { a.Analyze(&b, text) }); n != 0 {
			t.Errorf("%s: %v allocations", spec, n)
		}
	}
}

// plainWords is the law that Words obeys, written without a fast path.
func plainWords(s string) []string {
	list := []string{}
	flush := func(stretch string) {
		for it := words.FromString(stretch); it.Next(); {
			if strings.ContainsFunc(strings.ToValidUTF8(it.Value(), ""), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
				list = append(list, it.Value())
			}
		}
	}
	var chars []string // of the CJK run
	end := func() {
		if len(chars) == 1 {
			list = append(list, chars[0])
		}
		for i := 0; i+1 < len(chars); i++ {
			list = append(list, chars[i]+chars[i+1])
		}
		chars = nil
	}
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isCJK(r):
			if len(chars) == 0 {
				flush(s[start:i])
			}
			chars = append(chars, s[i:i+size])
			start = i + size
		case len(chars) > 0 && unicode.IsMark(r):
			chars[len(chars)-1] += s[i : i+size]
			start = i + size
		default:
			end()
			if r == utf8.RuneError && size == 1 {
				flush(s[start:i])
				start = i + 1
			}
		}
		i += size
	}
	end()
	flush(s[start:])
	return list
}

// FuzzWords holds the fast path equal to the plain one, and tokens to be pieces
// of the text in order.
func FuzzWords(f *testing.F) {
	for _, s := range []string{
		"don't e-mail A.B.C. 3.14 1,000 x_y", "정말 재미있는 영화", "iPhone5を買った", "a:b 5:6 a.5 a'é é'a 1.é _é é_",
		"a\u0301b a.\u0301b \u0301 a\u200db", "か\u3099き", "\xff\xfeabc\x80", "a\r\nb", "🇰🇷🇯🇵 👨‍👩‍👧", "א\"ב א'ב", "\u3099a", "ﾊﾟｿｺﾝ", "𠮷野家",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := &Analyzer{KeepCase: true}
		if got, want := terms(a, s), plainWords(s); !slices.Equal(got, want) {
			t.Fatalf("%q\n got %q\nwant %q", s, got, want)
		}
		for _, seg := range []Segmenter{Words{}, SKLearn{}, Whitespace{}} {
			checkOrder(t, &Analyzer{Segmenter: seg}, s)
		}
		for _, seg := range []Segmenter{Chars{1, 3}, CharWords{2, 4}} {
			var b Buffer
			(&Analyzer{Segmenter: seg}).Analyze(&b, s)
			for i := range b.Len() {
				if start, end := b.Span(i); start < 0 || end < start || end > len(s) || len(b.Term(i)) == 0 {
					t.Fatalf("%v: %q: token %d spans [%d,%d)", seg, s, i, start, end)
				}
			}
		}
	})
}

// A Buffer that was given no text holds no words.
func TestNoText(t *testing.T) {
	for _, s := range []Segmenter{Words{}, SKLearn{}, Whitespace{}, Chars{1, 2}, CharWords{1, 2}} {
		var b Buffer
		if s.Segment(&b); b.Len() != 0 {
			t.Errorf("%v: %d tokens of no text", s, b.Len())
		}
	}
}

// checkOrder: tokens are pieces of the normalised text, in order; their spans
// are pieces of the original.
func checkOrder(t *testing.T, a *Analyzer, s string) {
	var b Buffer
	a.Analyze(&b, s)
	last := -1
	for i, tok := range b.tokens {
		if tok.lo <= last || tok.hi <= tok.lo || tok.hi > len(b.Text()) {
			t.Fatalf("%v: %q: token %d at [%d,%d)", a, s, i, tok.lo, tok.hi)
		}
		last = tok.lo
		if start, end := b.Span(i); start < 0 || end < start || end > len(s) {
			t.Fatalf("%v: %q: token %d spans [%d,%d)", a, s, i, start, end)
		}
	}
}

// scikit-learn's own examples of pieces of characters.
func TestChars(t *testing.T) {
	const s = "This \n\tis a test, really.\n\n I met Harry yesterday"
	for _, tc := range []struct {
		spec        string
		first, last []string
	}{
		{"chars=3-6", []string{"thi", "his", "is ", "s i", " is"}, []string{" yeste", "yester", "esterd", "sterda", "terday"}},
		{"char-words=3-6", []string{" th", "thi", "his", "is ", " thi"}, []string{"yester", "esterd", "sterda", "terday", "erday "}},
	} {
		got := terms(mustParse(t, tc.spec), s)
		if !slices.Equal(got[:5], tc.first) || !slices.Equal(got[len(got)-5:], tc.last) {
			t.Errorf("%s: begins %q and ends %q", tc.spec, got[:5], got[len(got)-5:])
		}
	}
	if got := terms(mustParse(t, "chars=2"), "정말 \n 좋다"); !slices.Equal(got, []string{"정말", "말 ", " 좋", "좋다"}) {
		t.Errorf("%q", got)
	}
	if got := terms(mustParse(t, "char-words=4-9"), "a bc"); !slices.Equal(got, []string{" a ", " bc "}) {
		t.Errorf("%q", got)
	}
	for token := range mustParse(t, "char-words=2-3").Tokens("Ⱥb ÉC") {
		if original := "Ⱥb ÉC"[token.Start:token.End]; len(original) > len(token.Term)+1 {
			t.Errorf("%q stands at %q", token.Term, original)
		}
	}
}

// Every string of up to five characters that matter to the word-break rules, and of
// up to three across the 64th byte, where masks end.
func TestWordsExhaustively(t *testing.T) {
	alphabet := []string{"a", "1", "_", ".", "'", ":", ",", " ", "é", "\u0301", "映"}
	var try func(s string, n int)
	a := &Analyzer{}
	try = func(s string, n int) {
		if got, want := terms(a, s), plainWords(s); !slices.Equal(got, want) {
			t.Fatalf("%q\n got %q\nwant %q", s, got, want)
		}
		if n == 0 {
			return
		}
		for _, c := range alphabet {
			try(s+c, n-1)
		}
	}
	try("", 5)
	for before := 58; before <= 64; before++ {
		try(strings.Repeat(" ", before), 3)
		try(strings.Repeat("a", before), 3)
		try("é"+strings.Repeat("1", before-2), 3)
	}
}

// Long texts without a boundary are handled in linear time: a quadratic one
// would not end.
func TestLongTexts(t *testing.T) {
	for name, s := range map[string]string{
		"no space": strings.Repeat("a", 4<<20), "marks": "a" + strings.Repeat("\u0301", 1<<18), "NUL": strings.Repeat("\x00", 1<<18),
		"dots": strings.Repeat("a.\u0301", 1<<17), "Han": strings.Repeat("映", 1<<18), "right to left": strings.Repeat("שלום ", 1<<16),
		"flags": strings.Repeat("🇰", 1<<17), "joiners": strings.Repeat("\u200d", 1<<17), "quotes": strings.Repeat("א\"", 1<<17),
		"longer": strings.Repeat("Ⱥ", 1<<17), "sigmas in marks": strings.Repeat("Σ\u0301", 1<<17), "restarts": strings.Repeat("a'é", 1<<17),
		"sigmas": strings.Repeat("Σ.", 1<<15), "broken": strings.Repeat("\xff", 1<<18),
	} {
		for _, seg := range []Segmenter{Words{}, SKLearn{}, Whitespace{}, Chars{2, 2}, CharWords{2, 2}} {
			switch seg.(type) {
			case Chars, CharWords:
				s = s[:min(len(s), 1<<17)] // a token for each byte
			}
			var b Buffer
			(&Analyzer{Segmenter: seg}).Analyze(&b, s)
			if b.Len() > len(s)+1 {
				t.Errorf("%s: %d tokens", name, b.Len())
			}
		}
	}
}

// What is told to be Chinese or Korean by its number is so by its class.
func TestPlainCJK(t *testing.T) {
	for r := rune(0); r < 1<<17; r++ {
		s := []byte(string(r))
		if c, _ := decode(basic(), s); plainCJK(s, 0) && c != cjk {
			t.Errorf("%U is %v", r, c)
		}
	}
	for _, s := range []string{"", "a", "\xea\xb0", "\xea\xb0A", "\xe4\xb8\x80"} {
		if got := plainCJK([]byte(s), 0); got != (s == "一") {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// What the error of an unknown option lists is known.
func TestOptionNames(t *testing.T) {
	for _, name := range optionNames {
		if err := new(Analyzer).set(1, name+"=", nil); err != nil && strings.Contains(err.Error(), "unknown option") {
			t.Error(err)
		}
	}
}
