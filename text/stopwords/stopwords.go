// Package stopwords has lists of words that say little of what a text is about,
// such as "the" and "of", for [text.Analyzer.StopWords]:
//
//	a := &text.Analyzer{StopWords: stopwords.English()}
//
// Each list is a file beside this one, which names its source. The lists never
// change: a model names the one it was trained with.
//
// Stop words make models smaller, and seldom better: naive Bayes gives a word
// that all classes share a weight near zero by itself, and what is left out here,
// such as "not", can be what matters.
package stopwords

import (
	"embed"
	"strings"
	"sync"

	"bayes/text"
)

//go:embed *.txt
var files embed.FS

// The lists. Each is read when it is first asked for.
var (
	English  = list("en") // 179 words
	French   = list("fr") // 154 words
	German   = list("de") // 231 words
	Japanese = list("ja") // 109 words
	Korean   = list("ko") // 206 words
	Spanish  = list("es") // 308 words
)

// Language gives all lists to [text.Parse]: stopwords=de, en, es, fr, ja or ko.
func Language() *text.Language {
	return &text.Language{
		Name:      "stop words",
		StopWords: []*text.StopWords{German(), English(), Spanish(), French(), Japanese(), Korean()},
	}
}

// list returns a function that reads the file of a name.
func list(name string) func() *text.StopWords {
	return sync.OnceValue(func() *text.StopWords {
		b, err := files.ReadFile(name + ".txt")
		if err != nil {
			panic("stopwords: internal error: " + err.Error())
		}
		var words []string
		for line := range strings.Lines(string(b)) {
			if !strings.HasPrefix(line, "#") {
				words = append(words, strings.TrimSpace(line))
			}
		}
		return text.NewStopWords(name, words...)
	})
}
