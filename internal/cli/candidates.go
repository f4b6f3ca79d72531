package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"bayes/eval"

	"github.com/spf13/cobra"
)

// What tune varies: what has been best, or near it, on some data of docs/accuracy.md.
// The zero value of each is what train does by default.
var (
	termSettings = []termSetting{
		{},
		{ngrams: "1-2"},
		{ngrams: "1-3"},
		{ngrams: "1-2", subwords: "3-5"},
		{ngrams: "1-3", subwords: "3-5"},
		{ngrams: "1-2", negation: true, stem: "en"},
		{ngrams: "1-2", negation: true, stem: "en", subwords: "3-5"},
		{chars: "2-4"},
		{chars: "2-5", charWords: true},
	}
	numericModels  = []string{"", "kernel", "discrete"}
	weightSettings = []weightSetting{
		{},
		{weighting: "presence"},
		{weighting: "log", idf: true, norm: "l2"},
	}
	limitSettings = []limitSetting{{}, {minDF: "2"}, {best: "chi2:20000"}}
	textSettings  = []textSetting{
		{},
		{model: "complement"},
		{model: "complement", complementNorm: true},
		{model: "one-versus-rest"},
		{model: "bernoulli"},
	}
	alphas     = []float64{0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0, 1.5, 2} // 0: --alpha stays at 1
	treeAlphas = []float64{0.001, 0.01, 0.1, 0}                                         // of trees of labels

	// Of naive Bayes that is corrected; first what differs most, as a budget may end before all are tried.
	correctedTerms = []termSetting{
		{ngrams: "1-2"},
		{chars: "1-3"},
		{ngrams: "1-2", subwords: "2-5"},
		{chars: "2-5", charWords: true},
		{ngrams: "1-3", negation: true, stem: "en"},
		{ngrams: "1-2", negation: true, stem: "en", subwords: "3-5"},
		{ngrams: "1-2", negation: true, stem: "en"},
	}
	strengths = []float64{0.3, 0, 3, 10} // 0: --strength stays at 1
)

// settings returns the settings to try where text is or is not to be analyzed, given how many
// classes there are. What flags say is not varied.
func (t *Trainer) settings(cmd *cobra.Command, analyzed bool, classes int) (list []setting) {
	counted := analyzed || !t.hasColumns() // texts, or the terms of svmlight
	numeric := func(list []setting) []setting {
		return vary(list, func(s *setting) *string { return &s.numericModel },
			open(cmd, len(t.Numeric) > 0, numericModels, "model", "numeric-model", "variance", "var-smoothing"))
	}
	terms := func(all []termSetting) []setting {
		return vary([]setting{{}}, func(s *setting) *termSetting { return &s.terms },
			open(cmd, analyzed, all, termFlags...))
	}
	// Those with corrections come first, since a budget may end before all are tried.
	if classes > 1 && (t.model.correct || !cmd.Flags().Changed("correct")) {
		list = vary(numeric(terms(correctedTerms)), func(s *setting) *correctionSetting { return &s.correction }, corrections(cmd))
	}
	if !cmd.Flags().Changed("correct") {
		plain := vary(numeric(terms(termSettings)), func(s *setting) *weightSetting { return &s.weights },
			open(cmd, counted, weightSettings, weightFlags...))
		plain = vary(plain, func(s *setting) *limitSetting { return &s.limits },
			open(cmd, counted, limitSettings, "min-df", "max-df", "max-features", "select"))
		plain = vary(plain, func(s *setting) *textSetting { return &s.text },
			open(cmd, counted, textSettings, "model", "complement-norm"))
		list = append(list, slices.DeleteFunc(plain, func(s setting) bool { return !s.worthwhile(classes) || !s.goesWith(t.model.alpha) })...)
	}
	if len(list) == 0 { // --correct=false, or a single class
		list = []setting{{}}
	}
	return list
}

