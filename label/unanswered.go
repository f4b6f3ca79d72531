package label

import (
	"context"
	"errors"
	"iter"
	"maps"
	"runtime"
	"slices"

	"bayes"
	"bayes/eval"
	"bayes/internal/parallel"
)

// Unanswered is what texts without an answer add to a model of the answers.
type Unanswered struct {
	*eval.SemiSupervision
	Measured *eval.Tally // of the answers that measure, by a model that has learned none of them
	Alone    *eval.Tally // of the same, by a model of the other answers alone
}

// Helps reports whether texts without an answer help: by the answers that do not measure, by which it was chosen whether and how they are learned, and
// by those that do, which are predicted right at least as often. Where nothing can be held out, as with words of classes alone, they are taken to.
func (u *Unanswered) Helps() bool {
	right := func(t *eval.Tally) float64 { accuracy, _, _ := t.Accuracy(); return accuracy }
	return u.Weight > 0 && (u.Measured.Documents() == 0 || right(u.Measured) >= right(u.Alone))
}

// LearnUnanswered has the model learn from texts without an answer too, at most the given number, drawn at random: by
// [eval.SemiSupervised], which chooses by the answers with which smoothing and for how many rounds such texts are learned, if at all. From then on [Pile.Model],
// [Pile.Predict] and [Pile.Explain] are of both, if that helps, and from 30 answers on that do not measure no surer than these, held out, bear out, and the order reads how sure such a model is of each text, or of fewer answers what [Pile.Propagate] has it read. Answers go on to be learned at once;
// what the others have added, and how sure the model is, stays as it is until the next call.
//
// Answers that measure have no part in what is added and in what the order reads: so the model judges them without knowing them, and what was
// chosen does not depend on them, although their texts are among those without an answer. [Pile.Measure] and [Pile.Curve] are of the answers alone.
// Once a class has no answer and no words any more, or if one has come with fewer than 30 answers while texts were learned, what these have added is forgotten.
//
// It takes some 240 readings of these texts, twice as many with 30 to 60 answers, and memory for them. Others may go on using p meanwhile. The error is ctx's,
// [bayes.ErrEmpty] if no answer tells anything, or that texts may have several labels, or are weighted by an IDF.
func (p *Pile) LearnUnanswered(ctx context.Context, most int) (*Unanswered, error) {
	k, err := p.split(most)
	if err != nil {
		return nil, err
	}
	if k.few() && len(k.others) > 0 && !p.reads(k) {
		if err := p.propagate(ctx, k); err != nil {
			return nil, err
		}
	}
	opts := &eval.SemiSupervisedOptions{Asked: p.order != Random, Workers: backgroundWorkers()}
	found, err := eval.SemiSupervised(ctx, p.space, p.event, examples(k.labelled), examples(k.others), opts)
	if err != nil {
		return nil, err
	}
	counts, err := bayes.Count(ctx, p.space, examples(k.labelled), nil)
	if err != nil {
		return nil, err
	}
	u := &Unanswered{SemiSupervision: found}
	if _, u.Alone, err = judge(counts, p.event, k.measured); err != nil {
		return nil, err
	}
	if err := counts.Add(found.Counts); err != nil {
		return nil, err
	}
	var m *bayes.Model
	if m, u.Measured, err = judge(counts, found.Model, k.measured); err != nil {
		return nil, err
	}
	var sure []certainty
	if found.Weight > 0 && p.order != Random && !k.few() {
		if sure, err = p.certainties(ctx, m); err != nil {
			return nil, err
		}
	}
	return u, p.take(u, k, sure)
}

