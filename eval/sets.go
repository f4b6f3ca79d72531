package eval

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"bayes"
	"bayes/internal/decision"
	"bayes/internal/labelset"
	"bayes/internal/vecmath"
)

// A SetTally holds what was predicted of documents that may have several labels, and the truth: what a [Tally]
// is where each has one. Its sums are whole numbers, but those of log loss, of F1 by example and of probabilities. For
// [SetTally.Bootstrap] it counts the documents by the labels that are right, wrong and missed.
//
// The zero SetTally is empty and ready to use. It is for one goroutine; let each have its own, then Add.
type SetTally struct {
	documents, exact int64
	wrong            int64   // labels that are predicted or true, but not both
	exampleF1        float64 // the sum
	logLoss          float64 // the sum over documents and labels
	labels           map[string]outcome
	given            float64 // the sum of the probabilities of labels that are given
	bins             [CalibrationBins]probabilityBin
	patterns         map[string]int64 // documents, by what came out: see pattern
}

// A probabilityBin has the decisions of about the same probability.
type probabilityBin struct {
	decisions, there int64
	sum              float64 // of probabilities
}

func (b *probabilityBin) add(p float64, is bool) {
	if b.decisions++; is {
		b.there++
	}
	b.sum += p
}

// Observe adds the prediction p, with its Labels, of an example that has these labels. They need not be known to
// the model.
func (t *SetTally) Observe(p bayes.Prediction, truth []string) {
	if t.labels == nil {
		t.labels, t.patterns = make(map[string]outcome), make(map[string]int64)
	}
	truth = slices.Compact(slices.Sorted(slices.Values(truth)))
	for _, c := range p.Classes {
		if _, ok := t.labels[c.Class]; !ok {
			t.labels[c.Class] = outcome{}
		}
		is := slices.Contains(truth, c.Class)
		if logP := c.LogP; is {
			t.logLoss += min(-logP, mostLogLoss)
		} else {
			t.logLoss += min(-math.Log(-math.Expm1(logP)), mostLogLoss)
		}
		t.bins[binOf(c.P, CalibrationBins)].add(c.P, is)
		if slices.Contains(p.Labels, c.Class) {
			t.given += c.P
		}
	}
	both := int64(0)
	for _, label := range truth {
		o := t.labels[label]
		if o.actual++; slices.Contains(p.Labels, label) {
			o.both++
			both++
		} else if !slices.ContainsFunc(p.Classes, func(c bayes.Prob) bool { return c.Class == label }) {
			t.logLoss += mostLogLoss // the model does not know it
		}
		t.labels[label] = o
	}
	for _, label := range p.Labels {
		o := t.labels[label]
		o.predicted++
		t.labels[label] = o
	}
	t.patterns[pattern(truth, p.Labels)]++
	n, wrong := int64(len(truth)+len(p.Labels)), int64(len(truth)+len(p.Labels))-2*both
	t.documents, t.wrong = t.documents+1, t.wrong+wrong
	if wrong == 0 {
		t.exact++
	}
	if n == 0 {
		t.exampleF1++ // nothing is predicted, and nothing is right
	} else {
		t.exampleF1 += 2 * float64(both) / float64(n)
	}
}

// mostLogLoss is that of a label that is held to be impossible.
const mostLogLoss = 52 * math.Ln2

// Add adds u to t and leaves u as it was.
func (t *SetTally) Add(u *SetTally) {
	if t.labels == nil {
		t.labels, t.patterns = make(map[string]outcome), make(map[string]int64)
	}
	t.documents, t.exact, t.wrong = t.documents+u.documents, t.exact+u.exact, t.wrong+u.wrong
	t.exampleF1, t.logLoss, t.given = t.exampleF1+u.exampleF1, t.logLoss+u.logLoss, t.given+u.given
	for i, b := range u.bins {
		to := &t.bins[i]
		to.decisions, to.there, to.sum = to.decisions+b.decisions, to.there+b.there, to.sum+b.sum
	}
	for came, n := range u.patterns {
		t.patterns[came] += n
	}
	for label, o := range u.labels {
		t.labels[label] = t.labels[label].plus(o)
	}
}

func (o outcome) plus(p outcome) outcome {
	return outcome{o.both + p.both, o.predicted + p.predicted, o.actual + p.actual}
}

// Documents returns how many predictions were observed.
func (t *SetTally) Documents() int64 { return t.documents }

// Classes returns precision, recall and F1 of each label that was predicted over or is true, sorted.
func (t *SetTally) Classes() []ClassReport {
	var list []ClassReport
	for _, label := range slices.Sorted(maps.Keys(t.labels)) {
		o := t.labels[label]
		list = append(list, ClassReport{label, o.precision(), o.recall(), o.f1(), o.actual})
	}
	return list
}

// Decisions returns in how many documents label was rightly given, wrongly given, and missed.
func (t *SetTally) Decisions(label string) (right, wrong, missed int64) {
	o := t.labels[label]
	return o.both, o.predicted - o.both, o.actual - o.both
}

