package cli

import (
	"fmt"

	"bayes/text"
	"bayes/text/snowball"
	"bayes/text/stopwords"

	"github.com/spf13/cobra"
)

// analyzerFlags say how a text becomes terms.
type analyzerFlags struct {
	analyzer            string
	ngrams, subwords    string // lengths, such as 2 or 1-2
	chars               string // lengths of n-grams of characters
	charWords           bool
	lowercase, negation bool
	form, accents       string
	stopwords, stem     string
	minLength           int
}

func (f *analyzerFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.analyzer, "analyzer", "default", "default, sklearn, nltk, nltk-classic, whitespace, ja, ko (also as ja:base, ja:content, ja:base,content) or chars")
	flags.StringVar(&f.ngrams, "ngrams", "1", "length of word n-grams, such as 2 or 1-2")
	flags.StringVar(&f.subwords, "subwords", "", "count pieces of words too, of so many characters with the ends of words, such as 3-5")
	flags.StringVar(&f.chars, "chars", "", "length of character n-grams, such as 3 or 2-4 (--analyzer chars; default 2-4)")
	flags.BoolVar(&f.charWords, "char-words", false, "keep character n-grams within words (--analyzer chars)")
	flags.BoolVar(&f.lowercase, "lowercase", true, "lower-case the text")
	flags.StringVar(&f.form, "form", "as-is", "spell characters in one way: nfc, or nfkc, which also makes full width narrow")
	flags.StringVar(&f.accents, "accents", "keep", "keep, fold (é is e) or ascii (what is not ASCII is dropped)")
	flags.BoolVar(&f.negation, "negation", false, "mark the words between not, never, n't and the next punctuation (English)")
	flags.StringVar(&f.stopwords, "stopwords", "", "leave out the stop words of a language (de, en, es, fr, ja, ko) or of a `FILE`, one a line")
	flags.IntVar(&f.minLength, "min-length", 1, "leave out words of fewer than `N` characters")
	flags.StringVar(&f.stem, "stem", "", "reduce words to their stems (Snowball): a `LANG` such as en, de, fr, es or ru")
	Choices(cmd, "analyzer", "default", "sklearn", "nltk", "nltk-classic", "whitespace", "ja", "ja:base", "ja:content", "ja:base,content", "ko", "ko:base", "ko:content", "ko:base,content", "chars")
	Choices(cmd, "form", "as-is", "nfc", "nfkc")
	Choices(cmd, "accents", "keep", "fold", "ascii")
	choicesOrFile(cmd, "stopwords", namesOf(stopwords.Language().StopWords)...)
	Choices(cmd, "stem", namesOf(snowball.Language().Stemmers)...)
}

// namesOf returns the names of what languages have.
func namesOf[T fmt.Stringer](list []T) []string {
	var names []string
	for _, v := range list {
		names = append(names, v.String())
	}
	return names
}

// parse returns the analyzer that the flags describe.
func (f *analyzerFlags) parse(cmd *cobra.Command) (*text.Analyzer, error) {
	spec, err := f.segmenter(cmd)
	if err != nil {
		return nil, err
	}
	option := func(given bool, word string) {
		if given {
			spec += " " + word
		}
	}
	option(f.form != "as-is", "form="+f.form)
	option(!f.lowercase, "lowercase=false")
	option(f.accents != "keep", "accents="+f.accents)
	option(f.negation, "negation=true")
	option(f.minLength != 1, fmt.Sprint("min-length=", f.minLength))
	option(f.stem != "", "stem="+f.stem)
	option(f.subwords != "", "subwords="+f.subwords)
	option(f.ngrams != "1", "ngrams="+f.ngrams)
	if f.stopwords != "" {
		list, err := stopWordsOf(f.stopwords)
		if err != nil {
			return nil, err
		}
		spec += " stopwords=" + list.String()
	}
	// Package text reads descriptions, and knows what goes with what.
	analyzer, err := text.Parse(spec, Languages()...)
	if err != nil {
		return nil, WrongUsage(cmd, "%w", err)
	}
	return analyzer, nil
}

// segmenter returns the name of the segmenter that --analyzer, --chars and
// --char-words describe.
func (f *analyzerFlags) segmenter(cmd *cobra.Command) (string, error) {
	if f.analyzer != "chars" {
		if (f.chars != "" || f.charWords) && cmd.Flags().Changed("analyzer") {
			return "", WrongUsage(cmd, "--chars and --char-words go with --analyzer chars")
		}
		if f.chars == "" && !f.charWords {
			return f.analyzer, nil
		}
	}
	if f.ngrams != "1" {
		return "", WrongUsage(cmd, "--ngrams is for words: the length of character n-grams is --chars")
	}
	lengths := f.chars
	if lengths == "" {
		lengths = "2-4"
	}
	if f.charWords {
		return "char-words=" + lengths, nil
	}
	return "chars=" + lengths, nil
}

// stopWordsOf returns the stop words of a language, or of a file.
func stopWordsOf(name string) (*text.StopWords, error) {
	for _, list := range stopwords.Language().StopWords {
		if list.String() == name {
			return list, nil
		}
	}
	words, err := readLines(name)
	if err != nil {
		return nil, neither("--stopwords", "a language (de, en, es, fr, ja, ko)", err)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%s: no stop words", name)
	}
	return text.NewStopWords("", words...), nil
}