// Propagate has the order read how far few answers reach: how sure a model of them, and of one round of EM on at most the given number of texts without an answer, is of each text. After more rounds it is sure of
// texts of classes that no answer has told of yet, and nobody is asked about these. So it is for after each of the first answers: agnews with ten has an accuracy of 0.822 by it, and of 0.813 without (docs/labels-tried.md). What the model predicts
// stays as it is. It does nothing until a class has two texts or words, and once [Pile.LearnUnanswered] has learned with 30 answers that do not measure, which says then what the order reads.
//
// It takes four readings of these texts, and memory for them. Others may go on using p meanwhile. The errors are those of [Pile.LearnUnanswered].
func (p *Pile) Propagate(ctx context.Context, most int) error {
	p.mu.Lock()
	settled := p.settled
	p.mu.Unlock()
	if settled {
		return nil
	}
	k, err := p.split(most)
	if err != nil {
		return err
	}
	return p.propagate(ctx, k)
}

func (p *Pile) propagate(ctx context.Context, k *known) error {
	if p.order == Random || !k.repeats() {
		return nil
	}
	var sure []certainty
	found, err := eval.SemiSupervised(ctx, p.space, p.event, examples(k.labelled), examples(k.others), &eval.SemiSupervisedOptions{Asked: true, Untried: true, Rounds: []int{1}, Workers: backgroundWorkers()})
	if err == nil && found.Weight > 0 {
		sure, err = p.sureBy(ctx, k, found)
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if shared, all := p.classesOf(k); all && k.version >= p.readAt {
		p.shared, p.readAt, p.settled = shared, k.version, false
		p.scores.trust(sure)
	}
	return nil
}

// reads reports whether the order reads how far answers reach that were known then, or later.
func (p *Pile) reads(k *known) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.scores.sure != nil && p.readAt >= k.version
}

// sureBy returns how sure a model of what was known and of what others add is of each text.
func (p *Pile) sureBy(ctx context.Context, k *known, found *eval.SemiSupervision) ([]certainty, error) {
	counts, err := bayes.Count(ctx, p.space, examples(k.labelled), nil)
	if err != nil {
		return nil, err
	}
	if err := counts.Add(found.Counts); err != nil {
		return nil, err
	}
	m, err := bayes.Fit(counts, found.Model)
	if err != nil {
		return nil, err
	}
	return p.certainties(ctx, m)
}

// backgroundWorkers returns how many cores learn while people answer, for whom one is left.
func backgroundWorkers() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// judge returns a model, and how it predicts examples.
func judge(counts *bayes.Counts, em bayes.EventModel, tested []bayes.Example) (*bayes.Model, *eval.Tally, error) {
	m, err := bayes.Fit(counts, em)
	if err != nil {
		return nil, nil, err
	}
	t := new(eval.Tally)
	for _, ex := range tested {
		t.Observe(m.Predict(ex.Document()), ex.Label)
	}
	return m, t, nil
}

// fewestToCalibrate is how many answers have to be held out, for probabilities to be calibrated.
const fewestToCalibrate = 30

// calibrated returns the event model, calibrated by the first of the labelled examples, the answers, where it is too sure of these. Words of classes, the others, are easier.
func (u *Unanswered) calibrated(answers int) (bayes.EventModel, error) {
	if u.HeldOut == nil || answers < fewestToCalibrate {
		return u.Model, nil
	}
	for i := answers; i < u.HeldOut.Len(); i++ {
		u.HeldOut.Fold[i] = -1
	}
	em, err := u.HeldOut.Calibrate(u.Model, eval.Temperature)
	if err != nil || em.Temperature <= 1 { // or else few answers would have the model be surer
		return u.Model, err
	}
	return em, nil
}

// take makes the model one of the answers that there are now and of what texts without one add, if that helps.
func (p *Pile) take(u *Unanswered, k *known, sure []certainty) error {
	em, err := u.calibrated(k.answers)
	if err != nil {
		return err
	}
	sum := u.Counts.Clone() // which has many terms, so answers are added to it, and nobody waits long
	p.mu.Lock()
	defer p.mu.Unlock()
	shared, all := p.classesOf(k)
	if !all || k.few() && len(p.counts.Classes()) > len(shared) { // all of a class has been taken back meanwhile, or one has come, which would not be guessed without a share of the texts
		if k.version >= p.readAt {
			p.forgetUnanswered()
		}
		return nil
	}
	p.sum, p.shared, p.model = nil, shared, nil
	if !k.few() {
		p.scores.trust(sure)
		p.readAt, p.settled = k.version, true
	}
	if !u.Helps() {
		return nil
	}
	if err := sum.Add(p.counts); err != nil {
		return err
	}
	p.sum, p.sumEvent = sum, em
	return nil
}

