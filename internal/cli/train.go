package cli

import (
	"iter"
	"slices"
	"time"

	"bayes"
	"bayes/dataset"
	"bayes/eval"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

func (a *App) trainCommand() *cobra.Command {
	var (
		t    Trainer
		s    = searchFlags{folds: 5, seed: 1}
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
  bayes train topics.csv --label-separator ';' -o topics.nb
  bayes train labelled.csv --unlabelled tickets.csv -o tickets.nb
  bayes train tickets.csv --known 0.95 -o tickets.nb
  zcat big.csv.gz | bayes train - --format csv -o big.nb`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := out.missing(cmd, "-o MODEL"); err != nil {
				return err
			}
			if err := t.checkKnown(cmd); err != nil {
				return err
			}
			if err := t.checkUnlabelled(cmd, files, auto); err != nil {
				return err
			}
			to, err := out.Plan(slices.Concat(files, t.unlabelled))
			if err != nil {
				return err
			}
			if !auto {
				a.noteUnsearched(cmd)
				return a.train(cmd, &t, files, to)
			}
			if err := checkReread(files); err != nil {
				return err
			}
			with, shown, err := a.found(cmd, &t, &s, files)
			if err != nil {
				return err
			}
			a.noteSearch(shown)
			return a.train(cmd, with, files, to)
		},
	}
	t.AddFlags(cmd)
	t.knownFlag(cmd)
	t.AddLabelFlags(cmd)
	s.addFlags(cmd)
	cmd.Flags().BoolVar(&auto, "auto", false, "choose the flags that are not given by cross-validation, as tune does")
	Group(cmd, SearchFlags)
	cmd.Flags().StringArrayVar(&t.unlabelled, "unlabelled", nil, "learn from the documents of `FILE` too, whose labels are ignored, if that helps labelled ones that are held out; may be repeated")
	cmd.Flags().BoolVar(&t.asked, "asked", false, "labelled documents were asked for because they are hard, rather than drawn; of files of bayes label these say (with --unlabelled)")
	Group(cmd, InputFlags)
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	return cmd
}

// noteUnsearched notes flags of a search that there is not.
func (a *App) noteUnsearched(cmd *cobra.Command) {
	for _, flag := range []string{"budget", "metric"} {
		if cmd.Flags().Changed(flag) {
			a.Note("note: --%s is for --auto, and changes nothing here", flag)
		}
	}
}

// train counts the examples of files, fits them, and writes a model.
func (a *App) train(cmd *cobra.Command, t *Trainer, files []string, to Destination) error {
	start := time.Now()
	space, em, src, err := a.prepare(cmd, t, files, t.Space)
	if err != nil {
		return err
	}
	if t.model.correct {
		defer spareMemory()()
	}
	if err := t.checkUnlabelled(cmd, files, false); err != nil { // defaults have set flags
		return err
	}
	if len(t.unlabelled) > 0 { // what has labels is little, and read again
		if src, err = a.keepExamples(cmd, src); err != nil {
			return err
		}
	}
	c, em, held, err := a.learnFrom(cmd, t, src, space, em)
	if err != nil {
		return err
	}
	var semi *unlabelledRecord
	if len(t.unlabelled) > 0 {
		if em, semi, err = a.learnUnlabelled(cmd, t, files, src, c, em); err != nil {
			return err
		}
		if em, held.calibration, err = t.calibrateUnlabelled(em, semi); err != nil {
			return err
		}
	}
	t.Remember(c)
	// The file is encoded while the fit is checked, and written only if that succeeds.
	var m *bayes.Model
	err = a.save(to, c, em, func() (err error) {
		if m, err = bayes.Fit(c, em); err != nil {
			err = inFiles(files, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	a.Warn(m)
	r := newTrainingRecord(c, m.Len(), time.Since(start), held)
	r.Unlabelled = semi
	return a.reportTraining(r, to.Name())
}

// TrainOn returns what train writes of examples that are in memory rather than in files: their counts, and
// the event model with what is chosen by examples held out. The caller may declare terms and labels in space.
func (a *App) TrainOn(cmd *cobra.Command, t *Trainer, space *bayes.Space, examples iter.Seq2[bayes.Example, error]) (*bayes.Counts, bayes.EventModel, error) {
	em, err := t.EventModel(cmd)
	if err != nil {
		return nil, nil, err
	}
	if t.model.correct {
		defer spareMemory()()
	}
	c, em, _, err := a.learnFrom(cmd, t, &source{Source: new(dataset.Source), app: a, memory: examples}, space, em)
	return c, em, err
}

// learnFrom counts the examples of src in space, and chooses by them what em leaves open.
func (a *App) learnFrom(cmd *cobra.Command, t *Trainer, src *source, space *bayes.Space, em bayes.EventModel) (*bayes.Counts, bayes.EventModel, heldOutRecord, error) {
	c, examples, err := a.countOrKeep(cmd, t, src, space)
	if err != nil {
		return nil, nil, heldOutRecord{}, err
	}
	if c != nil {
		space = c.Space()
	}
	em = a.settleDefaults(cmd, t, c, examples, em)
	em, held, err := a.chooseHeldOut(cmd, t, src, examples, space, em)
	if err != nil {
		return nil, nil, heldOutRecord{}, err
	}
	if c == nil { // only now, as learning needs much memory
		c = examples.IntoCounts()
	}
	return c, em, held, nil
}

// prepare returns the event model that t describes, the space, which spaceOf reads from its flags, and the
// source of files, which has what they need. Of mail and of several labels, flags that are not given are set first.
func (a *App) prepare(cmd *cobra.Command, t *Trainer, files []string, spaceOf func(*cobra.Command) (*bayes.Space, error)) (space *bayes.Space, em bayes.EventModel, src *source, err error) {
	describe := func() {
		if space, err = spaceOf(cmd); err == nil {
			em, err = t.EventModel(cmd)
		}
	}
	t.defaultsOfSets(cmd)
	if describe(); err != nil {
		return nil, nil, nil, err
	}
	t.Vectors = kindOf(em).values()
	if src, err = a.open(&t.Input, files); err != nil {
		return nil, nil, nil, err
	}
	isMail, err := a.defaultsOfMail(cmd, t, src)
	if err != nil {
		return nil, nil, nil, err
	}
	if isMail {
		if describe(); err != nil {
			return nil, nil, nil, err
		}
	}
	return space, em, src, a.declare(src, space, em)
}

// countOrKeep counts the examples of src, or keeps them, if corrections are learned from them.
func (a *App) countOrKeep(cmd *cobra.Command, t *Trainer, src *source, space *bayes.Space) (c *bayes.Counts, examples *bayes.Corpus, err error) {
	if t.model.correct && !t.NeedsIDF() {
		examples, err = a.readCorpus(cmd, src, space, t.workers)
		return nil, examples, err
	}
	c, err = a.count(cmd, src, space, t.workers)
	// A first pass counted the documents of each term; a second weighs terms by them.
	if err == nil && t.NeedsIDF() {
		weighted := *space
		weighted.IDF = c.IDF()
		c, err = a.count(cmd, src, &weighted, t.workers)
	}
	return c, nil, err
}

// A trainingRecord is what train says in JSON.
type trainingRecord struct {
	Documents   int64              `json:"documents"`
	Classes     map[string]int64   `json:"classes"`
	Terms       int                `json:"terms"`
	Seconds     float64            `json:"seconds"`
	Calibration *calibrationRecord `json:"calibration,omitempty"`
	Cutoffs     []cutoffRecord     `json:"cutoffs,omitempty"`
	Known       *knownRecord       `json:"known,omitempty"`
	HeldOut     *setsHeldOut       `json:"held_out,omitempty"`
	Costs       *costsRecord       `json:"costs,omitempty"`
	Unlabelled  *unlabelledRecord  `json:"unlabelled,omitempty"`
	features    string             // how many terms, for people
	cutoffs     []eval.Cutoff
}

func newTrainingRecord(c *bayes.Counts, features int, took time.Duration, held heldOutRecord) *trainingRecord {
	known := min(features, c.Len())
	r := &trainingRecord{
		Documents: c.Examples(), Classes: make(map[string]int64), Terms: known, Seconds: took.Seconds(),
		Calibration: held.calibration, HeldOut: held.sets, Cutoffs: cutoffRecords(held.cutoffs), Costs: held.costs, Known: held.known, features: featureCount(known, c), cutoffs: held.cutoffs,
	}
	for _, label := range c.Classes() {
		n, _ := c.Class(label)
		for _, label := range labelsOf(c.Space(), label) {
			r.Classes[label] += n
		}
	}
	return r
}

// ReportTraining says what was counted, how many features the model knows of it, and in what time.
func (a *App) ReportTraining(c *bayes.Counts, features int, out string, took time.Duration) error {
	return a.reportTraining(newTrainingRecord(c, features, took, heldOutRecord{}), out)
}

func (a *App) reportTraining(r *trainingRecord, out string) error {
	if a.json {
		return a.PrintJSON(r)
	}
	if c := r.Calibration; c != nil {
		a.Note("%s: calibration error %.4f, was %.4f; log loss %.4f, was %.4f; of %s examples held out",
			c.Method, c.After.ECE, c.Before.ECE, c.After.LogLoss, c.Before.LogLoss, Count(c.Documents))
	}
	a.noteCutoffs(r.cutoffs)
	a.noteKnown(r.Known)
	r.HeldOut.note(a)
	a.noteCosts(r.Costs)
	a.Note("%s: %s, %s, %s in %.2f s", out, plural(r.Documents, "document"), plural(len(r.Classes), "class"), r.features, r.Seconds)
	return nil
}