// MicroF1 returns the F1 of all decisions about a label and a document together, in [0,1].
func (t *SetTally) MicroF1() float64 {
	var all outcome
	for _, o := range t.labels {
		all = all.plus(o)
	}
	return all.f1()
}

// MacroF1 returns the mean of the F1 of the labels, in [0,1]. A label that is neither predicted nor true has 0,
// as in scikit-learn.
func (t *SetTally) MacroF1() float64 {
	var sum float64
	for _, c := range t.Classes() {
		sum += c.F1
	}
	return ratio(sum, float64(len(t.labels)))
}

// ExampleF1 returns the mean over documents of the F1 of their labels, in [0,1]; of a document that has none and is
// given none it is 1.
func (t *SetTally) ExampleF1() float64 { return ratio(t.exampleF1, float64(t.documents)) }

// SubsetAccuracy returns the share of the documents that are given just the labels that they have, in [0,1].
func (t *SetTally) SubsetAccuracy() float64 { return ratio(float64(t.exact), float64(t.documents)) }

// HammingLoss returns the share of the decisions about a label and a document that are wrong, in [0,1].
func (t *SetTally) HammingLoss() float64 {
	return ratio(float64(t.wrong), float64(t.documents)*float64(len(t.labels)))
}

// LogLoss returns the mean over documents and labels of -ln of the probability that was given to what is true, of a
// label that it is there or not, at most 52·ln 2 each.
func (t *SetTally) LogLoss() float64 {
	return ratio(t.logLoss, float64(t.documents)*float64(len(t.labels)))
}

// SetScores are what a model says of examples that it was not fitted to, which may have several labels: of each,
// the log-odds of each label against the rest, by [bayes.Corpus.Classes].
type SetScores struct {
	Classes []string
	Truth   [][]int // the labels of each example, rising
	Fold    []int   // the fold of each example; negative: it was not tested
	odds    []float64

	// MissCost is what a label costs that an example has and is not given, where one that is given wrongly costs 1: what
	// Cutoffs make least. 0: they make F1 highest.
	MissCost float64
}

// CrossValidateSets predicts each example of c, whose Space has a LabelSeparator, by em, fitted to the examples of
// other folds. A calibration or cutoffs of em are left out of account.
func CrossValidateSets(ctx context.Context, c *bayes.Corpus, fold []int, em bayes.EventModel) (*SetScores, error) {
	if c.Space().LabelSeparator == "" {
		return nil, errOneLabel
	}
	s := &SetScores{Classes: c.Classes(), Fold: fold, Truth: setsOf(c)}
	s.odds = make([]float64, c.Len()*len(s.Classes))
	err := c.HeldOut(ctx, fold, []bayes.EventModel{em}, func(h *bayes.HeldOutScores) { copy(s.LogOdds(h.Example), h.LogP(0)) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

var errOneLabel = errors.New("examples have one label each")

// setsOf returns the labels of each example of c, as indexes of its classes, rising.
func setsOf(c *bayes.Corpus) [][]int {
	classes, sets := c.Classes(), make([][]int, c.Len())
	for i := range sets {
		for _, label := range labelset.Split(c.Label(i), c.Space().LabelSeparator) {
			k, _ := slices.BinarySearch(classes, label)
			sets[i] = append(sets[i], k)
		}
	}
	return sets
}

// LogOdds returns the log-odds of example i, by label.
func (s *SetScores) LogOdds(i int) []float64 {
	n := len(s.Classes)
	return s.odds[i*n : i*n+n : i*n+n]
}

// Tally returns what the scores come to with cutoffs, by label, 0 for one that is not among them, and with
// probabilities raised to a power as [bayes.Calibrated] has it, by its temperature, 0 for none.
func (s *SetScores) Tally(cutoffs map[string]float64, temperature float64) *SetTally {
	t, rule := new(SetTally), decision.New(decision.Settings{Cutoffs: cutoffs}, s.Classes)
	for i, f := range s.Fold {
		if f >= 0 {
			var truth []string
			for _, k := range s.Truth[i] {
				truth = append(truth, s.Classes[k])
			}
			t.Observe(s.prediction(i, rule, cmp.Or(temperature, 1)), truth)
		}
	}
	return t
}

func (s *SetScores) prediction(i int, rule *decision.Rule, temperature float64) bayes.Prediction {
	p := bayes.Prediction{Labels: []string{}}
	for k, odds := range s.LogOdds(i) {
		label := s.Classes[k]
		logP := vecmath.LogSigmoid(odds / temperature)
		p.Classes = append(p.Classes, bayes.Prob{Class: label, P: math.Exp(logP), LogP: logP, LogJoint: odds})
		if odds >= rule.LabelCutoff(k) {
			p.Labels = append(p.Labels, label)
		}
	}
	if len(p.Labels) == 0 {
		if k := rule.Nearest(s.LogOdds(i)); k != decision.None {
			p.Labels = append(p.Labels, s.Classes[k])
		}
	}
	return p
}
