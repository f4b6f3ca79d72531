package cli

import (
	"math"
	"slices"

	"bayes/eval"

	"github.com/spf13/cobra"
)

// mailSetting is how mail is learned where flags do not say otherwise: what ranked spam best among what was
// cross-validated (docs/accuracy.md, Mail).
var mailSetting = setting{
	terms:      termSetting{subwords: "4"},
	weights:    weightSetting{weighting: "presence"},
	correction: correctionSetting{correct: true, spread: true, trust: 0.4},
}

// The labels of mail for which there is a cutoff.
const ham, spam = "ham", "spam"

// mailFPR is how much of the ham may be taken for spam.
var mailFPR = map[string]float64{spam: 0.001}

// defaultsOfMail sets the flags that are not given as is best for mail, if src is mail, and reports whether it
// is. A flag that is given decides all that it is about: --ngrams which terms there are, --model and
// --correct=false that nothing is corrected and no cutoff set. What a search has found is left as it is.
func (a *App) defaultsOfMail(cmd *cobra.Command, t *Trainer, src *source) (bool, error) {
	formats, err := src.Formats()
	if err != nil || t.found || t.LabelSeparator != "" || slices.ContainsFunc(formats, func(format string) bool { return format != "mail" }) {
		return false, err
	}
	given := func(names ...string) bool { return slices.ContainsFunc(names, cmd.Flags().Changed) }
	d := defaults{of: "mail", setting: mailSetting, maxFPR: mailFPR}
	if given(termFlags...) {
		d.terms = termSetting{}
	}
	if given(weightFlags...) {
		d.weights = weightSetting{}
	}
	folds := cmd.Flags().Lookup("folds")
	oneOut := folds != nil && folds.Value.String() == "loo" // which no correction is learned for
	switch {
	case given("model") || given("correct") && !t.model.correct || oneOut && !given("correct"):
		d.correction, d.maxFPR = correctionSetting{}, nil
	case given("correct"):
		d.correction.correct = false // it is, without this
	}
	d.correction.spread = d.correction.spread && !given("spread")
	if given("trust") {
		d.correction.trust = 0
	}
	if given(goalFlags...) {
		d.maxFPR = nil
	}
	with := d.on(t)
	if _, err := with.Space(cmd); err != nil { // --alpha evidence-documents, for one, counts whole terms
		return false, nil
	}
	if d.maxFPR != nil {
		with.goals.maxFPR.of = d.maxFPR
	}
	with.defaults = &d
	*t = *with
	return true, nil
}

// settleMail settles what was set for mail by how many examples of each label there are. Where a fold would
// lack a label, or there is one alone, nothing is corrected. Where they are not ham and spam there is no cutoff,
// and probabilities are calibrated, by which filters then decide.
func (t *Trainer) settleMail(cmd *cobra.Command, examples map[string]int64) {
	d, fewest := t.defaults, int64(math.MaxInt64)
	for _, n := range examples {
		fewest = min(fewest, n)
	}
	enough := len(examples) > 1 && fewest >= calibrationFolds
	if !enough && d.correction.correct {
		d.correction = correctionSetting{}
	}
	if d.maxFPR != nil && (!enough || len(examples) != 2 || examples[ham] == 0 || examples[spam] == 0) {
		d.maxFPR, t.goals.maxFPR.of = nil, nil
		if enough && !cmd.Flags().Changed("calibrate") {
			d.calibrate, t.calibrate = string(eval.Temperature), string(eval.Temperature)
		}
	}
}
