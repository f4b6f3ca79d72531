package text

import (
	"fmt"
	"strconv"
	"strings"
)

// A Language is a named set of segmenters.
type Language struct {
	Name       string
	Segmenters []Segmenter
}

// Parse returns the Analyzer that spec describes. It knows the segmenters of
// this package and those of the given languages. The error names the word that
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
	return a, nil
}

// set applies word i of a description.
func (a *Analyzer) set(i int, word string, langs []*Language) (err error) {
	if i == 0 {
		a.Segmenter, err = segmenterNamed(word, langs)
		return err
	}
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "lowercase":
		lower, err := strconv.ParseBool(value)
		a.KeepCase = !lower
		if err != nil {
			return fmt.Errorf("%s: want true or false", word)
		}
	case "ngrams":
		a.NGrams, err = parseRange(value)
	default:
		err = fmt.Errorf("unknown option %q", word)
	}
	return err
}

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

// parseRange reads "2" or "1-2".
func parseRange(s string) (r [2]int, err error) {
	low, high, two := strings.Cut(s, "-")
	if !two {
		high = low
	}
	r[0], err = strconv.Atoi(low)
	if err == nil {
		r[1], err = strconv.Atoi(high)
	}
	if err != nil || r[0] < 1 || r[1] < r[0] || r[1] > maxNGram {
		return r, fmt.Errorf("n-grams %q: want a length such as 2 or 1-2, at most %d", s, maxNGram)
	}
	return r, nil
}

// maxNGram bounds the lengths of n-grams, and so what a description read from a
// file can make of a text.
const maxNGram = 16

// lengths returns the range that low and high mean: a shortest length below 1
// is 1, a longest below the shortest is the shortest, and none exceeds
// maxNGram. So every Analyzer has a spelling that [Parse] reads.
func lengths(low, high int) (shortest, longest int) {
	shortest = min(max(low, 1), maxNGram)
	return shortest, min(max(high, shortest), maxNGram)
}
