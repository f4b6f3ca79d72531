package text

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A Language is a named set of parts of analyzers.
type Language struct {
	Name       string
	Segmenters []Segmenter
	StopWords  []*StopWords
	Stemmers   []Stemmer

	// Absent is the error of segmenters named Name or Name:…, where a program is built without
	// them.
	Absent error
}

// Parse returns the Analyzer that spec describes. It knows the segmenters of
// this package and what the given languages have. The error names the word that
// is not understood.
func Parse(spec string, langs ...*Language) (*Analyzer, error) {
	a := new(Analyzer)
	for i, word := range strings.Fields(spec) {
		if err := a.set(i, word, langs); err != nil {
			return nil, fmt.Errorf("analyzer %q: %w", spec, err)
		}
	}
	if a.Segmenter == nil {
		return nil, fmt.Errorf("analyzer %q: no name: want default, sklearn, whitespace, chars=M-N or char-words=M-N", spec)
	}
	if !cutsWords(a.Segmenter) && a.filters() {
		return nil, fmt.Errorf("analyzer %q: %s cuts characters: stop words, stems, negation, least lengths and subwords are for words", spec, a.Segmenter)
	}
	return a, nil
}

// cutsWords reports whether the tokens of s are words.
func cutsWords(s Segmenter) bool {
	switch s.(type) {
	case Chars, CharWords:
		return false
	}
	return true
}

// optionNames are the options that set knows.
var optionNames = []string{"form", "lowercase", "accents", "negation", "stopwords", "min-length", "stem", "subwords", "ngrams"}

// set applies word i of a description.
func (a *Analyzer) set(i int, word string, langs []*Language) (err error) {
	if i == 0 {
		a.Segmenter, err = segmenterNamed(word, langs)
		return err
	}
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "form":
		a.Form, err = oneOf(word, value, AsIs, NFC, NFKC)
	case "lowercase":
		var lower bool
		lower, err = flag(word, value)
		a.KeepCase = !lower
	case "accents":
		a.Accents, err = oneOf(word, value, KeepAccents, FoldAccents, ASCIIAccents)
	case "negation":
		a.Negation, err = flag(word, value)
	case "stopwords":
		a.StopWords, err = parseStopWords(value, langs)
	case "min-length":
		if a.MinLength, err = strconv.Atoi(value); err != nil || a.MinLength < 1 {
			err = fmt.Errorf("%s: want a number of characters from 1", word)
		}
	case "stem":
		a.Stem, err = parseStemmer(value, langs)
	case "subwords":
		a.Subwords, err = parseRange(value)
	case "ngrams":
		a.NGrams, err = parseRange(value)
	default:
		err = unknown("option", word, optionNames)
	}
	return err
}

// flag reads true or false.
func flag(word, value string) (bool, error) {
	switch value {
	case "true", "false":
		return value == "true", nil
	}
	return false, fmt.Errorf("%s: want true or false", word)
}

// oneOf returns the one of all whose name is value.
func oneOf[T fmt.Stringer](word, value string, all ...T) (t T, err error) {
	var names []string
	for _, t := range all {
		if t.String() == value {
			return t, nil
		}
		names = append(names, t.String())
	}
	return t, fmt.Errorf("%s: want %s", word, strings.Join(names, " or "))
}

// unknown returns an error that lists the names that are known.
func unknown(kind, name string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("unknown %s %q", kind, name)
	}
	return fmt.Errorf("unknown %s %q: want one of %s", kind, name, strings.Join(names, ", "))
}

// segmenterNamed returns the segmenter of that name.
func segmenterNamed(name string, langs []*Language) (Segmenter, error) {
	if kind, lengths, ok := strings.Cut(name, "="); ok && (kind == "chars" || kind == "char-words") {
		r, err := parseRange(lengths)
		if kind == "chars" {
			return Chars{r[0], r[1]}, err
		}
		return CharWords{r[0], r[1]}, err
	}
	known := []Segmenter{Words{}, SKLearn{}, Whitespace{}}
	for _, l := range langs {
		if of, _, _ := strings.Cut(name, ":"); l.Absent != nil && of == l.Name {
			return nil, l.Absent
		}
		known = append(known, l.Segmenters...)
	}
	var names []string
	for _, s := range known {
		if s.String() == name {
			return s, nil
		}
		names = append(names, s.String())
	}
	return nil, fmt.Errorf("unknown name %q: want one of %s, chars=M-N, char-words=M-N", name, strings.Join(names, ", "))
}

// parseStopWords is the inverse of [StopWords.String].
func parseStopWords(s string, langs []*Language) (*StopWords, error) {
	if list, ok := strings.CutPrefix(s, ","); ok {
		words := strings.Split(list, ",")
		for i, w := range words {
			var err error
			if words[i], err = url.QueryUnescape(w); err != nil {
				return nil, fmt.Errorf("stop word %q: %w", w, err)
			}
		}
		return NewStopWords("", words...), nil
	}
	var names []string
	for _, l := range langs {
		for _, list := range l.StopWords {
			if list.name == s {
				return list, nil
			}
			names = append(names, list.name)
		}
	}
	return nil, unknown("list of stop words", s, names)
}

// parseStemmer returns the stemmer of that name.
func parseStemmer(s string, langs []*Language) (Stemmer, error) {
	var names []string
	for _, l := range langs {
		for _, stemmer := range l.Stemmers {
			if stemmer.String() == s {
				return stemmer, nil
			}
			names = append(names, stemmer.String())
		}
	}
	return nil, unknown("stemmer", s, names)
}
