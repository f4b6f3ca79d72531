package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"bayes"
)

// AuditOptions are options for [Audit] and [AuditSets]. A nil *AuditOptions is the zero value.
type AuditOptions struct {
	// Folds is how many parts the examples are dealt out to for models that are not left one out of:
	// corrections, and what [bayes.Corpus.Refits]. Zero means 3, which takes two trainings, and 5 for AuditSets.
	Folds int
	Seed  uint32 // of the shuffling
	Plain bool   // learn no correction beside em

	// Smoothings are those that em is left one out with. Kept is that with which the labels are most probable. None means
	// em as it is, and so does an event model that is to be fitted anew for each example.
	Smoothings []bayes.Smoothing
}

// A Doubt is how doubtful the label of an example is.
type Doubt struct {
	Example          int
	Label, Suggested string

	// LogOdds are those that the label is wrong by the text alone, ln (1 - P(Label | example)) / P(Label | example): by them a label
	// is the more doubtful the more probable it is that it was drawn at random. Where no other class is more
	// probable than the label they are ln P(Suggested | example) / P(Label | example), at most zero. They are
	// calibrated, and from -1e4 to 1e4.
	LogOdds float64

	// Probability is that with which Suggested is right, calibrated, in [0,1]. Suggested is the most probable of the other classes. Unlike LogOdds it takes into account
	// that Label was given, which is right except for [Audited].Wrong of all, or for one in all of them if that is more: where Wrong is near zero hardly a suggestion has a probability of 0.5.
	Probability float64

	// LeftOut is ln P(Suggested | example) / P(Label | example) by em alone, fitted to all other examples, at most 1e4 in either direction.
	LeftOut float64
}

// An Audited list of examples.
type Audited struct {
	Doubts []Doubt // of each example, the most doubtful first
	Wrong  float64 // the estimated share of labels that are wrong as if drawn at random

	clean cleanOdds
}

// farthestDoubt is the most that log-odds are.
const farthestDoubt = 1e4

// Audit finds labels that are probably wrong: each example is judged by models that have not seen it.
//
// One is em, fitted to all other examples. Its log-odds grow with the length of the text, as naive Bayes counts
// words that go together as if each were news, so they are divided by the root of the number of distinct features, unless
// the labels are more probable without.
// The other is em corrected, fitted to the examples of other folds; em may say how it is corrected. How much
// each counts is what makes the labels most probable, if a share of them, which is estimated too, was drawn at random.
//
// A class with one example, left out, is unknown: such an example has log-odds of zero and nothing suggested.
func Audit(ctx context.Context, c *bayes.Corpus, em bayes.EventModel, opts *AuditOptions) (*Audited, error) {
	if opts == nil {
		opts = new(AuditOptions)
	}
	if c.Len() == 0 {
		return nil, bayes.ErrEmpty
	}
	if f := opts.Folds; f < 0 || f == 1 {
		return nil, fmt.Errorf("audit: %d folds: want 2 or more", f)
	}
	a := &auditor{c: c, em: bayes.WithoutCorrection(em), truth: truths(c), classes: c.Classes()}
	if len(a.classes) > 1 {
		if err := a.score(ctx, em, opts); err != nil {
			return nil, err
		}
	}
	return a.audited(), nil
}

// An auditor holds what models say of examples that they were not fitted to.
type auditor struct {
	c       *bayes.Corpus
	em      bayes.EventModel
	truth   []int
	classes []string
	members []int     // by class: how many examples
	views   []*Scores // by em and, if there is one, by the correction
	sample  []int     // the examples by which weights are fitted
	x, y    []float64 // what the views say of the examples of sample, and of the one that is judged
	rooted  bool      // whether the first view is divided by the root of the number of distinct features
	weight  [2]float64
	wrong   float64
}

// score sets the views. There is none where each class has one example.
func (a *auditor) score(ctx context.Context, em bayes.EventModel, opts *AuditOptions) error {
	labels := Labels(a.c)
	a.members = make([]int, len(a.classes))
	for _, k := range a.truth {
		a.members[k]++
	}
	largest := slices.Max(a.members)
	if largest < 2 {
		return nil
	}
	fold, err := StratifiedFolds(labels, min(cmp.Or(opts.Folds, 3), largest), true, opts.Seed)
	if err != nil {
		return err
	}
	var apart []int
	if a.c.Refits(a.em) {
		apart = fold
	}
	ems := []bayes.EventModel{a.em}
	if apart == nil && len(opts.Smoothings) > 0 {
		ems = nil
		for _, s := range opts.Smoothings {
			ems = append(ems, bayes.WithSmoothing(a.em, s))
		}
	}
	left, err := a.leaveOut(ctx, apart, ems)
	if err != nil {
		return err
	}
	a.views = []*Scores{left[0]}
	if !opts.Plain && a.c.CheckCorrect() == nil && a.severalWithout(fold) {
		if err := a.correct(ctx, fold, em); err != nil {
			return err
		}
	}
	a.fit(left)
	return nil
}

// severalWithout reports whether two classes at least are left without the examples of each fold, as a correction wants.
func (a *auditor) severalWithout(fold []int) bool {
	within := make([][]int, slices.Max(fold)+1) // by fold and class: how many examples
	for i, f := range fold {
		if within[f] == nil {
			within[f] = make([]int, len(a.classes))
		}
		within[f][a.truth[i]]++
	}
	for _, examples := range within {
		left := 0
		for k, n := range examples {
			if n < a.members[k] {
				left++
			}
		}
		if left < 2 && examples != nil {
			return false
		}
	}
	return true
}

