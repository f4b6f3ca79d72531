package bayes

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bayes/feature"
	"bayes/internal/bags"
	"bayes/internal/intern"
	"bayes/internal/labelset"
	"bayes/text"
)

// A Space fixes how a document becomes features, and so what counts of them
// mean. The zero Space counts the lower-cased words of a text. Its fields must
// not be changed after its first use.
type Space struct {
	Analyzer   *text.Analyzer // nil means lower-cased words
	Vocabulary []string       // if not nil, the only terms there are; they count in |V| even if no example has them
	HashBits   int            // if positive, up to 30: terms are hashed to 2^HashBits columns, and counted as a column's number
	Labels     []string       // classes that exist before their first example
	Binary     bool           // count a term at most once in a document
	Log        bool           // count a term that occurs n times 1 + ln n times

	// SubwordWeight is what each of the analyzer's subwords counts, where a word counts 1,
	// from 0.001 to 1000. Zero, or what is not in that range, means 0.25: a word has several.
	SubwordWeight float64

	IDF       *feature.IDF // if not nil, multiply by it; terms without a weight are left out
	Norm      feature.Norm // then scale the terms of a text to length one
	Threshold float64      // a term is present in a document if its value exceeds this

	// LabelSeparator, if not empty, says that an example may have several labels, or none: its label
	// is a set of them, with this between them, in any order; the separator alone is the empty set.
	// Counts keep sets, sorted, as their classes, and models have the labels as theirs, each with
	// a probability of its own. It has no tab and no line end in it.
	LabelSeparator string

	// Values are the values of a category, by its name, that exist before an
	// example has them.
	Values map[string][]string

	// NumberValues says to count numbers value by value, for [Kernel] and
	// [Discrete]; otherwise only their moments are kept, for [Gaussian].
	NumberValues bool

	// Histograms says to count in how many documents a term occurs once, twice
	// and so on, for [Evidence] over documents.
	Histograms bool
}

// AnalyzerVersion returns the version of the analyzer of s in this program: see
// [text.Analyzer.Version].
func (s *Space) AnalyzerVersion() string { return s.analyzer().Version() }

// String returns s in the form read by [ParseSpace]: the analyzer, then what
// departs from the zero Space. The terms of a vocabulary, the weights of an IDF
// and the labels are not part of it.
func (s *Space) String() string {
	words := []string{s.analyzer().String()}
	if s.HashBits > 0 {
		words = append(words, "hash="+strconv.Itoa(s.HashBits))
	}
	if s.Binary {
		words = append(words, "binary")
	}
	if s.Log {
		words = append(words, "log")
	}
	if s.hasSubwords() {
		words = append(words, "subword-weight="+formatFloat(s.subwordWeight()))
	}
	if s.IDF != nil {
		words = append(words, "idf")
	}
	if s.Norm != "" {
		words = append(words, "norm="+string(s.Norm))
	}
	if s.NumberValues {
		words = append(words, "number-values")
	}
	if s.Histograms {
		words = append(words, "histograms")
	}
	if s.Threshold != 0 {
		words = append(words, "threshold="+formatFloat(s.Threshold))
	}
	if s.LabelSeparator != "" {
		words = append(words, "label-separator="+labelset.Quote(s.LabelSeparator))
	}
	return strings.Join(words, " ")
}

// ParseSpace returns the Space that spec describes, such as
// "default ngrams=1-2 binary". Languages not given cannot be analysed.
func ParseSpace(spec string, langs ...*text.Language) (*Space, error) {
	s := new(Space)
	var analyzer []string
	// The words that the Space does not know are the analyzer's.
	for _, word := range strings.Fields(spec) {
		known, err := s.parse(word)
		if err != nil {
			return nil, fmt.Errorf("bayes: space %.200q: %w", spec, err)
		}
		if !known {
			analyzer = append(analyzer, word)
		}
	}
	a, err := text.Parse(strings.Join(analyzer, " "), langs...)
	if err != nil {
		return nil, fmt.Errorf("bayes: space %.200q: %w", spec, err)
	}
	s.Analyzer = a
	return s, nil
}

// parse reads one word of a description, and reports whether it is one of a Space.
func (s *Space) parse(word string) (known bool, err error) {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "hash":
		if s.HashBits, err = strconv.Atoi(value); err != nil || s.HashBits < 1 || s.HashBits > maxHashBits {
			err = fmt.Errorf("%s: want 1 to %d bits", word, maxHashBits)
		}
	case "binary":
		s.Binary = true
	case "log":
		s.Log = true
	case "idf":
		s.IDF = feature.WeightsIDF(nil) // until its weights are read
	case "subword-weight":
		if s.SubwordWeight, err = strconv.ParseFloat(value, 64); err != nil || !isSubwordWeight(s.SubwordWeight) {
			err = fmt.Errorf("%s: want a number from 0.001 to 1000", word)
		}
	case "norm":
		err = s.Norm.UnmarshalText([]byte(value))
	case "number-values":
		s.NumberValues = true
	case "histograms":
		s.Histograms = true
	case "threshold":
		if s.Threshold, err = strconv.ParseFloat(value, 64); err != nil {
			err = errors.New("threshold is no number")
		}
	case "label-separator":
		s.LabelSeparator, err = labelset.Unquote(value)
	default:
		return false, nil
	}
	return true, err
}

