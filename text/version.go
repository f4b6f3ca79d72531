package text

import (
	"fmt"
	"hash/crc32"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Versioned is a [Segmenter] or [Stemmer] that says which version of its rules and
// data it has. The version is another one as soon as any text comes to other terms, so
// that terms of different versions are not taken for each other.
type Versioned interface {
	Version() string
}

// analysis is the version of what an [Analyzer] does apart from its segmenter and
// stemmer: lower-casing, accents, negation, subwords and n-grams. It rises as soon as
// any text comes to other terms.
const analysis = 1

// Version returns the versions of what a is made of, as far as its description leaves
// them open, such as
//
//	analysis=1 unicode=15.0.0 default=1-uax29-17.0.0 stem:en=1
//
// Two analyzers with the same description and the same version make the same terms of
// every text. The words are printable ASCII, with a space between.
func (a *Analyzer) Version() string {
	words := []string{fmt.Sprintf("analysis=%d", analysis), "unicode=" + unicode.Version}
	if a.Form != AsIs || a.Accents != KeepAccents {
		words = append(words, "norm="+norm.Version)
	}
	add := func(prefix, name string, of any) {
		if v, ok := of.(Versioned); ok {
			words = append(words, prefix+url.PathEscape(name)+"="+url.PathEscape(v.Version()))
		}
	}
	name := a.segmenter().String()
	if i := strings.IndexAny(name, ":="); i > 0 {
		name = name[:i] // options are part of the description
	}
	add("", name, a.segmenter())
	if a.StopWords != nil && a.StopWords.name != "" {
		add("stopwords:", a.StopWords.name, a.StopWords)
	}
	if a.Stem != nil {
		add("stem:", a.Stem.String(), a.Stem)
	}
	return strings.Join(words, " ")
}

// The versions of the segmenters of this package. The one of [Words] names the version
// of Unicode whose word boundaries github.com/clipperhouse/uax29 has.
func (Words) Version() string      { return "1-uax29-17.0.0" }
func (SKLearn) Version() string    { return "1" }
func (Whitespace) Version() string { return "1" }
func (Chars) Version() string      { return "1" }
func (CharWords) Version() string  { return "1" }

// Version returns a checksum of the words, eight hexadecimal digits.
func (s *StopWords) Version() string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(strings.Join(s.Words(), "\n"))))
}