// leaveOut returns what each event model says of examples that it was not fitted to.
func (a *auditor) leaveOut(ctx context.Context, fold []int, ems []bayes.EventModel) (left []*Scores, err error) {
	for range ems {
		left = append(left, newScores(a.c, fold))
	}
	return left, heldOut(ctx, a.c, fold, ems, func(h *bayes.HeldOutScores) {
		for n, s := range left {
			copy(s.LogP(h.Example), h.LogP(n))
		}
	})
}

// correct adds what em, or a correction of it, says of the examples of each fold.
func (a *auditor) correct(ctx context.Context, fold []int, em bayes.EventModel) error {
	if em.String() == a.em.String() {
		em = bayes.Corrected{Model: em, Strength: 0.2}
	}
	corrected, err := CrossValidate(ctx, a.c, fold, em)
	if err != nil {
		return err
	}
	a.views = append(a.views, corrected)
	return nil
}

// look sets x and y to what the views say of some examples, scaled and at least -farthestDoubt.
func (a *auditor) look(examples ...int) {
	a.x, a.y = a.x[:0], a.y[:0]
	for _, i := range examples {
		a.lookAt(i)
	}
}

func (a *auditor) lookAt(i int) {
	scale := 1.0
	if a.rooted {
		scale /= math.Sqrt(float64(max(1, a.c.Distinct(i))))
	}
	for _, v := range a.views[0].LogP(i) {
		a.x = append(a.x, max(v*scale, -farthestDoubt))
	}
	for _, v := range a.views[len(a.views)-1].LogP(i) {
		a.y = append(a.y, max(v, -farthestDoubt))
	}
}

// mix sets sum to the weighted sum of x and y, and returns the largest of it.
func (a *auditor) mix(x, y, sum []float64) float64 {
	top := math.Inf(-1)
	for k := range sum {
		sum[k] = a.weight[0]*x[k] + a.weight[1]*y[k]
		top = max(top, sum[k])
	}
	return top
}

// judge sets logP to the calibrated ln P(class | example i), as if no label were wrong.
func (a *auditor) judge(i int, logP []float64) {
	a.look(i)
	top, sum := a.mix(a.x, a.y, logP), 0.0
	for _, v := range logP {
		sum += math.Exp(v - top)
	}
	for k := range logP {
		logP[k] -= top + math.Log(sum)
	}
}

// audited returns what is known of all examples.
func (a *auditor) audited() *Audited {
	r := &Audited{Doubts: make([]Doubt, a.c.Len()), Wrong: a.wrong, clean: make(cleanOdds, cleanBins)}
	logP := make([]float64, len(a.classes))
	for i := range r.Doubts {
		d := &r.Doubts[i]
		d.Example, d.Label = i, a.classes[a.truth[i]]
		if a.views == nil || a.members[a.truth[i]] < 2 {
			continue
		}
		a.judge(i, logP)
		own, other := a.truth[i], rival(logP, a.truth[i])
		d.Suggested, d.Probability = a.classes[other], a.posterior(logP, own, other)
		d.LogOdds = max(-farthestDoubt, min(doubt(logP, own, other), farthestDoubt))
		left := a.views[0].LogP(i)
		d.LeftOut = max(-farthestDoubt, min(left[other]-left[own], farthestDoubt))
		if math.IsNaN(d.LeftOut) {
			d.LeftOut = 0 // both are impossible
		}
		r.clean.addDrawn(logP)
	}
	slices.SortStableFunc(r.Doubts, func(a, b Doubt) int { return cmp.Compare(b.LogOdds, a.LogOdds) })
	return r
}

// posterior returns the probability of a class, given the text and that another one was given, where a share of the labels is drawn at random.
func (a *auditor) posterior(logP []float64, own, other int) float64 {
	wrong := max(a.wrong, 1/float64(len(a.truth)))
	drawn := wrong / float64(len(a.classes)) // P(own | any class but own)
	return drawn * math.Exp(logP[other]) / ((1-wrong)*math.Exp(logP[own]) + drawn)
}

// doubt returns the log-odds that a class is wrong, given the most probable of the others.
func doubt(logP []float64, own, other int) float64 {
	odds := logP[other] - logP[own]
	if odds <= 0 {
		return odds
	}
	return math.Log(-math.Expm1(logP[own])) - logP[own]
}

// rival returns the most probable of all classes but one.
func rival(logP []float64, class int) int {
	other := -1
	for k, v := range logP {
		if k != class && (other < 0 || v > logP[other]) {
			other = k
		}
	}
	return other
}

// tail is by how much more examples of a clean list are expected above a cutoff than the probabilities say: where
// texts tell little, trials with generated lists had up to 1.5 times as many.
const tail = 2

// Cutoff returns the least log-odds at which, of as many examples whose labels are all right, at most a share
// is expected to be as doubtful; and how many that are.
func (r *Audited) Cutoff(share float64) (logOdds, expected float64, err error) {
	return r.clean.cutoff(share, tail, len(r.Doubts))
}

// Above returns the doubts of log-odds above zero that are at least a cutoff.
func (r *Audited) Above(logOdds float64) []Doubt {
	return doubtful(r.Doubts, logOdds, func(d *Doubt) float64 { return d.LogOdds })
}

// doubtful returns those of a list, the most doubtful first, whose log-odds are above zero and at least a cutoff.
func doubtful[D any](doubts []D, cutoff float64, logOdds func(*D) float64) []D {
	n := 0
	for n < len(doubts) && logOdds(&doubts[n]) > 0 && logOdds(&doubts[n]) >= cutoff {
		n++
	}
	return doubts[:n:n]
}
