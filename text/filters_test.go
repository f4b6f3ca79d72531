package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// cutE is a stemmer that cuts an e off; no two are equal by ==.
type cutE struct{ _ func() }

func (cutE) String() string       { return "cut-e" }
func (cutE) Stem(w string) string { return strings.TrimSuffix(w, "e") }

// shouting is a segmenter that reads case: words in capitals are commands.
type shouting struct{}

func (shouting) String() string { return "shouting" }
func (shouting) ReadsCase()     {}
func (shouting) Segment(b *Buffer) {
	start := 0
	for _, w := range strings.Fields(string(b.Text())) {
		at := start + strings.Index(string(b.Text()[start:]), w)
		start = at + len(w)
		if strings.ToUpper(w) == w {
			b.AddTerm("!"+w, at, start)
		} else {
			b.Add(at, start)
		}
	}
}

var testLanguage = &Language{Name: "test", Segmenters: []Segmenter{shouting{}}, Stemmers: []Stemmer{cutE{}},
	StopWords: []*StopWords{NewStopWords("few", "the", "a", "not")}}

func TestFilters(t *testing.T) {
	for _, tc := range []struct{ spec, text, want string }{
		{"default stopwords=few", "The cat not a dog", "cat|dog"},
		{"default stopwords=few ngrams=2", "The cat not a dog ran", "cat dog|dog ran"},
		{"default stopwords=,1%2C2,a,the+cat", "a cat 1,2", "cat"},
		{"default min-length=4", "call me café über ok", "call|café|über"},
		{"default stem=cut-e", "nice the file", "nic|th|fil"},
		{"default stopwords=few stem=cut-e", "nice the file", "nic|fil"},
		{"default negation=true", "This is not a good film, but long.", "this|is|not|NOT_a|NOT_good|NOT_film|but|long"},
		{"default negation=true", "I don't like it! Fine", "i|don't|NOT_like|NOT_it|fine"},
		{"default negation=true", "I DON’T like\nit", "i|don’t|NOT_like|it"},
		{"sklearn negation=true", "It wasn't good; fine", "it|wasn|NOT_good|fine"},
		{"whitespace negation=true", "not so , good", "not|NOT_so|,|good"},
		{"default negation=true stopwords=few", "not the end a", "NOT_end"},
		{"default negation=true min-length=4 stem=cut-e ngrams=1-2", "never nice file", "never|NOT_nic|NOT_fil|never NOT_nic|NOT_nic NOT_fil"},
		{"default subwords=3", "a free é", "a|free|é|fr*|*fre*|*ree*|*ee"},
		{"default subwords=2-5", "ab", "ab|a*|*ab*|*b|ab*|*ab"},
		{"default subwords=1", "ab", "ab|*a*|*b*"},
		{"default negation=true stopwords=few min-length=2 subwords=4 stem=cut-e ngrams=1-2", "not Nice a I file", "NOT_nic|NOT_fil|NOT_nic NOT_fil|nic*|*nice*|*ice|fil*|*file*|*ile"},
		{"default subwords=3 ngrams=2", "go on", "go on|go*|*go|on*|*on"},
		{"shouting subwords=4", "NOW", "!now|!no*|*!now*|*now"},
		{"default form=nfkc", "ﬁne ＡＢＣ ｶﾞ", "fine|abc|ガ"},
		{"default form=nfc", "cafe\u0301 ﬁ", "café|ﬁ"},
		{"default accents=fold", "Café o\u0308\u0304 \u0301 ÉCOLE أ إ", "cafe|o|ecole|ا|ا"},
		{"default accents=ascii", "Café o\u0308\u0304 ÉCOLE إ 정", "cafe|o|ecole"},
		{"shouting", "Stop NOW É", "stop|!now|!é"},
		{"shouting lowercase=false ngrams=1-2", "Stop NOW", "Stop|!NOW|Stop !NOW"},
		{"shouting ngrams=2", "NOW Stop it", "!now stop|stop it"},
	} {
		a, err := Parse(tc.spec, testLanguage)
		if err != nil {
			t.Errorf("%s: %v", tc.spec, err)
			continue
		}
		if got := strings.Join(terms(a, tc.text), "|"); got != tc.want {
			t.Errorf("%s: %q is cut into\n%s, want\n%s", tc.spec, tc.text, got, tc.want)
		}
		if got := a.String(); got != tc.spec {
			t.Errorf("%q is spelled %q", tc.spec, got)
		}
	}
}