// corrections returns how to correct.
func corrections(cmd *cobra.Command) []correctionSetting {
	list := []correctionSetting{{correct: true}}
	list = vary(list, func(s *correctionSetting) *bool { return &s.spread }, open(cmd, true, []bool{false, true}, "spread"))
	list = vary(list, func(s *correctionSetting) *float64 { return &s.trust }, open(cmd, true, []float64{0, 0.5}, "trust"))
	return vary(list, func(s *correctionSetting) *float64 { return &s.strength }, open(cmd, true, strengths, "strength"))
}

// variants returns s with each smoothing. Corrections are tried beside one of them.
func (s setting) variants(cmd *cobra.Command) []setting {
	list := vary([]setting{s}, func(s *setting) *float64 { return &s.alpha }, open(cmd, !s.correction.correct, alphas, "alpha"))
	if !cmd.Flags().Changed("label-tree") || s.correction.correct || cmd.Flags().Changed("flat") {
		return list
	}
	list = vary(list, func(s *setting) *bool { return &s.flat }, []bool{true})
	return append(list, vary([]setting{s}, func(s *setting) *float64 { return &s.alpha }, open(cmd, true, treeAlphas, "alpha"))...)
}

// open returns what to try of all: the zero value alone, which leaves flags as they are, if
// the data has no use for it or one of the flags that it is about is given.
func open[T any](cmd *cobra.Command, useful bool, all []T, flags ...string) []T {
	for _, name := range flags {
		useful = useful && !cmd.Flags().Changed(name)
	}
	if !useful {
		return make([]T, 1)
	}
	return all
}

// vary returns each setting of list with each of values as its part.
func vary[S, T any](list []S, part func(s *S) *T, values []T) []S {
	var all []S
	for _, s := range list {
		for _, v := range values {
			*part(&s) = v
			all = append(all, s)
		}
	}
	return all
}

// worthwhile reports whether s is not the same as another setting, or one that is
// hardly ever better.
func (s *setting) worthwhile(classes int) bool {
	weighted := s.weights.weighting != "" || s.weights.idf
	switch {
	case s.text.model == "bernoulli" && weighted: // it sees presence only
		return false
	case s.text.model == "one-versus-rest" && (classes <= 2 || weighted && !s.weights.idf): // of two classes it is multinomial
		return false
	case s.text.complementNorm && !s.weights.idf:
		return false
	case s.limits.best != "" && (weighted || s.text.model != ""):
		return false
	}
	return true
}

// goesWith reports whether s goes with a smoothing that was given: evidence is not for
// Bernoulli, and of documents it wants whole counts; normalised weights want a smoothing
// above 0 for each term.
func (s *setting) goesWith(alpha string) bool {
	number, err := strconv.ParseFloat(alpha, 64)
	zero := err == nil && number == 0
	switch {
	case strings.HasPrefix(alpha, "evidence") && s.text.model == "bernoulli",
		alpha == "evidence-documents" && (s.weights.norm != "" || s.terms.subwords != ""),
		(alpha == "evidence-terms" || zero) && s.text.complementNorm:
		return false
	}
	return true
}

// candidates returns what to try, and the settings that it is made of. Settings that flags do
// not go with, as stop words do not with n-grams of characters, are left out, unless they are
// all.
func (a *App) candidates(cmd *cobra.Command, t *Trainer, settings []setting) (kept []setting, list []eval.Candidate, err error) {
	var refused error // the first
	for _, s := range settings {
		c, err := candidate(cmd, t, s)
		if err != nil {
			refused = cmp.Or(refused, err)
			continue
		}
		kept, list = append(kept, s), append(list, c)
	}
	if len(list) == 0 {
		return nil, nil, refused
	}
	if n := len(settings) - len(list); n > 0 {
		a.Note("note: %s of %s combinations are left out, as the flags do not go with them: %v", Count(n), Count(len(settings)), refused)
	}
	return kept, list, nil
}

// candidate returns what a setting describes, with each of its variants.
func candidate(cmd *cobra.Command, t *Trainer, s setting) (c eval.Candidate, err error) {
	if c.Space, err = s.on(t).spaceWithIDF(cmd); err != nil {
		return c, err
	}
	for _, v := range s.variants(cmd) {
		em, err := v.on(t).EventModel(cmd)
		if err != nil {
			return c, err
		}
		c.Models = append(c.Models, em)
	}
	return c, nil
}
