package cli

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"bayes"
	"bayes/internal/outfile"
	"bayes/text"

	"github.com/spf13/cobra"
)

// trainer holds the flags that say how to count and how to fit.
type trainer struct {
	input
	model, alpha, prior       string
	norm                      bool
	numericModel, variance    string
	varSmoothing              float64
	analyzer, ngrams          string
	chars, subwords           string
	subwordWeight             float64
	charWords                 bool
	lowercase, negation       bool
	form, accents             string
	stopwords, stem           string
	minLength, hashBits       int
	weighting, vocabularyFile string
	idf                       bool
	length                    string
	minDF, maxDF, selection   string
	maxFeatures               int
	calibrate                 string
	workers                   int
}

func (t *trainer) addFlags(cmd *cobra.Command) {
	t.input.addFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&t.model, "model", "multinomial", "event model: multinomial, complement or bernoulli for text, gaussian for numbers, categorical for categories")
	f.BoolVar(&t.norm, "complement-norm", false, "normalise the weights of each class (complement)")
	f.StringVar(&t.numericModel, "numeric-model", "gaussian", "event model of --numeric columns: gaussian, kernel or discrete")
	f.StringVar(&t.variance, "variance", "feature", "one variance for each class and feature, or shared by the features of a class (gaussian)")
	f.Float64Var(&t.varSmoothing, "var-smoothing", 1e-9, "share of the largest variance that is added to each (gaussian)")
	f.StringVar(&t.alpha, "alpha", "1", "smoothing: a number from 0 up, evidence, evidence-terms, evidence-documents, loo, or a file of term<TAB>alpha lines")
	f.StringVar(&t.prior, "prior", "empirical", "empirical, uniform or LABEL=P,LABEL=P")
	f.StringVar(&t.analyzer, "analyzer", "default", "default, sklearn, nltk, nltk-classic, whitespace, ja, ko (also as ja:base, ja:content, ja:base,content) or chars")
	f.StringVar(&t.ngrams, "ngrams", "1", "length of word n-grams, such as 2 or 1-2")
	f.StringVar(&t.subwords, "subwords", "", "count pieces of words too, of so many characters with the ends of words, such as 3-5")
	f.Float64Var(&t.subwordWeight, "subword-weight", 0.25, "what a subword counts, where a word counts 1")
	f.StringVar(&t.chars, "chars", "", "length of character n-grams, such as 3 or 2-4 (--analyzer chars; default 2-4)")
	f.BoolVar(&t.charWords, "char-words", false, "keep character n-grams within words (--analyzer chars)")
	f.BoolVar(&t.lowercase, "lowercase", true, "lower-case the text")
	f.StringVar(&t.form, "form", "as-is", "spell characters in one way: nfc, or nfkc, which also makes full width narrow")
	f.StringVar(&t.accents, "accents", "keep", "keep, fold (é is e) or ascii (what is not ASCII is dropped)")
	f.BoolVar(&t.negation, "negation", false, "mark the words between not, never, n't and the next punctuation (English)")
	f.StringVar(&t.stopwords, "stopwords", "", "leave out the stop words of a language (de, en, es, fr, ja, ko) or of a `FILE`, one a line")
	f.IntVar(&t.minLength, "min-length", 1, "leave out words of fewer than `N` characters")
	f.StringVar(&t.stem, "stem", "", "reduce words to their stems (Snowball): a `LANG` such as en, de, fr, es or ru")
	f.StringVar(&t.weighting, "weighting", "count", "count: how often a term occurs; presence: whether it does; log: 1 + ln of how often")
	f.BoolVar(&t.idf, "idf", false, "multiply by the inverse document frequency, of a first pass over the data")
	f.StringVar(&t.length, "norm", "", "scale each document to length one: l1 or l2")
	f.StringVar(&t.vocabularyFile, "vocabulary", "", "file of the only terms to count, one a line")
	f.StringVar(&t.minDF, "min-df", "", "leave out terms in fewer than `N` documents, or a share of them below 1")
	f.StringVar(&t.maxDF, "max-df", "", "leave out terms in more than `N` documents, or a share of them below 1")
	f.IntVar(&t.maxFeatures, "max-features", 0, "keep the `N` most frequent terms")
	f.StringVar(&t.selection, "select", "", "keep the N terms that tell most of the class: chi2:N or mi:N")
	f.IntVar(&t.hashBits, "hash", 0, "count terms in 2^`BITS` columns that they are hashed to, 1 to 30, and keep no vocabulary")
	f.StringVar(&t.calibrate, "calibrate", "none", "make probabilities come true by examples held out: temperature, isotonic or none")
	f.IntVar(&t.workers, "workers", 0, "cores to use (default all)")
}

