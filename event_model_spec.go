package bayes

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bayes/internal/specgrammar"
)

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
	o := eventOptions{smoothing: Additive(1), prior: EmpiricalPrior{}}
	known := eventModels()
	build, ok := known[words[0]]
	if !ok {
		return nil, fmt.Errorf("bayes: unknown event model %.100q: want one of %s", words[0], strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if !slices.Contains(build.options, key) {
			return nil, fmt.Errorf("bayes: event model %.100q: %.100q is not an option of %s", s, word, words[0])
		}
		if err := o.set(key, value); err != nil {
			return nil, err
		}
	}
	return build.build(o), nil
}

// eventOptions are what the descriptions of event models can say.
type eventOptions struct {
	smoothing              Smoothing
	prior                  Prior
	norm, shared           bool
	varSmoothing           float64
	minValues              int
	selected               Selected
	calibrated             Calibrated
	text, number, category EventModel
}

// An eventModelSpec is which options an event model has, and how it is made of
// them.
type eventModelSpec struct {
	options []string
	build   func(o eventOptions) EventModel
}

// eventModels returns the event models by name.
func eventModels() map[string]eventModelSpec {
	return map[string]eventModelSpec{
		"multinomial": {[]string{"smoothing", "prior"}, func(o eventOptions) EventModel {
			return Multinomial{Prior: o.prior, Smoothing: o.smoothing}
		}},
		"complement": {[]string{"norm", "smoothing", "prior"}, func(o eventOptions) EventModel {
			return Complement{Prior: o.prior, Smoothing: o.smoothing, Normalize: o.norm}
		}},
		"bernoulli": {[]string{"smoothing", "prior"}, func(o eventOptions) EventModel {
			return Bernoulli{Prior: o.prior, Smoothing: o.smoothing}
		}},
		"gaussian": {[]string{"shared", "var-smoothing", "prior"}, func(o eventOptions) EventModel {
			return Gaussian{Prior: o.prior, VarSmoothing: o.varSmoothing, Shared: o.shared}
		}},
		"kernel": {[]string{"prior"}, func(o eventOptions) EventModel { return Kernel{Prior: o.prior} }},
		"discrete": {[]string{"smoothing", "prior"}, func(o eventOptions) EventModel {
			return Discrete{Prior: o.prior, Smoothing: o.smoothing}
		}},
		"categorical": {[]string{"min-values", "smoothing", "prior"}, func(o eventOptions) EventModel {
			return Categorical{Prior: o.prior, Smoothing: o.smoothing, MinValues: o.minValues}
		}},
		"selected": {[]string{"min-df", "max-df", "max-features", "best", "score", "model"}, func(o eventOptions) EventModel {
			return o.selected
		}},
		"calibrated": {[]string{"temperature", "isotonic", "coverage", "model"}, func(o eventOptions) EventModel {
			o.calibrated.Model = o.selected.Model
			return o.calibrated
		}},
		"mixed": {[]string{"prior", "text", "number", "category"}, func(o eventOptions) EventModel {
			return Mixed{Prior: o.prior, Text: o.text, Number: o.number, Category: o.category}
		}},
	}
}

// set applies one option.
func (o *eventOptions) set(key, value string) (err error) {
	switch key {
	case "smoothing":
		o.smoothing, err = ParseSmoothing(value)
	case "prior":
		o.prior, err = ParsePrior(value)
	case "norm":
		o.norm = true
	case "shared":
		o.shared = true
	case "var-smoothing":
		if o.varSmoothing, err = strconv.ParseFloat(value, 64); err != nil || !(o.varSmoothing >= 0 && o.varSmoothing <= maxNumber) {
			return fmt.Errorf("bayes: var-smoothing %.100q is not a number from 0 up to 1e150", value)
		}
		if o.varSmoothing == 0 {
			o.varSmoothing = NoVarSmoothing
		}
	case "min-values":
		o.minValues, err = parseCount(value)
	case "min-df":
		o.selected.MinDocuments, err = parseLimit(value)
	case "max-df":
		o.selected.MaxDocuments, err = parseLimit(value)
	case "max-features":
		o.selected.MaxFeatures, err = parseCount(value)
	case "best":
		o.selected.Best, err = parseCount(value)
	case "score":
		o.selected.Score, err = parseScore(value)
	case "model":
		o.selected.Model, err = parseInner(value)
	case "temperature":
		if o.calibrated.Temperature, err = strconv.ParseFloat(value, 64); err != nil {
			err = fmt.Errorf("bayes: temperature %.100q is no number", value)
		}
	case "isotonic":
		o.calibrated.Isotonic, err = parsePoints(value)
	case "coverage":
		o.calibrated.Coverage, err = parsePoints(value)
	case "text":
		o.text, err = parseInner(value)
	case "number":
		o.number, err = parseInner(value)
	case "category":
		o.category, err = parseInner(value)
	}
	return err
}

// parseCount reads a whole number from 0 up.
func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("bayes: %q is not a whole number from 0 up", s)
	}
	return n, nil
}

// parseLimit reads a number or a share of documents.
func parseLimit(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0) || v > 1<<53 {
		return 0, fmt.Errorf("bayes: %q is not a number or share of documents", s)
	}
	return v, nil
}

// parseInner reads an event model in parentheses.
func parseInner(s string) (EventModel, error) {
	inner, ok := specgrammar.Inner(s)
	if !ok {
		return nil, fmt.Errorf("bayes: %.100q: want an event model in parentheses", s)
	}
	return ParseEventModel(inner)
}

// ParseSmoothing returns the smoothing that s describes: a number from 0 up; a
// number and the exceptions from it, such as "1,free=2,win=0.5"; or "evidence",
// "evidence-terms" or "evidence-documents".
func ParseSmoothing(s string) (Smoothing, error) {
	for _, e := range []Evidence{{}, {PerTerm: true}, {Documents: true}} {
		if s == e.String() {
			return e, nil
		}
	}
	number, rest, exceptions := strings.Cut(s, ",")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil, fmt.Errorf("bayes: smoothing %.100q is no number", number)
	}
	if err := checkAlpha(v); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	if !exceptions {
		return Additive(v), nil
	}
	alpha, err := specgrammar.ParseShares(rest)
	if err != nil {
		return nil, fmt.Errorf("bayes: smoothing: %w", err)
	}
	for _, f := range slices.Sorted(maps.Keys(alpha)) {
		if err := checkAlpha(alpha[f]); err != nil {
			return nil, fmt.Errorf("bayes: feature %q: %w", f, err)
		}
	}
	return PerFeature{Alpha: alpha, Else: v}, nil
}
