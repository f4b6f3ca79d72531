package text

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkAnalyze(b *testing.B) {
	for _, data := range []struct{ name, text string }{
		{"english", strings.Repeat("The quick brown Fox doesn't jump over the lazy dog; it costs $3.14, or so.\n", 500)},
		{"korean", strings.Repeat("정말 재미있는 영화였어요! 배우들 연기도 좋고, 음악도 최고네요.\n", 500)},
		{"japanese", strings.Repeat("この映画はとても面白かったです。スパイダーマンの新作を見た。\n", 500)},
		{"french", strings.Repeat("J'ai mangé du kangourou ce midi, c'était pas très bon à l'École.\n", 500)},
	} {
		for _, spec := range []string{"default", "sklearn", "whitespace", "default ngrams=1-2"} {
			b.Run(fmt.Sprintf("analyzer=%s/data=%s", strings.ReplaceAll(spec, " ", "+"), data.name), func(b *testing.B) {
				a := mustParse(b, spec)
				var buf Buffer
				b.SetBytes(int64(len(data.text)))
				b.ReportAllocs()
				for b.Loop() {
					a.Analyze(&buf, data.text)
				}
			})
		}
	}
}
