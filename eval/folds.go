package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bayes"
	"bayes/internal/decision"
	"bayes/internal/mt19937"
	"bayes/internal/vecmath"

	"gonum.org/v1/gonum/floats"
)

// StratifiedFolds deals examples out to k folds so that each class is spread over
// the folds as evenly as it goes, and returns the fold, from 0 to k-1, of each
// example, given its label. The folds are those of scikit-learn's
// StratifiedKFold(k); with shuffle, those of StratifiedKFold(k, shuffle=True,
// random_state=seed).
//
// A class with fewer examples than folds is missing in some folds; its examples
// are then tested all the same. It is an error if there are fewer than 2 folds,
// or more folds than the largest class has examples.
func StratifiedFolds(labels []string, k int, shuffle bool, seed uint32) ([]int, error) {
	if k < 2 {
		return nil, fmt.Errorf("%d folds: want 2 or more", k)
	}
	classes := byAppearance(labels)
	largest := 0
	for _, members := range classes {
		largest = max(largest, len(members))
	}
	if largest < k {
		return nil, fmt.Errorf("%d folds, but no class has more than %d examples", k, largest)
	}
	fold, rng := make([]int, len(labels)), mt19937.New(seed)
	at := 0 // in the labels, sorted by class
	for _, members := range classes {
		// Fold i takes every k-th of the sorted labels, from the i-th on.
		share := make([]int, k)
		for range members {
			share[at%k]++
			at++
		}
		var deal []int
		for f, n := range share {
			deal = append(deal, slices.Repeat([]int{f}, n)...)
		}
		if shuffle {
			rng.Shuffle(deal)
		}
		for i, member := range members {
			fold[member] = deal[i]
		}
	}
	return fold, nil
}

// Enough is how many examples are tested where more would take long: their accuracy has a standard
// error below 0.008.
const Enough = 4000

// SomeFolds returns the folds of [StratifiedFolds], shuffled. No more of them are tested than it takes for n
// examples: those of the others have fold -1, and so are part of each training part.
func SomeFolds(labels []string, k int, seed uint32, n int) ([]int, error) {
	fold, err := StratifiedFolds(labels, k, true, seed)
	if err != nil {
		return nil, err
	}
	tested := (n*k + len(fold) - 1) / len(fold)
	for i, f := range fold {
		if f >= tested {
			fold[i] = -1
		}
	}
	return fold, nil
}

// byAppearance returns the places of each label, in order of first appearance.
func byAppearance(labels []string) [][]int {
	var classes [][]int
	number := make(map[string]int)
	for i, label := range labels {
		k, ok := number[label]
		if !ok {
			k = len(classes)
			number[label] = k
			classes = append(classes, nil)
		}
		classes[k] = append(classes[k], i)
	}
	return classes
}

// Labels returns the label of each example of c.
func Labels(c *bayes.Corpus) []string {
	labels := make([]string, c.Len())
	for i := range labels {
		labels[i] = c.Label(i)
	}
	return labels
}

// Scores are what a model says of examples that it was not fitted to: of each, ln
// P(class | example), by [bayes.Corpus.Classes].
type Scores struct {
	Classes  []string
	Truth    []int // the class of each example
	Fold     []int // the fold of each example; negative: it was not tested
	logP     []float64
	verdicts []verdict // by example; nil: the best class is the answer
}

