// Package snowball reduces words to their stems by the algorithms of
// snowballstem.org, in the Go code that the Snowball compiler generates
// (github.com/blevesearch/snowballstem), for [text.Analyzer.Stem]:
//
//	a := &text.Analyzer{Stem: snowball.English}
//
// A stem stands for all forms of a word, which helps where examples are few and
// the language has many forms; with thousands of examples it helps seldom.
package snowball

import (
	"bayes/text"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// The stemmers, named by the language's ISO 639-1 code.
var (
	Danish     text.Stemmer = stemmer{"da", danish.Stem}
	Dutch      text.Stemmer = stemmer{"nl", dutch.Stem}
	English    text.Stemmer = stemmer{"en", english.Stem} // Porter's second stemmer
	Finnish    text.Stemmer = stemmer{"fi", finnish.Stem}
	French     text.Stemmer = stemmer{"fr", french.Stem}
	German     text.Stemmer = stemmer{"de", german.Stem}
	Hungarian  text.Stemmer = stemmer{"hu", hungarian.Stem}
	Italian    text.Stemmer = stemmer{"it", italian.Stem}
	Norwegian  text.Stemmer = stemmer{"no", norwegian.Stem}
	Portuguese text.Stemmer = stemmer{"pt", portuguese.Stem}
	Romanian   text.Stemmer = stemmer{"ro", romanian.Stem}
	Russian    text.Stemmer = stemmer{"ru", russian.Stem}
	Spanish    text.Stemmer = stemmer{"es", spanish.Stem}
	Swedish    text.Stemmer = stemmer{"sv", swedish.Stem}
	Turkish    text.Stemmer = stemmer{"tr", turkish.Stem}
)

// Language gives all stemmers to [text.Parse], such as stem=en.
func Language() *text.Language {
	return &text.Language{Name: "stems", Stemmers: []text.Stemmer{
		Danish, German, English, Spanish, Finnish, French, Hungarian, Italian,
		Dutch, Norwegian, Portuguese, Romanian, Russian, Swedish, Turkish,
	}}
}

type stemmer struct {
	name string
	stem func(*snowballstem.Env) bool
}

func (s stemmer) String() string { return s.name }

// Version is the same for all stemmers: it rises with any of them.
func (stemmer) Version() string { return "1" }

// Stem returns the stem of a lower-cased word.
func (s stemmer) Stem(word string) string {
	env := snowballstem.NewEnv(word)
	s.stem(env)
	return env.Current()
}
