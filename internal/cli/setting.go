package cli

import (
	"strconv"
	"strings"
)

// A setting is what tune varies of the flags of train. A part that is zero leaves its
// flags as they are. It is made of flags, not of a Space and an event model, because
// tune varies only what no flag says, and what is best is printed as flags.
type setting struct {
	terms        termSetting
	numericModel string
	weights      weightSetting
	limits       limitSetting
	text         textSetting
	correction   correctionSetting
	alpha        float64
	flat         bool
	calibrate    string
}

// A termSetting says which terms a text has.
type termSetting struct {
	chars     string // lengths of n-grams of characters, which are then the terms
	charWords bool
	ngrams    string
	negation  bool
	stem      string
	subwords  string
}

// termFlags are the flags that say so.
var termFlags = []string{"analyzer", "ngrams", "subwords", "chars", "char-words", "negation", "stem"}

// A weightSetting says what a term counts.
type weightSetting struct {
	weighting string
	idf       bool
	norm      string
}

// weightFlags are the flags that say so.
var weightFlags = []string{"weighting", "idf", "norm"}

// A limitSetting says which terms are kept.
type limitSetting struct{ minDF, best string }

// A textSetting is an event model of texts.
type textSetting struct {
	model          string
	complementNorm bool
}

// A correctionSetting says how naive Bayes is corrected, if it is.
type correctionSetting struct {
	correct, spread bool
	trust, strength float64
}

// on returns t with what s says. What it leaves open is as in t.
func (s setting) on(t *Trainer) *Trainer {
	with := *t
	if s.terms.chars != "" {
		with.space.analyzer = "chars"
	}
	set(&with.space.chars, s.terms.chars)
	set(&with.space.charWords, s.terms.charWords)
	set(&with.space.ngrams, s.terms.ngrams)
	set(&with.space.negation, s.terms.negation)
	set(&with.space.stem, s.terms.stem)
	set(&with.space.subwords, s.terms.subwords)
	set(&with.model.numericModel, s.numericModel)
	set(&with.space.weighting, s.weights.weighting)
	set(&with.space.idf, s.weights.idf)
	set(&with.space.norm, s.weights.norm)
	set(&with.model.minDF, s.limits.minDF)
	set(&with.model.best, s.limits.best)
	set(&with.model.model, s.text.model)
	set(&with.model.complementNorm, s.text.complementNorm)
	set(&with.model.correct, s.correction.correct)
	set(&with.model.spread, s.correction.spread)
	set(&with.model.trust, s.correction.trust)
	set(&with.model.strength, s.correction.strength)
	if s.alpha != 0 {
		with.model.alpha = numberText(s.alpha)
	}
	set(&with.model.flat, s.flat)
	set(&with.calibrate, s.calibrate)
	return &with
}

// set sets a flag to v, unless that is zero.
func set[T comparable](flag *T, v T) {
	var zero T
	if v != zero {
		*flag = v
	}
}

func numberText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A flagValue is a flag of train with its value, which is empty where it needs none.
type flagValue struct{ name, value string }

// flags returns the flags of train that say what s says.
func (s setting) flags() []flagValue {
	var list []flagValue
	value := func(name, v string) {
		if v != "" {
			list = append(list, flagValue{name, v})
		}
	}
	given := func(name string, is bool) {
		if is {
			list = append(list, flagValue{name, ""})
		}
	}
	number := func(name string, v float64) {
		if v != 0 {
			value(name, numberText(v))
		}
	}
	if s.terms.chars != "" {
		value("analyzer", "chars")
	}
	value("chars", s.terms.chars)
	given("char-words", s.terms.charWords)
	value("ngrams", s.terms.ngrams)
	given("negation", s.terms.negation)
	value("stem", s.terms.stem)
	value("subwords", s.terms.subwords)
	value("numeric-model", s.numericModel)
	value("weighting", s.weights.weighting)
	given("idf", s.weights.idf)
	value("norm", s.weights.norm)
	value("min-df", s.limits.minDF)
	value("select", s.limits.best)
	value("model", s.text.model)
	given("complement-norm", s.text.complementNorm)
	given("correct", s.correction.correct)
	given("spread", s.correction.spread)
	number("trust", s.correction.trust)
	number("strength", s.correction.strength)
	number("alpha", s.alpha)
	given("flat", s.flat)
	value("calibrate", s.calibrate)
	return list
}

// words returns the flags as words of a command line.
func (s setting) words() []string {
	var words []string
	for _, f := range s.flags() {
		words = append(words, "--"+f.name)
		if f.value != "" {
			words = append(words, f.value)
		}
	}
	return words
}

// values returns the flags with their values.
func (s setting) values() map[string]string {
	values := make(map[string]string)
	for _, f := range s.flags() {
		values[f.name] = f.value
		if f.value == "" {
			values[f.name] = "true"
		}
	}
	return values
}

func (s setting) String() string {
	if words := s.words(); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return "(none)"
}