// What stood in capitals, accents or another form is found in the original.
func TestFilteredSpans(t *testing.T) {
	for _, tc := range []struct{ spec, text, term, want string }{
		{"default form=nfkc accents=fold", "ﬁnE İs ÉCOLE", "ecole", "ÉCOLE"},
		{"default form=nfkc", "x ﬁnE", "fine", "ﬁnE"},
		{"default accents=ascii", "café 정 no", "no", "no"},
		{"default accents=fold", "Cafe\u0301s x", "cafes", "Cafe\u0301s"},
		{"default negation=true", "not İf Good", "NOT_good", "Good"},
		{"shouting", "Stop NOW", "!now", "NOW"},
		{"shouting subwords=4", "Stop NOW", "*now", "NOW"},
		{"default subwords=3", "xİ ÉCOLE", "éc*", "ÉC"},
		{"default form=nfkc subwords=3-4", "aﬁn", "*fin", "ﬁn"},
	} {
		a, err := Parse(tc.spec, testLanguage)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for token := range a.Tokens(tc.text) {
			if token.Term == tc.term {
				found = true
				if got := tc.text[token.Start:token.End]; got != tc.want {
					t.Errorf("%s: %s stands at %q, want %q", tc.spec, tc.term, got, tc.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: %q lacks %s", tc.spec, tc.text, tc.term)
		}
	}
}

func TestFilterSpecErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"default stopwords=tlh":     "few",
		"default stopwords=,%zz":    "%zz",
		"default min-length=0":      "min-length=0",
		"default stem=tlh":          "cut-e",
		"default form=nfx":          "nfkc",
		"default accents=x":         "fold",
		"default negation=perhaps":  "true or false",
		"chars=2 stopwords=few":     "characters",
		"char-words=2 min-length=2": "characters",
		"chars=2 subwords=3":        "characters",
		"default subwords=4-3":      "4-3",
		"default subwords=3-17":     "3-17",
	} {
		if _, err := Parse(spec, testLanguage); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", spec, err, want)
		}
	}
}

// One Buffer may serve analyzers with different stemmers.
func TestStemsAreForgotten(t *testing.T) {
	var b Buffer
	for _, tc := range []struct {
		stem Stemmer
		want string
	}{{cutE{}, "nic"}, {noStem{}, "nice"}, {cutE{}, "nic"}} {
		(&Analyzer{Stem: tc.stem}).Analyze(&b, "nice")
		if got := string(b.Term(0)); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.stem, got, tc.want)
		}
	}
}

type noStem struct{}

func (noStem) String() string       { return "none" }
func (noStem) Stem(w string) string { return w }

// FuzzFilters holds what filters leave to be a part of what the analyzer cuts
// without them, and places in the original to rise and to stand between its
// characters, whatever the form.
func FuzzFilters(f *testing.F) {
	for _, s := range []string{"This is not a GOOD ﬁlm, o\u0308\u0304k?", "İ KELVIN\u212a ȺB don’t  Ⱥ", "ｶﾞ 정말 إ \xff\xc3 n't", "\u0301\u0301 é", "\u1100\u1161\u11a8x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, form := range []string{"", " form=nfc", " form=nfkc", " accents=fold", " accents=ascii", " form=nfkc accents=fold"} {
			plain := mustParse(t, "default"+form)
			checkPlaces(t, plain, s)
			filtered := *plain
			filtered.Negation, filtered.StopWords, filtered.MinLength = true, NewStopWords("", "the", "a"), 2
			checkPlaces(t, &filtered, s)
			left := terms(plain, s)
			for _, term := range terms(&filtered, s) {
				i := slices.Index(left, strings.TrimPrefix(term, "NOT_"))
				if i < 0 {
					t.Fatalf("%v: %q: %q is not among %q", &filtered, s, term, left)
				}
				left = left[i+1:]
			}
		}
	})
}

func checkPlaces(t *testing.T, a *Analyzer, s string) {
	t.Helper()
	var b Buffer
	a.Analyze(&b, s)
	last, valid := 0, utf8.ValidString(s)
	for i := range b.Len() {
		start, end := b.Span(i)
		if start < last || end < start || end > len(s) {
			t.Fatalf("%v: %q: token %d (%q) stands at [%d,%d), after %d", a, s, i, b.Term(i), start, end, last)
		}
		if valid && (start < len(s) && !utf8.RuneStart(s[start]) || end < len(s) && !utf8.RuneStart(s[end])) {
			t.Fatalf("%v: %q: token %d stands at [%d,%d), inside a character", a, s, i, start, end)
		}
		last = start
	}
}
