package cli

import (
	"errors"
	"strconv"
	"strings"

	"bayes"

	"github.com/spf13/cobra"
)

// modelFlags say how counts are fitted: which event model, prior and smoothing there
// are.
type modelFlags struct {
	selectionFlags
	correctionFlags
	model, alpha, prior string
	labelTree           string
	complementNorm      bool
	numericModel        string
	variance            string // of a Gaussian: feature or shared
	varSmoothing        float64
}

func (f *modelFlags) addFlags(cmd *cobra.Command) {
	f.selectionFlags.addFlags(cmd)
	f.correctionFlags.addFlags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "multinomial", "event model: multinomial, complement, one-versus-rest or bernoulli for text, gaussian for numbers, categorical for categories")
	flags.BoolVar(&f.complementNorm, "complement-norm", false, "normalise the weights of each class (complement)")
	flags.StringVar(&f.numericModel, "numeric-model", "gaussian", "event model of --numeric columns: gaussian, kernel or discrete")
	flags.StringVar(&f.variance, "variance", "feature", "one variance for each class and feature, or shared by the features of a class (gaussian)")
	flags.Float64Var(&f.varSmoothing, "var-smoothing", 1e-9, "share of the largest variance that is added to each (gaussian)")
	flags.StringVar(&f.alpha, "alpha", "1", "smoothing: a number from 0 up, evidence, evidence-terms, evidence-documents, loo, or a file of term<TAB>alpha lines")
	flags.StringVar(&f.prior, "prior", "empirical", "empirical, uniform or LABEL=P,LABEL=P")
	flags.StringVar(&f.labelTree, "label-tree", "", "labels are paths of a tree whose parts `SEPARATOR` separates, such as / of sport/football: estimates are shrunk to those of the labels above (multinomial, one-versus-rest)")
	Choices(cmd, "model", "multinomial", "complement", "one-versus-rest", "bernoulli", "gaussian", "categorical")
	Choices(cmd, "numeric-model", "gaussian", "kernel", "discrete")
	Choices(cmd, "variance", "feature", "shared")
	choicesOrFile(cmd, "alpha", "1", "0.1", "evidence", "evidence-terms", "evidence-documents", "loo")
	Choices(cmd, "prior", "empirical", "uniform")
}

// requirement returns what has to be counted for the event model.
func (f *modelFlags) requirement() requirement {
	return requirement{numberValues: f.numericModel != "gaussian", histograms: f.alpha == "evidence-documents"}
}

// eventModel returns the event model that the flags describe, corrected if they say so.
func (f *modelFlags) eventModel(cmd *cobra.Command, columns bool) (bayes.EventModel, error) {
	base, err := f.baseModel(cmd, columns)
	if err != nil {
		return nil, err
	}
	return f.corrected(cmd, base)
}

// baseModel returns the naive Bayes that the flags describe: a mixed one where documents have
// several columns.
func (f *modelFlags) baseModel(cmd *cobra.Command, columns bool) (bayes.EventModel, error) {
	prior, smoothing, err := f.priorAndSmoothing(cmd)
	if err != nil {
		return nil, err
	}
	if f.complementNorm && f.model != "complement" {
		return nil, WrongUsage(cmd, "--complement-norm goes with --model complement")
	}
	number, err := f.numberModel(cmd, prior, smoothing)
	if err != nil {
		return nil, err
	}
	category := bayes.Categorical{Prior: prior, Smoothing: smoothing}
	if given := cmd.Flags().Lookup("text"); (f.model == "gaussian" || f.model == "categorical") && given != nil && given.Changed {
		return nil, WrongUsage(cmd, "--model %s reads no --text: want multinomial, complement, one-versus-rest or bernoulli, which go with --numeric and --categorical", f.model)
	}
	if err := f.checkTree(cmd); err != nil {
		return nil, err
	}
	var text bayes.EventModel
	switch f.model {
	case "multinomial":
		text = bayes.Multinomial{Prior: prior, Smoothing: smoothing, Tree: f.labelTree}
	case "complement":
		text = bayes.Complement{Prior: prior, Smoothing: smoothing, Normalize: f.complementNorm}
	case "one-versus-rest":
		text = bayes.OneVersusRest{Prior: prior, Smoothing: smoothing, Tree: f.labelTree}
	case "bernoulli":
		text = bayes.Bernoulli{Prior: prior, Smoothing: smoothing}
	case "gaussian":
		return number, nil
	case "categorical":
		return category, nil
	default:
		return nil, WrongUsage(cmd, "--model %s: want multinomial, complement, one-versus-rest, bernoulli, gaussian or categorical", f.model)
	}
	if text, err = f.selected(cmd, text); err != nil {
		return nil, err
	}
	if columns {
		return bayes.Mixed{Prior: prior, Text: text, Number: number, Category: category}, nil
	}
	return text, nil
}

