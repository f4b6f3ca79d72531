package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bayes"
	"bayes/eval"
	"bayes/feature"
	"bayes/internal/outfile"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A setting is some flags of train, as words.
type setting []string

// A dimension is what tune varies: some flags, which are left alone where they are
// given, and the settings to try.
type dimension struct {
	flags    []string
	settings []setting
}

// What tune varies. The settings are those that have been best, or near it, on
// some data of docs/accuracy.md.
var (
	analyzers = dimension{
		[]string{"analyzer", "ngrams", "subwords", "chars", "char-words", "negation", "stem"},
		[]setting{
			{},
			{"--ngrams", "1-2"},
			{"--ngrams", "1-3"},
			{"--ngrams", "1-2", "--subwords", "3-5"},
			{"--ngrams", "1-3", "--subwords", "3-5"},
			{"--ngrams", "1-2", "--negation", "--stem", "en"},
			{"--ngrams", "1-2", "--negation", "--stem", "en", "--subwords", "3-5"},
			{"--analyzer", "chars", "--chars", "2-4"},
			{"--analyzer", "chars", "--chars", "2-5", "--char-words"},
		},
	}
	weightings = dimension{
		[]string{"weighting", "idf", "norm"},
		[]setting{
			{},
			{"--weighting", "presence"},
			{"--weighting", "log"},
			{"--idf", "--norm", "l2"},
			{"--weighting", "log", "--idf", "--norm", "l2"},
		},
	}
	limits = dimension{
		[]string{"min-df", "max-df", "max-features", "select"},
		[]setting{{}, {"--min-df", "2"}, {"--select", "chi2:20000"}},
	}
	textModels = dimension{
		[]string{"model", "complement-norm"},
		[]setting{
			{},
			{"--model", "complement"},
			{"--model", "complement", "--complement-norm"},
			{"--model", "bernoulli"},
		},
	}
	numberModels = dimension{
		[]string{"model", "numeric-model", "variance", "var-smoothing"},
		[]setting{{}, {"--numeric-model", "kernel"}, {"--numeric-model", "discrete"}},
	}
	alphas = dimension{
		[]string{"alpha"},
		[]setting{
			{"--alpha", "0.003"}, {"--alpha", "0.01"}, {"--alpha", "0.02"}, {"--alpha", "0.05"}, {"--alpha", "0.1"}, {"--alpha", "0.2"},
			{"--alpha", "0.3"}, {"--alpha", "0.5"}, {"--alpha", "0.7"}, {}, {"--alpha", "1.5"}, {"--alpha", "2"},
		},
	}
)

// worthwhile reports whether a setting is not the same as another, or one that is
// hardly ever better.
func worthwhile(s setting) bool {
	has := func(word string) bool { return slices.Contains(s, word) }
	weighted := has("--weighting") || has("--idf")
	switch {
	case has("bernoulli") && weighted: // it sees presence only
		return false
	case has("--complement-norm") && !has("--idf"):
		return false
	case has("--select") && (weighted || has("--model")):
		return false
	}
	return true
}

// tuning holds the flags of a search.
type tuning struct {
	folds  int
	seed   uint32
	budget float64
}

func (u *tuning) addFlags(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&u.budget, "budget", 600, "`SECONDS` after which no further setting is tried; 0 means no limit")
}

func (a *app) tuneCommand() *cobra.Command {
	var (
		t   trainer
		u   = tuning{folds: 10, seed: 1}
		out Writing
	)
	cmd := &cobra.Command{
		Use:   "tune FILE... [-o MODEL]",
		Short: "Search for the best flags of train, by cross-validation",
		Long: `Search for the flags of train that give the most accurate model in
cross-validation: analyzer, n-grams, subwords, weighting, idf and norm, limits and
selection of terms, event model, smoothing. What is given is left as it is. All
settings are tried on a few documents, the best quarter of them on four times as
many, and so on to all documents. With -o the best one is trained.

Each figure is of the model's own folds, and the best of many is a little too good:
test on a file of its own what you report.`,
		Example: `  bayes tune reviews.csv
  bayes tune mail.csv -o mail.nb
  bayes tune tickets.csv --analyzer ko --budget 60 --json`,
		Args: args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			start := time.Now()
			to, err := out.Plan(files)
			if err != nil {
				return err
			}
			found, err := a.tune(cmd, &t, &u, files)
			if err != nil {
				return err
			}
			best := t.withCalibration(cmd, found[0])
			if err := a.printTuning(cmd, found, best, files, out.name, time.Since(start)); err != nil || to == nil {
				return err
			}
			return a.trainTuned(cmd, best, &t, files, to)
		},
	}
	t.addFlags(cmd)
	u.addFlags(cmd)
	cmd.Flags().IntVar(&u.folds, "folds", 10, "number of folds")
	cmd.Flags().Uint32Var(&u.seed, "seed", 1, "seed of the shuffling")
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the best model to")
	return cmd
}

// A tuned setting is one that was tried.
type tuned struct {
	setting
	eval.Trial
	documents int
	best      bool // of those that differ in smoothing only
}