// space returns the Space that the flags describe.
func (t *trainer) space(cmd *cobra.Command) (*bayes.Space, error) {
	analyzer, err := t.analyzerOf(cmd)
	if err != nil {
		return nil, err
	}
	s := &bayes.Space{Analyzer: analyzer, NumberValues: t.numericModel != "gaussian", Histograms: t.alpha == "evidence-documents"}
	if cmd.Flags().Changed("hash") {
		if t.hashBits < 1 || t.hashBits > 30 {
			return nil, wrongUsage(cmd, "--hash %d: want 1 to 30 bits", t.hashBits)
		}
		if t.vocabularyFile != "" {
			return nil, wrongUsage(cmd, "--hash keeps no vocabulary: leave out --vocabulary")
		}
		s.HashBits = t.hashBits
	}
	if cmd.Flags().Changed("subword-weight") && t.subwords == "" {
		return nil, wrongUsage(cmd, "--subword-weight goes with --subwords")
	}
	if !(0.001 <= t.subwordWeight && t.subwordWeight <= 1000) {
		return nil, wrongUsage(cmd, "--subword-weight %v: want a number from 0.001 to 1000", t.subwordWeight)
	}
	s.SubwordWeight = t.subwordWeight
	if s.Histograms && t.subwords != "" && t.subwordWeight != 1 {
		return nil, wrongUsage(cmd, "--alpha evidence-documents counts whole terms: add --subword-weight 1")
	}
	switch t.weighting {
	case "count":
	case "presence":
		s.Binary = true
	case "log":
		s.Log = true
	default:
		return nil, wrongUsage(cmd, "--weighting %s: want count, presence or log", t.weighting)
	}
	if t.length != "" {
		if s.Norm, err = bayes.ParseNorm(t.length); err != nil {
			return nil, wrongUsage(cmd, "--norm: %w", err)
		}
	}
	if t.vocabularyFile != "" {
		if s.Vocabulary, err = readLines(t.vocabularyFile); err != nil {
			return nil, err
		}
		if len(s.Vocabulary) == 0 {
			return nil, fmt.Errorf("%s: no terms", t.vocabularyFile)
		}
	}
	return s, nil
}

// analyzerOf returns the analyzer that the flags describe.
func (t *trainer) analyzerOf(cmd *cobra.Command) (*text.Analyzer, error) {
	spec, err := t.segmenterName(cmd)
	if err != nil {
		return nil, err
	}
	option := func(given bool, word string) {
		if given {
			spec += " " + word
		}
	}
	option(t.form != "as-is", "form="+t.form)
	option(!t.lowercase, "lowercase=false")
	option(t.accents != "keep", "accents="+t.accents)
	option(t.negation, "negation=true")
	option(t.minLength != 1, fmt.Sprint("min-length=", t.minLength))
	option(t.stem != "", "stem="+t.stem)
	option(t.subwords != "", "subwords="+t.subwords)
	option(t.ngrams != "1", "ngrams="+t.ngrams)
	if t.stopwords != "" {
		list, err := stopWordsOf(t.stopwords)
		if err != nil {
			return nil, err
		}
		spec += " stopwords=" + list.String()
	}
	analyzer, err := text.Parse(spec, languages()...)
	if err != nil {
		return nil, wrongUsage(cmd, "%w", err)
	}
	return analyzer, nil
}

