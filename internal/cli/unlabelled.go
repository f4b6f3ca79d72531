package cli

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/internal/labelling"
	"bayes/label"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

// An unlabelledRecord is what documents without a label did, in JSON.
type unlabelledRecord struct {
	Documents   int      `json:"documents"`
	Known       int      `json:"known"` // those with a term that a labelled one has
	Weight      float64  `json:"weight"`
	Alpha       string   `json:"alpha,omitempty"` // the smoothing
	Rounds      int      `json:"rounds"`
	Centred     bool     `json:"centred,omitempty"`           // whether log-probabilities were
	Both        bool     `json:"both,omitempty"`              // whether half of what is learned was centred, and half was not
	Accuracy    *float64 `json:"accuracy,omitempty"`          // of labelled documents held out, nil if none were
	AccuracyOld *float64 `json:"accuracy_labelled,omitempty"` // without those without a label
	Asked       bool     `json:"asked,omitempty"`             // whether labelled documents were asked for because they are hard

	labelled int
	heldOut  *eval.Scores // nil if nothing was held out
}

// checkUnlabelled returns an error if a flag does not go with --unlabelled.
func (t *Trainer) checkUnlabelled(cmd *cobra.Command, files []string, auto bool) error {
	if len(t.unlabelled) == 0 && cmd.Flags().Changed("asked") {
		return WrongUsage(cmd, "--asked goes with --unlabelled")
	}
	if slices.Contains(files, "-") && slices.Contains(t.unlabelled, "-") {
		return WrongUsage(cmd, "--unlabelled -: standard input is read once, and FILE is -, too")
	}
	for _, other := range []struct {
		given      bool
		flag, hint string
	}{
		{auto, "--auto", "its trials are of labelled documents alone"},
		{t.Corrects(), "--correct", "corrections are learned from labels, which shares of classes are not (of mail, --correct=false)"},
		{t.NeedsIDF(), "--idf", "it would be that of the few labelled documents"},
		{t.LeavesOneOut(), "--alpha loo", "the alpha that suits the labelled documents does not suit many more"},
		{t.HasCutoffs(), t.GoalFlag(), "what is held out is little, and cutoffs and costs need much"},
		{t.known > 0, "--known", "a document without a label that is of no class would be learned in them all the same"},
	} {
		if other.given && len(t.unlabelled) > 0 {
			return WrongUsage(cmd, "--unlabelled goes without %s: %s", other.flag, other.hint)
		}
	}
	return nil
}

// learnUnlabelled adds to c, the counts of src, which are those of files, what the documents of --unlabelled add, whose labels are ignored. It returns
// the event model with which the sum does best on labelled documents held out: em, if that is without them.
func (a *App) learnUnlabelled(cmd *cobra.Command, t *Trainer, files []string, src *source, c *bayes.Counts, em bayes.EventModel) (bayes.EventModel, *unlabelledRecord, error) {
	if c.Examples() == 0 {
		return nil, nil, inFiles(files, bayes.ErrEmpty)
	}
	in := t.Input
	in.Unlabelled = true
	others, err := a.open(&in, t.unlabelled)
	if err != nil {
		return nil, nil, err
	}
	opts := &eval.SemiSupervisedOptions{Asked: t.asked, Workers: t.workers}
	answers, err := answersIn(files)
	switch given := cmd.Flags().Changed("asked"); {
	case err != nil && !given:
		a.Note("note: %v, so its texts count as drawn (hint: --asked)", err)
	case 2*answers.asked > answers.all && !given:
		opts.Asked = true
		a.Note("note: %d of %s were asked for because they are hard (--asked=false says otherwise)", answers.asked, plural(answers.all, "answer"))
	}
	if cmd.Flags().Changed("alpha") {
		if opts.Smoothing, err = t.model.smoothing(cmd); err != nil {
			return nil, nil, err
		}
	}
	var finish func()
	opts.Progress, finish = a.runsProgress()
	var split labelledFirst
	found, err := eval.SemiSupervised(cmd.Context(), c.Space(), em, split.note(src.examples()), split.without(others.examples()), opts)
	finish()
	others.finish()
	if err != nil {
		return nil, nil, fmt.Errorf("--unlabelled: %w", err)
	}
	if split.ignored > 0 {
		a.Note("note: the labels of %s of %s are ignored", plural(split.ignored, "document"), strings.Join(t.unlabelled, " "))
	}
	if split.again > 0 {
		a.Note("note: %s of %s left out, since they are among the labelled ones", plural(split.again, "document"), strings.Join(t.unlabelled, " "))
	}
	a.noteUnlabelled(found, t.model.alpha)
	r := &unlabelledRecord{
		Documents: found.Unlabelled, Known: found.Known, Weight: found.Weight, Alpha: alphaOf(found.SemiTrial), Rounds: found.Rounds, Centred: found.Centred, Both: found.Both,
		Asked: opts.Asked, labelled: found.Labelled, heldOut: found.HeldOut,
	}
	if len(found.Trials) > 1 {
		r.Accuracy, r.AccuracyOld = &found.Accuracy, &found.Trials[0].Accuracy
	}
	if found.HeldOut != nil {
		answers.leaveOut(found.HeldOut, split.texts, opts.Asked)
	}
	return found.Model, r, c.Add(found.Counts)
}