// tune tries the settings that the flags leave open, and returns what it tried,
// best first.
func (a *app) tune(cmd *cobra.Command, t *trainer, u *tuning, files []string) ([]tuned, error) {
	examples, spaces, err := a.tuningData(cmd, t, files)
	if err != nil {
		return nil, err
	}
	if u.folds < 2 {
		return nil, wrongUsage(cmd, "--folds %d: want 2 or more", u.folds)
	}
	if !cmd.Flags().Changed("folds") {
		u.folds = min(u.folds, max(2, largestClass(examples)))
	}
	base, smoothings := t.settings(cmd, spaces)
	var candidates []eval.Candidate
	for _, s := range base {
		c, err := a.candidate(cmd, s, smoothings)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, c)
	}
	opts := &eval.SearchOptions{Folds: u.folds, Seed: u.seed, Budget: time.Duration(u.budget * float64(time.Second))}
	finish := a.tuningProgress(opts)
	found, err := eval.Search(cmd.Context(), examples, candidates, opts)
	finish()
	if err != nil {
		return nil, inFiles(files, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("--budget %v: too little to try a single setting", u.budget)
	}
	var list []tuned
	for _, f := range found {
		for i, trial := range f.Trials {
			list = append(list, tuned{slices.Concat(base[f.Candidate], smoothings[i]), trial, f.Examples, i == f.Best})
		}
	}
	slices.SortStableFunc(list, func(x, y tuned) int {
		switch {
		case x.documents != y.documents:
			return y.documents - x.documents
		case x.Accuracy > y.Accuracy, x.Accuracy == y.Accuracy && x.LogLoss < y.LogLoss:
			return -1
		case x.Accuracy == y.Accuracy && x.LogLoss == y.LogLoss:
			return 0
		}
		return 1
	})
	return list, nil
}

// largestClass returns how many examples the largest class has.
func largestClass(examples []bayes.Example) int {
	most, n := 0, make(map[string]int)
	for _, ex := range examples {
		n[ex.Label]++
		most = max(most, n[ex.Label])
	}
	return most
}

// tuningData reads the examples, and reports whether their text is to be analyzed:
// svmlight's is not.
func (a *app) tuningData(cmd *cobra.Command, t *trainer, files []string) (examples []bayes.Example, analyzed bool, err error) {
	em, err := t.eventModel(cmd)
	if err != nil {
		return nil, false, err
	}
	t.Vectors = kindOf(em).values()
	src, err := a.open(&t.input, files)
	if err != nil {
		return nil, false, err
	}
	formats, err := src.Formats()
	if err != nil {
		return nil, false, err
	}
	analyzed = !slices.Contains(formats, "svmlight") && (len(t.Text) > 0 || len(t.Numeric)+len(t.Categorical) == 0)
	err = a.progress(src, func(progress func(int64)) error {
		for ex, err := range src.examples() {
			if err != nil {
				return err
			}
			if examples = append(examples, ex); progress != nil && len(examples)%1000 == 0 {
				progress(int64(len(examples)))
			}
		}
		return cmd.Context().Err()
	})
	src.finish()
	if err == nil && len(examples) == 0 {
		err = inFiles(files, bayes.ErrEmpty)
	}
	return examples, analyzed, err
}

// settings returns the settings to try, and the smoothings to try with each.
func (t *trainer) settings(cmd *cobra.Command, analyzed bool) (base, smoothings []setting) {
	var dimensions []dimension
	if analyzed {
		dimensions = append(dimensions, analyzers)
	}
	if len(t.Numeric) > 0 {
		dimensions = append(dimensions, numberModels)
	}
	if analyzed || len(t.Numeric)+len(t.Categorical) == 0 {
		dimensions = append(dimensions, weightings, limits, textModels)
	}
	base = []setting{{}}
	for _, d := range dimensions {
		base = combine(base, d.open(cmd))
	}
	base = slices.DeleteFunc(base, func(s setting) bool { return !worthwhile(s) || !t.suits(s) })
	return base, alphas.open(cmd)
}

// suits reports whether a setting goes with a smoothing that was given: evidence is not for
// Bernoulli, and of documents it wants whole counts; normalised weights want a smoothing
// above 0 for each term.
func (t *trainer) suits(s setting) bool {
	has := func(word string) bool { return slices.Contains(s, word) }
	number, err := strconv.ParseFloat(t.alpha, 64)
	zero := err == nil && number == 0
	switch {
	case strings.HasPrefix(t.alpha, "evidence") && has("bernoulli"),
		t.alpha == "evidence-documents" && (has("--norm") || has("--subwords")),
		(t.alpha == "evidence-terms" || zero) && has("--complement-norm"):
		return false
	}
	return true
}

// open returns the settings of d, or, if one of its flags is given, what is given.
func (d dimension) open(cmd *cobra.Command) []setting {
	for _, name := range d.flags {
		if cmd.Flags().Changed(name) {
			return []setting{{}}
		}
	}
	return d.settings
}

func combine(a, b []setting) []setting {
	var all []setting
	for _, x := range a {
		for _, y := range b {
			all = append(all, slices.Concat(x, y))
		}
	}
	return all
}