// segmenterName returns the segmenter that --analyzer, --chars and --char-words
// describe.
func (t *trainer) segmenterName(cmd *cobra.Command) (string, error) {
	if t.analyzer != "chars" {
		if (t.chars != "" || t.charWords) && cmd.Flags().Changed("analyzer") {
			return "", wrongUsage(cmd, "--chars and --char-words go with --analyzer chars")
		}
		if t.chars == "" && !t.charWords {
			return t.analyzer, nil
		}
	}
	if t.ngrams != "1" {
		return "", wrongUsage(cmd, "--ngrams is for words: the length of character n-grams is --chars")
	}
	lengths := t.chars
	if lengths == "" {
		lengths = "2-4"
	}
	if t.charWords {
		return "char-words=" + lengths, nil
	}
	return "chars=" + lengths, nil
}

// eventModel returns the event model that the flags describe.
func (t *trainer) eventModel(cmd *cobra.Command) (bayes.EventModel, error) {
	prior, smoothing, err := t.imagined(cmd)
	if err != nil {
		return nil, err
	}
	if t.norm && t.model != "complement" {
		return nil, wrongUsage(cmd, "--complement-norm goes with --model complement")
	}
	number, err := t.numberModel(cmd, prior, smoothing)
	if err != nil {
		return nil, err
	}
	category := bayes.Categorical{Prior: prior, Smoothing: smoothing}
	mixed := bayes.Mixed{Prior: prior, Number: number, Category: category}
	switch t.model {
	case "multinomial":
		mixed.Text = bayes.Multinomial{Prior: prior, Smoothing: smoothing}
	case "complement":
		mixed.Text = bayes.Complement{Prior: prior, Smoothing: smoothing, Normalize: t.norm}
	case "bernoulli":
		mixed.Text = bayes.Bernoulli{Prior: prior, Smoothing: smoothing}
	case "gaussian":
		return number, nil
	case "categorical":
		return category, nil
	default:
		return nil, wrongUsage(cmd, "--model %s: want multinomial, complement, bernoulli, gaussian or categorical", t.model)
	}
	if mixed.Text, err = t.selected(cmd, mixed.Text); err != nil {
		return nil, err
	}
	if len(t.Numeric)+len(t.Categorical) > 0 {
		return mixed, nil
	}
	return mixed.Text, nil
}

// selected returns em for the terms that the flags select.
func (t *trainer) selected(cmd *cobra.Command, em bayes.EventModel) (bayes.EventModel, error) {
	if t.minDF == "" && t.maxDF == "" && t.maxFeatures == 0 && t.selection == "" {
		return em, nil
	}
	spec := "selected"
	for _, option := range []struct{ key, value string }{{"min-df", t.minDF}, {"max-df", t.maxDF}} {
		if option.value != "" {
			spec += " " + option.key + "=" + option.value
		}
	}
	if t.maxFeatures != 0 {
		spec += fmt.Sprintf(" max-features=%d", t.maxFeatures)
	}
	if score, n, ok := strings.Cut(t.selection, ":"); ok {
		spec += " best=" + n + " score=" + score
	} else if t.selection != "" {
		return nil, wrongUsage(cmd, "--select %s: want chi2:N or mi:N", t.selection)
	}
	parsed, err := bayes.ParseEventModel(spec + fmt.Sprintf(" model=(%v)", em))
	if err != nil {
		return nil, wrongUsage(cmd, "%w", err)
	}
	return parsed, nil
}