// calibrateUnlabelled returns em with the calibration that the flags ask for, by what was said of labelled documents held out.
func (t *Trainer) calibrateUnlabelled(em bayes.EventModel, r *unlabelledRecord) (bayes.EventModel, *calibrationRecord, error) {
	if !t.Calibrates() {
		return em, nil, nil
	}
	if r.heldOut == nil {
		return nil, nil, fmt.Errorf("--calibrate: none of %s held out (hint: with --unlabelled it takes 30 of two classes, two of one at least, and others that have their terms)", plural(r.labelled, "labelled document"))
	}
	calibrated, record, _, err := calibrate(em, eval.Calibration(t.calibrate), r.heldOut)
	if err != nil {
		return nil, nil, fmt.Errorf("--calibrate: %w", err)
	}
	return calibrated, record, nil
}

// An answered is what files of bayes label say of their answers; nothing of other files.
type answered struct {
	all, asked   int             // how many answers there are, and how many to questions that were asked because they are hard
	drawn, words map[string]bool // the texts that were drawn, to measure by, and those that are words of classes
}

// answersIn reads the answers of files. The error is that of a damaged file.
func answersIn(files []string) (answered, error) {
	of := answered{drawn: make(map[string]bool), words: make(map[string]bool)}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // which can be read once
			return answered{}, nil
		}
		answers, err := label.ReadAnswers(name)
		if errors.Is(err, label.ErrNotAnswers) {
			return answered{}, nil
		}
		if err != nil {
			return answered{}, err
		}
		for _, answer := range answers {
			if answer.Row == labelling.Words {
				of.words[answer.Text] = true
				continue
			}
			of.all++
			if answer.Random {
				of.drawn[answer.Text] = true
			} else if answer.Who != "" {
				of.asked++
			}
		}
	}
	return of, nil
}

// enoughDrawn is how many texts were drawn among those that were asked for, from which on the probabilities of a model come true by them alone: the others are harder, so a model that is right about them as often as it says
// is right more often about what is to come. Fewer say too little (docs/labels-tried.md).
const enoughDrawn = 50

// leaveOut has no calibration read, of what s says of documents with the given texts, that of words of classes, which are easy, nor, if documents were asked for and enough others were drawn, that of what was asked for.
func (of answered) leaveOut(s *eval.Scores, texts []string, asked bool) {
	for i, text := range texts {
		if of.words[text] || asked && len(of.drawn) >= enoughDrawn && !of.drawn[text] {
			s.Fold[i] = -1
		}
	}
}

// alphaOf returns the smoothing with which documents without a label are learned, empty if they are not, or if it is a table.
func alphaOf(t eval.SemiTrial) string {
	if _, table := t.Smoothing.(bayes.PerFeature); table || t.Smoothing == nil {
		return ""
	}
	return t.Smoothing.String()
}