// withCalibration returns the setting that was best, and a calibration if it needs one and
// there are enough examples: normalised weights say which class is best, but their size
// means nothing.
func (t *trainer) withCalibration(cmd *cobra.Command, best tuned) setting {
	const enough = 20
	if !t.norm && !slices.Contains(best.setting, "--complement-norm") || cmd.Flags().Changed("calibrate") || best.documents < enough {
		return best.setting
	}
	return slices.Concat(best.setting, setting{"--calibrate", "temperature"})
}

// candidate returns what a setting describes, beside the flags that are given.
func (a *app) candidate(cmd *cobra.Command, s setting, smoothings []setting) (eval.Candidate, error) {
	var c eval.Candidate
	for _, smoothing := range smoothings {
		t, with, err := given(cmd, slices.Concat(s, smoothing))
		if err != nil {
			return c, err
		}
		if c.Space, err = t.space(with); err != nil {
			return c, err
		}
		if t.idf {
			c.Space.IDF = feature.WeightsIDF(nil) // until there is a training part
		}
		em, err := t.eventModel(with)
		if err != nil {
			return c, err
		}
		c.Models = append(c.Models, em)
	}
	return c, nil
}

// given returns a trainer with the flags that cmd was given and those of a
// setting.
func given(cmd *cobra.Command, s setting) (*trainer, *cobra.Command, error) {
	t, with := new(trainer), &cobra.Command{Use: cmd.Use}
	t.addFlags(with)
	var failed error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		other := with.Flags().Lookup(f.Name)
		if other == nil {
			return
		}
		other.Changed = true
		if list, ok := f.Value.(pflag.SliceValue); ok {
			failed = cmp.Or(failed, other.Value.(pflag.SliceValue).Replace(list.GetSlice()))
			return
		}
		failed = cmp.Or(failed, other.Value.Set(f.Value.String()))
	})
	return t, with, cmp.Or(failed, with.ParseFlags(s))
}

// tuningProgress shows how far a search is, and returns what ends that.
func (a *app) tuningProgress(opts *eval.SearchOptions) (finish func()) {
	if a.quiet || !isTerminal(a.stderr) {
		return func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(a.stderr.file), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
	opts.Progress = func(examples, done, all int) {
		bar.Describe(fmt.Sprintf("settings, on %s documents", count(examples)))
		bar.ChangeMax(all)
		bar.Set(done)
	}
	return func() { bar.Finish() }
}

// values returns a setting as flags with their values.
func (s setting) values() map[string]string {
	values := make(map[string]string)
	for i := 0; i < len(s); i++ {
		name := strings.TrimPrefix(s[i], "--")
		values[name] = "true"
		if i+1 < len(s) && !strings.HasPrefix(s[i+1], "--") {
			i++
			values[name] = s[i]
		}
	}
	return values
}

// printTuning shows the best settings, and the command that trains the best.
func (a *app) printTuning(cmd *cobra.Command, found []tuned, best setting, files []string, out string, took time.Duration) error {
	if a.json {
		type trial struct {
			Flags     map[string]string `json:"flags"`
			Accuracy  float64           `json:"accuracy"`
			LogLoss   float64           `json:"log_loss"`
			Documents int               `json:"documents"`
		}
		var trials []trial
		for _, f := range found {
			trials = append(trials, trial{f.values(), f.Accuracy, f.LogLoss, f.documents})
		}
		return writeJSON(a.stdout, map[string]any{"best": best.values(), "trials": trials, "seconds": took.Seconds()})
	}
	rows := [][]string{{"flags", "accuracy", "log loss", "documents"}}
	for _, f := range found {
		if len(rows) > 10 {
			break
		}
		if f.best {
			rows = append(rows, []string{f.String(), fmt.Sprintf("%.4f", f.Accuracy), fmt.Sprintf("%.4f", f.LogLoss), count(f.documents)})
		}
	}
	table(a.stdout, rows)
	if out == "" {
		out = "model.nb"
	}
	fmt.Fprintf(a.stdout, "\nbayes train %s\n", strings.Join(a.command(cmd, best, files, out), " "))
	a.note("%s settings in %.1f s", count(len(found)), took.Seconds())
	return nil
}

func (s setting) String() string {
	if len(s) == 0 {
		return "(none)"
	}
	return strings.Join(s, " ")
}

// command returns the words after "bayes train" that train a setting.
func (a *app) command(cmd *cobra.Command, s setting, files []string, out string) []string {
	var words []string
	for _, name := range files {
		words = append(words, shellQuoted(name))
	}
	known := new(cobra.Command)
	new(trainer).addFlags(known)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if known.Flags().Lookup(f.Name) == nil {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, shellQuoted("--"+f.Name+"="+value))
	})
	return append(append(words, s...), "-o", shellQuoted(out))
}

// shellQuoted returns a word as a shell reads it.
func shellQuoted(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+%@", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// trainTuned trains with a setting, beside the flags that are given.
func (a *app) trainTuned(cmd *cobra.Command, best setting, t *trainer, files []string, to Destination) error {
	for name, value := range best.values() {
		if err := cmd.Flags().Set(name, value); err != nil {
			return err
		}
	}
	return a.train(cmd, t, files, to)
}