// numberModel returns the event model of numbers.
func (t *trainer) numberModel(cmd *cobra.Command, prior bayes.Prior, smoothing bayes.Smoothing) (bayes.EventModel, error) {
	if t.variance != "feature" && t.variance != "shared" {
		return nil, wrongUsage(cmd, "--variance %s: want feature or shared", t.variance)
	}
	if !(t.varSmoothing >= 0 && t.varSmoothing <= maxAlpha) {
		return nil, wrongUsage(cmd, "--var-smoothing %v: want a number from 0 up to 1e150", t.varSmoothing)
	}
	switch t.numericModel {
	case "gaussian":
		g := bayes.Gaussian{Prior: prior, VarSmoothing: t.varSmoothing, Shared: t.variance == "shared"}
		if t.varSmoothing == 0 {
			g.VarSmoothing = bayes.NoVarSmoothing
		}
		return g, nil
	case "kernel":
		return bayes.Kernel{Prior: prior}, nil
	case "discrete":
		return bayes.Discrete{Prior: prior, Smoothing: smoothing}, nil
	}
	return nil, wrongUsage(cmd, "--numeric-model %s: want gaussian, kernel or discrete", t.numericModel)
}

// imagined reads --prior and --alpha: what is taken to be known beforehand.
func (t *trainer) imagined(cmd *cobra.Command) (bayes.Prior, bayes.Smoothing, error) {
	prior, err := bayes.ParsePrior(t.prior)
	if err != nil {
		return nil, nil, wrongUsage(cmd, "--prior: %w", err)
	}
	smoothing, err := t.smoothing(cmd)
	return prior, smoothing, err
}

// maxAlpha is the largest smoothing, beyond which sums over features overflow.
const maxAlpha = 1e150

// smoothing reads --alpha: a number, or a file.
func (t *trainer) smoothing(cmd *cobra.Command) (bayes.Smoothing, error) {
	if v, err := strconv.ParseFloat(t.alpha, 64); err == nil {
		if !(v >= 0 && v <= maxAlpha) {
			return nil, wrongUsage(cmd, "--alpha %s: want a number from 0 up to 1e150", t.alpha)
		}
		return bayes.Additive(v), nil
	}
	if t.alpha == "loo" {
		return bayes.Additive(1), nil // until the counts are there
	}
	if strings.HasPrefix(t.alpha, "evidence") {
		s, err := bayes.ParseSmoothing(t.alpha)
		if err != nil {
			return nil, wrongUsage(cmd, "--alpha %s: want evidence, evidence-terms or evidence-documents", t.alpha)
		}
		return s, nil
	}
	lines, err := readLines(t.alpha)
	if err != nil {
		return nil, wrongUsage(cmd, "--alpha: neither a number nor a file: %w", err)
	}
	per := bayes.PerFeature{Alpha: make(map[string]float64), Else: 1}
	for i, line := range lines {
		term, number, ok := strings.Cut(line, "\t")
		v, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || !(v >= 0 && v <= maxAlpha) {
			return nil, fmt.Errorf("%s:%d: want term<TAB>alpha, with alpha a number from 0 up to 1e150", t.alpha, i+1)
		}
		per.Alpha[term] = v
	}
	return per, nil
}

// readLines returns the lines of a file that are not empty.
func readLines(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	var lines []string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if line := strings.TrimSuffix(s.Text(), "\r"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, plain(s.Err())
}

func (a *app) trainCommand() *cobra.Command {
	var (
		t    trainer
		u    = tuning{folds: 10, seed: 1}
		auto bool
		out  Writing
	)
	cmd := &cobra.Command{
		Use:   "train FILE... -o MODEL",
		Short: "Count labelled examples and write a model",
		Example: `  bayes train mail.csv -o mail.nb
  bayes train spam.csv --label v1 --text v2 --model bernoulli -o sms.nb
  bayes train reviews.jsonl --ngrams 1-2 --alpha 0.1 -o reviews.nb
  bayes train reviews.csv --auto -o reviews.nb
  zcat big.csv.gz | bayes train - --format csv -o big.nb`,
		Args: args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := out.missing(cmd, "-o MODEL"); err != nil {
				return err
			}
			to, err := out.Plan(files)
			if err != nil {
				return err
			}
			if !auto {
				return a.train(cmd, &t, files, to)
			}
			found, err := a.tune(cmd, &t, &u, files)
			if err != nil {
				return err
			}
			a.note("best of %s settings: %v, accuracy %.4f, log loss %.4f in cross-validation", count(len(found)), found[0].setting, found[0].Accuracy, found[0].LogLoss)
			return a.trainTuned(cmd, t.withCalibration(cmd, found[0]), &t, files, to)
		},
	}
	t.addFlags(cmd)
	u.addFlags(cmd)
	cmd.Flags().BoolVar(&auto, "auto", false, "choose the flags that are not given by cross-validation, as tune does")
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	return cmd
}