// maxHashBits keeps a column's number within 31 bits, as hashes have.
const maxHashBits = 30

// defaultSubwordWeight was found on reviews and news: see docs/accuracy.md.
const defaultSubwordWeight = 0.25

func (s *Space) hasSubwords() bool { return s.Analyzer != nil && s.Analyzer.Subwords != [2]int{} }

// subwords returns what a subword counts; 0 if there are none.
func (s *Space) subwords() float64 {
	if !s.hasSubwords() {
		return 0
	}
	return s.subwordWeight()
}

// subwordWeight returns what a subword counts; 1 if there are none.
func (s *Space) subwordWeight() float64 {
	if !s.hasSubwords() {
		return 1
	}
	if isSubwordWeight(s.SubwordWeight) {
		return s.SubwordWeight
	}
	return defaultSubwordWeight
}

func isSubwordWeight(w float64) bool { return 0.001 <= w && w <= 1000 }

// weighs reports whether values differ from how often terms occur, before inverse document
// frequencies.
func (s *Space) weighs() bool { return s.Log || s.Norm != "" || s.subwordWeight() != 1 }

// weighting returns how values of terms come about.
func (s *Space) weighting() bags.Weighting {
	return bags.Weighting{Binary: s.Binary, Log: s.Log, IDF: s.IDF, SubwordWeight: s.subwordWeight(), Norm: s.Norm}
}

// column appends the name of the column that term is hashed to. Subwords have columns of
// their own, whose names are those of subwords.
func (s *Space) column(dst, term []byte) []byte {
	if s.hasSubwords() && text.IsSubword(term) {
		dst = append(dst, '*')
	}
	c, _ := feature.Column(term, 1<<min(s.HashBits, maxHashBits))
	return strconv.AppendInt(dst, int64(c), 10)
}

var defaultAnalyzer text.Analyzer

func (s *Space) analyzer() *text.Analyzer {
	if s.Analyzer == nil {
		return &defaultAnalyzer
	}
	return s.Analyzer
}

// vocabulary returns the declared vocabulary as a set, nil if there is none.
func (s *Space) vocabulary() *intern.Table {
	if s.Vocabulary == nil {
		return nil
	}
	t := new(intern.Table)
	for _, term := range s.Vocabulary {
		t.Insert(intern.KeyOf([]byte(term)), []byte(term))
	}
	return t
}

// difference returns the [*SpaceError] of adding counts over t to counts over
// s, or nil if they mean the same.
func (s *Space) difference(t *Space) error {
	if s == t {
		return nil
	}
	if have, want := t.String(), s.String(); have != want {
		return &SpaceError{Have: have, Want: want}
	}
	if (s.Vocabulary == nil) != (t.Vocabulary == nil) || !slices.Equal(sortedSet(s.Vocabulary), sortedSet(t.Vocabulary)) {
		return &SpaceError{Have: t.vocabularySize(), Want: s.vocabularySize()}
	}
	if !s.IDF.Equal(t.IDF) {
		return &SpaceError{Have: t.String() + " of its own documents", Want: s.String()}
	}
	if have, want := t.declaredValues(), s.declaredValues(); !slices.Equal(have, want) {
		return &SpaceError{Have: fmt.Sprintf("values %q", have), Want: fmt.Sprintf("values %q", want)}
	}
	if !slices.Equal(sortedSet(s.Labels), sortedSet(t.Labels)) {
		return &SpaceError{Have: fmt.Sprintf("labels %q", t.Labels), Want: fmt.Sprintf("labels %q", s.Labels)}
	}
	return nil
}

// declaredValues returns the declared values of categories as NAME=value, sorted.
func (s *Space) declaredValues() []string {
	var list []string
	for name, values := range s.Values {
		for _, v := range values {
			list = append(list, blockID{categoryAttr, name}.feature(v))
		}
	}
	return sortedSet(list)
}

func (s *Space) vocabularySize() string {
	if s.Vocabulary == nil {
		return s.String() + " without a vocabulary"
	}
	return fmt.Sprintf("%s with its own vocabulary of %d terms", s, len(s.Vocabulary))
}

// sortedSet returns the distinct strings of list, sorted.
func sortedSet(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// formatFloat returns the shortest text that reads back as v.
func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A SpaceError is returned when Counts over different Spaces meet.
type SpaceError struct{ Have, Want string }

func (e *SpaceError) Error() string {
	return fmt.Sprintf("bayes: counts of different spaces do not add: have %q, want %q", e.Have, e.Want)
}
