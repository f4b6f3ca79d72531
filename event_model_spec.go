package bayes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bayes/internal/specgrammar"
)

// eventModels returns how each event model is made of its options, by its name.
func eventModels() map[string]func(o *options) EventModel {
	return map[string]func(o *options) EventModel{
		"multinomial":     parseMultinomial,
		"complement":      parseComplement,
		"one-versus-rest": parseOneVersusRest,
		"bernoulli":       parseBernoulli,
		"fisher":          parseFisher,
		"categorical":     parseCategorical,
		"gaussian":        parseGaussian,
		"kernel":          parseKernel,
		"discrete":        parseDiscrete,
		"mixed":           parseMixed,
		"selected":        parseSelected,
		"corrected":       parseCorrected,
		"calibrated":      parseCalibrated,
	}
}

// ParseEventModel returns the event model that s describes, such as
// "multinomial smoothing=0.1 prior=uniform" or "mixed number=(gaussian shared)".
// What is left out has its default.
func ParseEventModel(s string) (EventModel, error) {
	words, err := specgrammar.Words(s)
	if err != nil {
		return nil, fmt.Errorf("bayes: event model %.100q: %w", s, err)
	}
	if len(words) == 0 {
		words = []string{""}
	}
	known := eventModels()
	build, ok := known[words[0]]
	if !ok {
		return nil, fmt.Errorf("bayes: unknown event model %.100q: want one of %s", words[0], strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	o := &options{specgrammar.NewOptions(words[1:]), ParseEventModel}
	em := build(o)
	if word, ok := o.Unread(); ok {
		return nil, fmt.Errorf("bayes: event model %.100q: %.100q is not an option of %s", s, word, words[0])
	}
	if o.Err != nil {
		return nil, o.Err
	}
	return em, nil
}