// checkTree returns an error if what is asked for does not go with a tree of labels.
func (f *modelFlags) checkTree(cmd *cobra.Command) error {
	switch given := cmd.Flags().Lookup("label-tree"); {
	case given == nil || !given.Changed:
		return nil
	case f.labelTree == "":
		return WrongUsage(cmd, "--label-tree: want what separates the parts of a label, such as / of sport/football")
	case f.model != "multinomial" && f.model != "one-versus-rest":
		return WrongUsage(cmd, "--label-tree goes with --model multinomial and one-versus-rest, and not with %s", f.model)
	case f.leavesOneOut():
		return WrongUsage(cmd, "--label-tree does not go with --alpha loo: want a number")
	case f.alpha == "0":
		return WrongUsage(cmd, "--label-tree: want an --alpha above 0")
	}
	return nil
}

// numberModel returns the event model of numbers.
func (f *modelFlags) numberModel(cmd *cobra.Command, prior bayes.Prior, smoothing bayes.Smoothing) (bayes.EventModel, error) {
	if f.variance != "feature" && f.variance != "shared" {
		return nil, WrongUsage(cmd, "--variance %s: want feature or shared", f.variance)
	}
	if !(f.varSmoothing >= 0 && f.varSmoothing <= maxAlpha) {
		return nil, WrongUsage(cmd, "--var-smoothing %v: want a number from 0 up to 1e150", f.varSmoothing)
	}
	switch f.numericModel {
	case "gaussian":
		g := bayes.Gaussian{Prior: prior, VarSmoothing: f.varSmoothing, Shared: f.variance == "shared"}
		if f.varSmoothing == 0 {
			g.VarSmoothing = bayes.NoVarSmoothing
		}
		return g, nil
	case "kernel":
		return bayes.Kernel{Prior: prior}, nil
	case "discrete":
		return bayes.Discrete{Prior: prior, Smoothing: smoothing}, nil
	}
	return nil, WrongUsage(cmd, "--numeric-model %s: want gaussian, kernel or discrete", f.numericModel)
}

// priorAndSmoothing reads --prior and --alpha.
func (f *modelFlags) priorAndSmoothing(cmd *cobra.Command) (bayes.Prior, bayes.Smoothing, error) {
	prior, err := bayes.ParsePrior(f.prior)
	if err != nil {
		return nil, nil, WrongUsage(cmd, "--prior: %w", err)
	}
	smoothing, err := f.smoothing(cmd)
	return prior, smoothing, err
}

// maxAlpha is the largest smoothing, beyond which sums over features overflow.
const maxAlpha = 1e150

// smoothing reads --alpha: a number, the name of a way to work it out, or a file.
func (f *modelFlags) smoothing(cmd *cobra.Command) (bayes.Smoothing, error) {
	if v, err := strconv.ParseFloat(f.alpha, 64); err == nil {
		if !(v >= 0 && v <= maxAlpha) {
			return nil, WrongUsage(cmd, "--alpha %s: want a number from 0 up to 1e150", f.alpha)
		}
		return bayes.Additive(v), nil
	}
	if f.leavesOneOut() {
		return bayes.Additive(1), nil // until the counts are there
	}
	if strings.HasPrefix(f.alpha, "evidence") {
		s, err := bayes.ParseSmoothing(f.alpha)
		if err != nil {
			return nil, WrongUsage(cmd, "--alpha %s: want evidence, evidence-terms or evidence-documents", f.alpha)
		}
		return s, nil
	}
	return f.readSmoothing(cmd)
}

// leavesOneOut reports whether the smoothing is to be found by leaving out one
// example after the other.
func (f *modelFlags) leavesOneOut() bool { return f.alpha == "loo" }

// readSmoothing reads the file that --alpha names.
func (f *modelFlags) readSmoothing(cmd *cobra.Command) (bayes.Smoothing, error) {
	per := bayes.PerFeature{Alpha: make(map[string]float64), Else: 1}
	malformed := errors.New("want term<TAB>alpha, with alpha a number from 0 up to 1e150")
	err := eachLine(f.alpha, func(line string) error {
		term, number, ok := strings.Cut(line, "\t")
		v, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || !(v >= 0 && v <= maxAlpha) {
			return malformed
		}
		per.Alpha[term] = v
		return nil
	})
	switch {
	case errors.Is(err, malformed):
		return nil, err
	case err != nil:
		return nil, WrongUsage(cmd, "%w", neither("--alpha", "a number", err))
	}
	return per, nil
}