// classesOf returns the classes of what was known, and whether each of them has an answer or words still.
func (p *Pile) classesOf(k *known) (list []string, all bool) {
	for _, ex := range k.labelled {
		if n, _ := p.counts.Class(ex.Label); n == 0 {
			return nil, false
		}
		if !slices.Contains(list, ex.Label) {
			list = append(list, ex.Label)
		}
	}
	return list, true
}

// forgetUnanswered makes the model one of the answers alone, which the order reads too.
func (p *Pile) forgetUnanswered() {
	p.sum, p.shared, p.model, p.settled = nil, nil, nil, false
	p.scores.trust(nil)
}

// A certainty is how sure a model is of a text.
type certainty struct {
	margin float64 // between the log-probabilities of the two best classes
	best   string  // class
}

// certainties returns how sure m is of each text.
func (p *Pile) certainties(ctx context.Context, m *bayes.Model) ([]certainty, error) {
	sure, pool := make([]certainty, len(p.texts)), parallel.NewPoolOf(ctx, backgroundWorkers())
	pool.Part(len(p.texts), 64, func(from, to int) {
		for i := from; i < to; i++ {
			c := m.Predict(p.texts[i]).Classes
			sure[i].best = c[0].Class
			if len(c) > 1 {
				sure[i].margin = c[0].LogP - c[1].LogP
			}
		}
	})
	return sure, pool.Wait()
}

// known is what was known of the texts at some time.
type known struct {
	labelled []bayes.Example // the answers that do not measure, and then the words of classes
	answers  int             // how many of them are the former
	measured []bayes.Example // the answers that measure
	others   []bayes.Example // texts whose labels the model is not to know, as those of the latter
	version  int             // of the pile
}

// fewAnswered is how many answers that do not measure there are up to which the order reads one round of EM. With more, more rounds are better (not of ucinews and mr): nsmc has 0.002 more by them with 448 answers, and trec
// 0.018 with 80; 20news is level with 43 and 52 (docs/labels-tried.md).
const fewAnswered = 30

func (k *known) few() bool { return k.answers < fewAnswered }

// repeats reports whether a class has two of what is labelled.
func (k *known) repeats() bool {
	of := make(map[string]bool)
	for _, ex := range k.labelled {
		if of[ex.Label] {
			return true
		}
		of[ex.Label] = true
	}
	return false
}

// split returns what is known, with at most the given number of texts whose labels the model is not to know. If nothing is, what texts without an answer have added is forgotten, and the error is [bayes.ErrEmpty].
func (p *Pile) split(most int) (*known, error) {
	if p.space.LabelSeparator != "" {
		return nil, errors.New("label: texts without an answer cannot be learned where a text may have several labels")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	k := &known{version: p.version}
	for _, i := range p.drawnAnswers() {
		k.measured = append(k.measured, p.example(i))
	}
	for _, i := range p.shuffled {
		if ex := p.example(i); ex.Label != "" && !p.kept[i] {
			k.labelled = append(k.labelled, ex)
		} else if len(k.others) < most {
			k.others = append(k.others, ex)
		}
	}
	k.answers = len(k.labelled)
	for _, label := range slices.Sorted(maps.Keys(p.seeds)) {
		k.labelled = append(k.labelled, bayes.Example{Label: label, Text: p.seeds[label].words})
	}
	if len(k.labelled) == 0 {
		p.forgetUnanswered()
		return nil, bayes.ErrEmpty
	}
	return k, nil
}

func examples(list []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range list {
			if !yield(ex, nil) {
				return
			}
		}
	}
}