func (a *app) train(cmd *cobra.Command, t *trainer, files []string, to Destination) error {
	start := time.Now()
	space, err := t.space(cmd)
	if err != nil {
		return err
	}
	em, err := t.eventModel(cmd)
	if err != nil {
		return err
	}
	t.Vectors = kindOf(em).values()
	src, err := a.open(&t.input, files)
	if err != nil {
		return err
	}
	if err := a.declare(src, space, em); err != nil {
		return err
	}
	c, err := a.count(cmd, src, space, t.workers)
	if err == nil && t.idf {
		weighted := *space
		weighted.IDF = c.IDF()
		c, err = a.count(cmd, src, &weighted, t.workers)
	}
	if err != nil {
		return err
	}
	var r trainingRecord
	if em, err = a.heldOut(cmd, t, src, c.Space(), em, &r); err != nil {
		return err
	}
	var features int
	err = a.save(to, c, em, func() (err error) {
		if features, err = bayes.CheckFit(c, em); err != nil {
			err = inFiles(files, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	a.warn(c.Classes(), features)
	r.set(c, time.Since(start))
	return a.reportTraining(&r, to.Name())
}

// count counts the examples of src on all cores.
func (a *app) count(cmd *cobra.Command, src *source, space *bayes.Space, workers int) (c *bayes.Counts, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		c, err = bayes.Count(cmd.Context(), space, src.examples(), &bayes.CountOptions{Workers: workers, Progress: progress})
		return err
	})
	src.finish()
	return c, err
}

// warn notes what is dubious about a model of some classes and features, but not
// wrong.
func (a *app) warn(classes []string, features int) {
	if len(classes) == 1 {
		a.note("note: there is one class only, %q, so every answer will be that", classes[0])
	}
	if features == 0 {
		a.note("note: no term was found, so every answer will be the prior")
	}
}

// A trainingRecord is what train says in JSON.
type trainingRecord struct {
	Documents   int64              `json:"documents"`
	Classes     map[string]int64   `json:"classes"`
	Terms       int                `json:"terms"`
	Seconds     float64            `json:"seconds"`
	Calibration *calibrationRecord `json:"calibration,omitempty"`
}

func (r *trainingRecord) set(c *bayes.Counts, took time.Duration) {
	r.Documents, r.Terms, r.Seconds, r.Classes = c.Examples(), c.Len(), took.Seconds(), make(map[string]int64)
	for _, label := range c.Classes() {
		r.Classes[label], _ = c.Class(label)
	}
}

func (a *app) reportTraining(r *trainingRecord, out string) error {
	if a.json {
		return writeJSON(a.stdout, r)
	}
	if c := r.Calibration; c != nil {
		a.note("%s: calibration error %.4f, was %.4f; log loss %.4f, was %.4f; of %s examples held out",
			c.Method, c.After.ECE, c.Before.ECE, c.After.LogLoss, c.Before.LogLoss, count(c.Documents))
	}
	a.note("%s: %s documents, %s classes, %s terms in %.2f s", out, count(r.Documents), count(len(r.Classes)), count(r.Terms), r.Seconds)
	return nil
}