// labelledFirst tells labelled documents, which are read first, from others.
type labelledFirst struct {
	seen    map[string]int // documents with a label, and how often
	again   int            // others that are one of these, as where a part of a pile has been labelled
	ignored int            // others with a label
	texts   []string       // of the documents with a label
}

// note yields labelled examples.
func (l *labelledFirst) note(examples iter.Seq2[bayes.Example, error]) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		l.seen = make(map[string]int)
		for ex, err := range examples {
			if err == nil {
				l.seen[documentKey(ex)]++
				l.texts = append(l.texts, ex.Text)
			}
			if !yield(ex, err) {
				return
			}
		}
	}
}

// without yields the others, except those that are labelled documents: as many of the same as there are labelled.
func (l *labelledFirst) without(examples iter.Seq2[bayes.Example, error]) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for ex, err := range examples {
			if key := documentKey(ex); err == nil && l.seen[key] > 0 {
				l.seen[key]--
				l.again++
				continue
			}
			if ex.Label != "" {
				l.ignored++
			}
			if !yield(ex, err) {
				return
			}
		}
	}
}

// documentKey returns what is the same of two examples with the same document.
func documentKey(ex bayes.Example) string {
	if len(ex.Attrs) == 0 {
		return ex.Text
	}
	return fmt.Sprintf("%q %v", ex.Text, ex.Attrs)
}

// noteUnlabelled says what documents without a label do, or why they do nothing. The labelled alone are smoothed by alpha.
func (a *App) noteUnlabelled(s *eval.SemiSupervision, alpha string) {
	alone := ": the model is of the labelled documents alone"
	switch documents := plural(s.Unlabelled, "unlabelled document"); {
	case s.Unlabelled == 0:
		a.Note("no unlabelled document%s", alone)
	case s.Known == 0:
		a.Note("no unlabelled document has a term of the labelled ones%s (hint: are they in the same language, and the columns right?)", alone)
	case s.Weight == 0 && len(s.Trials) == 1:
		a.Note("%s: nothing to tell apart, which takes two classes%s", documents, alone)
	case s.Weight == 0 && s.Unlabelled == 1:
		a.Note("%s does not help, as far as %s say%s", documents, plural(s.Labelled, "labelled document"), alone)
	case s.Weight == 0:
		a.Note("%s do not help, as far as %s say%s", documents, plural(s.Labelled, "labelled document"), alone)
	default:
		smoothed, plain := "", ""
		if best := alphaOf(s.SemiTrial); best != "" {
			smoothed = ", smoothed by " + best
			if best != alpha {
				plain = " and smoothed by " + alpha
			}
		}
		if 2*s.Known < s.Unlabelled { // as of other languages
			documents += ", of which " + Count(s.Known) + " have a term of the labelled ones,"
		}
		if s.Centred {
			smoothed += ", centred"
		}
		if s.Both {
			smoothed += ", half centred"
		}
		count := fmt.Sprintf("%s count about %v each%s, after %s of EM", documents, s.Weight, smoothed, plural(s.Rounds, "round"))
		if len(s.Trials) == 1 {
			a.Note("%s: no class has two labelled documents, so nothing tells whether that helps", count)
			return
		}
		if s.Accuracy < s.Trials[0].Accuracy {
			plain += " (hint: labelled documents that are few, or were asked for, hardly tell)"
		}
		a.Note("%s: accuracy %.4f of labelled documents held out, %.4f without%s", count, s.Accuracy, s.Trials[0].Accuracy, plain)
	}
}

// runsProgress shows on stderr how many runs of EM are done, if stderr is a terminal, and returns what ends that.
func (a *App) runsProgress() (progress func(done, all int), finish func()) {
	if a.quiet || !isTerminal(a.stderr) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(a.stderr.file), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
	return func(done, all int) {
		bar.Describe("runs of EM")
		bar.ChangeMax(all)
		bar.Set(done)
	}, func() { bar.Finish() }
}