// CrossValidate predicts each example of c by em, fitted to the examples of other
// folds. A nil fold leaves each example out by itself.
func CrossValidate(ctx context.Context, c *bayes.Corpus, fold []int, em bayes.EventModel) (*Scores, error) {
	s := newScores(c, fold)
	err := heldOut(ctx, c, fold, []bayes.EventModel{em}, func(h *bayes.HeldOutScores) { copy(s.LogP(h.Example), h.LogP(0)) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

func newScores(c *bayes.Corpus, fold []int) *Scores {
	classes := c.Classes()
	s := &Scores{Classes: classes, Truth: truths(c), Fold: fold, logP: make([]float64, c.Len()*len(classes))}
	if fold == nil {
		s.Fold = make([]int, c.Len())
	}
	return s
}

func heldOut(ctx context.Context, c *bayes.Corpus, fold []int, ems []bayes.EventModel, visit func(*bayes.HeldOutScores)) error {
	if fold == nil {
		return c.LeaveOneOut(ctx, ems, visit)
	}
	return c.HeldOut(ctx, fold, ems, visit)
}

// Len returns how many examples there are, tested or not.
func (s *Scores) Len() int { return len(s.Truth) }

// LogP returns ln P(class | example i), by class.
func (s *Scores) LogP(i int) []float64 {
	n := len(s.Classes)
	return s.logP[i*n : i*n+n : i*n+n]
}

// Tallies returns a Tally of each fold's examples.
func (s *Scores) Tallies() []*Tally {
	tallies := make([]*Tally, slices.Max(append(s.Fold, -1))+1)
	for f := range tallies {
		tallies[f] = new(Tally)
	}
	for i, f := range s.Fold {
		if f >= 0 {
			tallies[f].Observe(s.Prediction(i), s.Classes[s.Truth[i]])
		}
	}
	return tallies
}

// Tally returns the Tally of all folds.
func (s *Scores) Tally() *Tally {
	all := new(Tally)
	for _, t := range s.Tallies() {
		all.Add(t)
	}
	return all
}

// Prediction returns what was predicted of example i.
func (s *Scores) Prediction(i int) bayes.Prediction {
	var p bayes.Prediction
	for k, logP := range s.LogP(i) {
		p.Classes = append(p.Classes, bayes.Prob{Class: s.Classes[k], P: math.Exp(logP), LogP: logP, LogJoint: logP})
	}
	slices.SortStableFunc(p.Classes, func(a, b bayes.Prob) int {
		switch {
		case a.LogP > b.LogP:
			return -1
		case a.LogP < b.LogP:
			return 1
		}
		return 0
	})
	if s.verdicts != nil {
		v := s.verdicts[i]
		p.Unsure, p.Reason = v.class == decision.None, v.reason
		if !p.Unsure {
			p.Chosen = slices.IndexFunc(p.Classes, func(c bayes.Prob) bool { return c.Class == s.Classes[v.class] })
		}
	}
	return p
}

// A verdict is the answer to an example, a class or [decision.None], and why it is that.
type verdict struct {
	class  int
	reason string
}

// decide returns the answer of a rule to example i, whose ln P is logP after calibration.
func (s *Scores) decide(rule *decision.Rule, i int, logP []float64) verdict {
	class, reason := rule.Decide(s.LogP(i), logP, floats.MaxIdx(s.LogP(i)))
	return verdict{class, reason}
}

// A Trial is how an event model did.
type Trial struct {
	Model    bayes.EventModel
	Accuracy float64 // in [0,1]
	LogLoss  float64 // the mean of -ln P(label), at most 52·ln 2 each, as in [Tally.LogLoss]
	MacroF1  float64 // in [0,1]; of a search [ByMacroF1], and else 0, as it takes longer
}

// Try cross-validates many event models on the same folds, as [CrossValidate]
// does, and returns how each did. Models that differ in an additive smoothing
// only cost little more than one of them.
func Try(ctx context.Context, c *bayes.Corpus, fold []int, ems []bayes.EventModel) ([]Trial, error) {
	return tryBy(ctx, c, fold, ems, ByAccuracy, nil)
}

// tryBy is Try, with what a search by that metric needs. It sets the scores of each event model, if
// there are any.
func tryBy(ctx context.Context, c *bayes.Corpus, fold []int, ems []bayes.EventModel, by Metric, scores []*Scores) ([]Trial, error) {
	trials := trials{models: len(ems)}
	var truth []int
	if by == ByMacroF1 {
		trials.classes, truth = len(c.Classes()), truths(c)
	}
	err := heldOut(ctx, c, fold, ems, func(h *bayes.HeldOutScores) {
		t := trials.take()
		t.examples++
		h.AddTrial(t.right, t.loss)
		for m, list := range t.outcomes {
			list.observe(h.LogP(m), truth[h.Example])
		}
		for m, s := range scores {
			copy(s.LogP(h.Example), h.LogP(m))
		}
		trials.pool.Put(t)
	})
	if err != nil {
		return nil, err
	}
	all := trials.merged()
	if all.examples == 0 {
		return nil, errors.New("no example is held out")
	}
	list := make([]Trial, len(ems))
	for m, em := range ems {
		n := float64(all.examples)
		list[m] = Trial{Model: em, Accuracy: float64(all.right[m]) / n, LogLoss: float64(all.loss[m]) / vecmath.LossUnit / n}
		if by == ByMacroF1 {
			list[m].MacroF1 = all.outcomes[m].macroF1()
		}
	}
	return list, nil
}

// A trialSum is, for each event model, how often the label was the most probable class, and the
// sum of -ln P(label) in units of 1/vecmath.LossUnit.
type trialSum struct {
	examples    int64
	right, loss []int64
	outcomes    []outcomes // empty if they are not counted
}

// trials are the sums that goroutines add to, each at a time to one of its own.
type trials struct {
	models  int
	classes int // 0 if outcomes are not counted
	pool    sync.Pool
	mu      sync.Mutex
	list    []*trialSum
}

func (s *trials) newSum() *trialSum {
	t := &trialSum{right: make([]int64, s.models), loss: make([]int64, s.models)}
	if s.classes > 0 {
		for range s.models {
			t.outcomes = append(t.outcomes, make(outcomes, s.classes))
		}
	}
	return t
}

// take returns a sum that no other goroutine adds to.
func (s *trials) take() *trialSum {
	if t, ok := s.pool.Get().(*trialSum); ok {
		return t
	}
	t := s.newSum()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, t)
	return t
}

// merged returns the sum of all.
func (s *trials) merged() *trialSum {
	all := s.newSum()
	for _, t := range s.list {
		all.examples += t.examples
		for m := range all.right {
			all.right[m] += t.right[m]
			all.loss[m] += t.loss[m]
		}
		for m, list := range t.outcomes {
			for k, o := range list {
				sum := &all.outcomes[m][k]
				sum.both, sum.predicted, sum.actual = sum.both+o.both, sum.predicted+o.predicted, sum.actual+o.actual
			}
		}
	}
	return all
}
