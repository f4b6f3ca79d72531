package text

import (
	"fmt"
	"strings"
	"testing"

	"bayes/internal/testdata"
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
