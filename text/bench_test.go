package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bayes/internal/testdata"

	"github.com/clipperhouse/uax29/v2/words"
)

// specs are the analyzers that are measured.
var specs = []string{"default", "sklearn", "whitespace", "default ngrams=1-2"}

// BenchmarkAnalyze measures generated text, which every machine has.
func BenchmarkAnalyze(b *testing.B) {
	for _, data := range []struct{ name, line string }{
		{"english", "The quick brown Fox doesn't jump over the lazy dog; it costs $3.14, or so."},
		{"korean", "정말 재미있는 영화였어요! 배우들 연기도 좋고, 음악도 최고네요."},
		{"japanese", "この映画はとても面白かったです。スパイダーマンの新作を見た。"},
		{"french", "J'ai mangé du kangourou ce midi, c'était pas très bon à l'École."},
		{"russian", "Вчера мы смотрели очень хороший фильм, и всем понравилось."},
	} {
		lines := make([]string, 500)
		for i := range lines {
			lines[i] = data.line
		}
		benchmarkLines(b, data.name, lines)
	}
}

// BenchmarkCorpus measures the training files of the corpora, a line for a
// document.
func BenchmarkCorpus(b *testing.B) {
	for _, data := range []struct{ name, path string }{
		{"english", "20news/train.csv"},
		{"korean", "nsmc/train.csv"},
		{"japanese", "livedoor/train.csv"},
		{"chinese", "chnsenticorp/train.csv"},
		{"languages", "langid/train.csv"},
	} {
		b.Run("data="+data.name, func(b *testing.B) {
			benchmarkLines(b, "", strings.Split(string(testdata.Read(b, data.path)), "\n"))
		})
	}
}

// benchmarkLines measures each analyzer over lines.
func benchmarkLines(b *testing.B, data string, lines []string) {
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	for _, spec := range specs {
		name := "analyzer=" + strings.ReplaceAll(spec, " ", "+")
		if data != "" {
			name = fmt.Sprintf("%s/data=%s", name, data)
		}
		b.Run(name, func(b *testing.B) {
			a := mustParse(b, spec)
			var buf Buffer
			for _, line := range lines {
				a.Analyze(&buf, line) // warm
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

// BenchmarkWords measures what Words replaces: lower-casing by package bytes, and
// cutting all of a text by the rules of UAX #29. Both find the same words where there
// are no CJK characters; the rules make a word of each Chinese character, and of each
// run of Korean ones.
func BenchmarkWords(b *testing.B) {
	for _, data := range []struct{ name, line string }{
		{"english", "The quick brown Fox doesn't jump over the lazy dog; it costs $3.14, or so. "},
		{"french", "J'ai mangé du kangourou ce midi, c'était pas très bon à l'École. "},
		{"korean", "정말 재미있는 영화였어요! 배우들 연기도 좋고, 음악도 최고네요. "},
	} {
		s := strings.Repeat(data.line, 20)
		var buf Buffer
		analyze := func() { new(Analyzer).Analyze(&buf, s) }
		for _, way := range []struct {
			name string
			cut  func()
		}{
			{"rules", func() { cutByRules(&buf, s) }},
			{"go", func() { withAVX2(false, analyze) }},
			{"vectors", analyze},
		} {
			b.Run(fmt.Sprintf("data=%s/way=%s", data.name, way.name), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					way.cut()
				}
			})
		}
	}
}

// cutByRules fills b with the words of s as the rules of UAX #29 have them.
func cutByRules(b *Buffer, s string) {
	b.reset("")
	b.text = append(b.text, bytes.ToLower([]byte(s))...)
	for i := 0; i < len(b.text); {
		n, _, _ := words.SplitFunc(b.text[i:], true)
		if holdsWord(b.text[i : i+n]) {
			b.Add(i, i+n)
		}
		i += n
	}
}

// What BenchmarkWords compares finds the same words.
func TestCutByRules(t *testing.T) {
	var b Buffer
	s := "J'ai MANGÉ 3.14 l'École_x; don't."
	cutByRules(&b, s)
	i := 0
	for token := range new(Analyzer).Tokens(s) {
		if got := string(b.Term(i)); got != token.Term {
			t.Errorf("word %d is %q, want %q", i, got, token.Term)
		}
		i++
	}
	if b.Len() != i {
		t.Errorf("%d words, want %d", b.Len(), i)
	}
}
