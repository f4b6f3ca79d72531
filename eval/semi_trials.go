package eval

import (
	"context"
	"math"
	"slices"
	"sync"

	"bayes"
	"bayes/internal/parallel"
)

// usual is how much others count, how often they are learned, and with which smoothing, where that most often does best; and what is allowed a trial.
type usual struct {
	weight, rounds float64
	smoothing      float64 // for a weight of 1/4

	// Divided by the root of the number of labelled examples.
	lead      float64 // by how much accuracy less log loss has to be higher with e times the usual smoothing or rounds
	allowance float64 // by how much less accurate than the labelled alone a trial may be
}

// usualOf returns what is usual with some labelled examples a class in the mean. The more there are, the fewer rounds do best, since the labelled alone are a better model
// to begin with, and the nearer the best smoothing is to 1, which suits them: 10 rounds for 9, 5 for 36 and 2 for 225, and 0.1 up to 40, 0.2 for 160 and 0.3 from 360 on.
// By few examples the best of several looks better than it is, so what is usual has a lead: that gains 0.0025 of accuracy in the mean, and 0.01 on agnews.
// Examples that were asked for because they are hard are not like the others. Two rounds then are too few however many there are. And a model of all was unsure of them, not one of the labelled alone,
// so held out they make the latter look better than it is: an allowance for that gains 0.007 on trec, where the others were left out one time in five, and loses nothing elsewhere (docs/labels-tried.md).
func usualOf(perClass float64, asked bool) usual {
	u := usual{weight: 1. / 4, rounds: min(max(30/math.Sqrt(perClass), 2), 10), smoothing: 0.1 * min(max(math.Sqrt(perClass/40), 1), 3), lead: 0.5}
	if asked {
		u.rounds, u.allowance = max(u.rounds, 3.5), 0.5
		if perClass >= severalAsked {
			u.lead = 1
		}
		if perClass >= manyAsked {
			u.weight = 1. / 2
		}
	}
	return u
}

// severalAsked is how many labelled examples a class there are, asked for, from which on the lead of what is usual is twice as high. That gains 0.001 on nsmc, mr and trec, and loses 0.001 on livedoor; with fewer it
// would lose 0.005 on livedoor (docs/labels-tried.md).
const severalAsked = 36

// manyAsked is how many there are from which on the others count 1/2. That gains 0.002 to 0.007 on nsmc, mr and agnews, and loses 0.001 on trec and ucinews; beside
// labels of texts that were drawn it would lose 0.001 on nsmc and 0.017 on trec (docs/labels-tried.md).
const manyAsked = 75

// unusual returns how unusual the smoothing of a trial is, and the number of its rounds.
// Some data want a smoothing of 0.01 from the first label on, so that none counts more than 1. A smoothing of 0, or of another kind, is one that was asked for, and the only one.
func (u usual) unusual(t SemiTrial) float64 {
	much := math.Abs(math.Log(float64(t.Rounds) / u.rounds))
	if alpha, ok := t.Smoothing.(bayes.Additive); ok && alpha > 0 {
		much += min(1, math.Abs(math.Log(float64(alpha)/(4*t.Weight*u.smoothing))))
	}
	return much
}

// An emRun is a run of EM, which is a trial after some of its rounds.
type emRun struct {
	smoothing bayes.Smoothing
	weight    float64
	centred   bool
	rounds    []int // after which it is a trial
	first     int   // of semiTrials.trials: the trial after the first of rounds
}

// runs returns those to try. Examples without a label bring many terms that few of them have: long examples and many classes want less smoothing. docs/labels-tried.md says what was tried.
// Counts and a smoothing that are both doubled make the same model, so smoothing rises with the weight, and it is the labelled that count less then.
func (o *SemiSupervisedOptions) runs(u usual) (runs []emRun) {
	weights, rounds, centredRounds := o.Weights, o.Rounds, o.Rounds
	if weights == nil {
		weights = []float64{u.weight}
	}
	if rounds == nil {
		rounds, centredRounds = []int{2, 5, 10}, []int{5, 10}
	}
	for _, w := range weights {
		smoothings := []bayes.Smoothing{bayes.Additive(0.01 * 4 * w), bayes.Additive(0.1 * 4 * w), bayes.Additive(0.3 * 4 * w)}
		if o.Smoothing != nil {
			smoothings = []bayes.Smoothing{o.Smoothing}
		}
		for at, smoothing := range smoothings {
			runs = append(runs, emRun{smoothing: smoothing, weight: w, rounds: rounds})
			if at < 2 { // a smoothing of 0.3 gains nothing where log-probabilities are centred
				runs = append(runs, emRun{smoothing: smoothing, weight: w, rounds: centredRounds, centred: true})
			}
		}
	}
	return runs
}

// only returns the runs of the most usual trial of some, as it is and centred.
func (u usual) only(runs []emRun) []emRun {
	plain, centred := math.Inf(1), math.Inf(1)
	most := make([]emRun, 2)
	for _, r := range runs {
		at, least := 0, &plain
		if r.centred {
			at, least = 1, &centred
		}
		for _, rounds := range r.rounds {
			if much := u.unusual(SemiTrial{Smoothing: r.smoothing, Weight: r.weight, Rounds: rounds}); much < *least {
				*least, most[at] = much, emRun{smoothing: r.smoothing, weight: r.weight, centred: r.centred, rounds: []int{rounds}}
			}
		}
	}
	return most
}

// untried returns the most usual trial of some runs, half of it centred.
func (u usual) untried(runs []emRun) SemiTrial {
	r := u.only(runs)[0]
	return SemiTrial{Smoothing: r.smoothing, Weight: r.weight, Rounds: r.rounds[0], Both: true}
}

// Too few labelled examples to choose by, of severalClasses or more, have a smoothing of ofSeveral as the usual one. That gains 0.3 of 20news with one label a class, and 0.07 with 28 in all; with six classes or fewer it loses 0.01 or 0.02, and livedoor, with nine, is level (docs/labels-tried.md).
const severalClasses, ofSeveral = 10, 0.01

// fewestToChoose is how many labelled examples there are from which on folds choose smoothing and rounds. Fewer choose worse than what is usual: with three a class, drawn, that gains 0.04 on nsmc and 0.03 on trec, ucinews and sms
// (docs/labels-tried.md).
const fewestToChoose = 30

// bothLead, divided by the root of the number of labelled examples, is by how much accuracy less log loss one of the two trials that few of them leave has to be higher than the other to be learned alone; else half of
// what is learned is of each. That gains 0.006 or 0.007 on agnews, ucinews and trec; half of each whatever folds say loses 0.16 on 20news (docs/labels-tried.md).
const bothLead = 1.0

// Folds are five, and dealt twice if examples are few, since then it matters much which come together.
const semiFolds, fewLabelled, semiRepeats = 5, 60, 2

// try predicts the labelled examples by others in folds, in each run of EM.
func (m *mixture) try(ctx context.Context, o *SemiSupervisedOptions, u usual) (*semiTrials, error) {
	repeats, folds := 1, min(semiFolds, m.largestClass())
	if m.labelled <= fewLabelled {
		repeats = semiRepeats
	}
	runs := o.runs(u)
	if m.labelled < fewestToChoose {
		runs = u.only(runs)
	}
	var (
		t    = newSemiTrials(m, runs, repeats, folds)
		pool = parallel.NewPoolOf(ctx, o.Workers)
		done int
		mu   sync.Mutex
	)
	for repeat := range repeats {
		fold, err := StratifiedFolds(m.labels(), folds, true, o.Seed+uint32(repeat))
		if err != nil {
			return nil, err
		}
		if repeat == 0 {
			t.fold = fold
		}
		for f := range folds {
			var train, tested []int
			for i, of := range fold {
				if of == f {
					tested = append(tested, i)
				} else {
					train = append(train, i)
				}
			}
			for _, r := range t.runs {
				pool.Go(func() error {
					_, err := m.run(ctx, pool, train, t.trials[r.first+len(r.rounds)-1], r.tested(), func(round int, model *bayes.Model) {
						t.test(r.trialAfter(round), model, repeat, repeat*folds+f, tested)
					})
					mu.Lock()
					defer mu.Unlock()
					if done++; o.Progress != nil && err == nil {
						o.Progress(done, repeats*folds*len(t.runs))
					}
					return err
				})
			}
		}
	}
	if err := pool.Wait(); err != nil {
		return nil, err
	}
	t.sumUp()
	return t, nil
}

// semiTrials are what was predicted of the labelled examples.
type semiTrials struct {
	*mixture
	runs    []emRun
	trials  []SemiTrial // the first that of the labelled alone, and then those of each run, by their rounds
	repeats int
	fold    []int            // of the first repeat, by example
	said    []*Scores        // by trial, of the first repeat; nil if examples are too few to choose by
	right   [][]uint8        // by trial, and by repeat and example: whether it was right
	loss    [][]temperedLoss // by trial, and by repeat and fold
}

func newSemiTrials(m *mixture, runs []emRun, repeats, folds int) *semiTrials {
	t := &semiTrials{mixture: m, runs: runs, repeats: repeats, trials: make([]SemiTrial, 1)}
	for at := range t.runs {
		r := &t.runs[at]
		r.first = len(t.trials)
		for _, rounds := range r.rounds {
			t.trials = append(t.trials, SemiTrial{Smoothing: r.smoothing, Weight: r.weight, Rounds: rounds, Centred: r.centred})
		}
	}
	for range t.trials {
		if m.labelled >= fewestToChoose {
			t.said = append(t.said, &Scores{Classes: m.classes, logP: slices.Repeat([]float64{math.Inf(-1)}, m.labelled*len(m.classes))})
		}
		t.right, t.loss = append(t.right, make([]uint8, repeats*m.labelled)), append(t.loss, make([]temperedLoss, repeats*folds))
	}
	return t
}

// tested returns the rounds after which a run is a trial. After round 0 it is that of the labelled alone, which is the same in all runs, so the first tests it.
func (r *emRun) tested() []int {
	if r.first == 1 {
		return append([]int{0}, r.rounds...)
	}
	return r.rounds
}

// trialAfter returns which trial a run is after a round that is tested.
func (r *emRun) trialAfter(round int) int {
	if round == 0 {
		return 0
	}
	return r.first + slices.Index(r.rounds, round)
}

// test predicts the examples of a fold by a trial's model of others.
func (t *semiTrials) test(trial int, model *bayes.Model, repeat, fold int, tested []int) {
	classes := model.Classes()
	var logP []float64
	for _, i := range tested {
		logP, _ = t.AppendLogP(logP[:0], model, i)
		k, ok := slices.BinarySearch(classes, t.Label(i))
		if !ok {
			k = -1
		} else if slices.Index(logP, slices.Max(logP)) == k {
			t.right[trial][repeat*t.labelled+i] = 1
		}
		t.loss[trial][fold].add(logP, k)
		if repeat == 0 && t.said != nil {
			said := t.said[trial].LogP(i)
			for at, class := range classes {
				k, _ := slices.BinarySearch(t.classes, class)
				said[k] = logP[at]
			}
		}
	}
}

// heldOut returns what models of a trial, each of the other folds, say of the labelled examples, nil if these are too few.
func (t *semiTrials) heldOut(trial SemiTrial) *Scores {
	if t.said == nil {
		return nil
	}
	s := t.said[t.index(trial)]
	s.Fold = t.fold
	for i := range t.labelled {
		s.Truth = append(s.Truth, t.classOf(i))
	}
	return s
}

// index returns which trial one is.
func (t *semiTrials) index(of SemiTrial) int {
	return slices.IndexFunc(t.trials, func(trial SemiTrial) bool {
		same := trial.Weight == of.Weight && trial.Rounds == of.Rounds && trial.Centred == of.Centred
		if _, table := of.Smoothing.(bayes.PerFeature); !table { // or else it is the only one
			same = same && trial.Smoothing == of.Smoothing
		}
		return same
	})
}

// A temperedLoss is a sum of log losses at each of the temperatures 1, 2, 4 to 256, by which log-probabilities are divided. To compare the least of
// these, rather than losses at 1, gained 0.005 of accuracy in the mean.
type temperedLoss [9]float64

// mostSemiLoss is the highest loss of an example.
const mostSemiLoss = 3.0

// add adds the loss of class k, -1 for one that the model does not know, the highest if that has no probability.
func (l *temperedLoss) add(logP []float64, k int) {
	for at, temperature := 0, 1.0; at < len(l); at, temperature = at+1, 2*temperature {
		loss := mostSemiLoss
		if k >= 0 && !math.IsInf(logP[k], -1) {
			var sum float64 // 1/P(class k)
			for _, v := range logP {
				sum += math.Exp((v - logP[k]) / temperature)
			}
			loss = min(loss, math.Log(sum))
		}
		l[at] += loss
	}
}

// leastLoss returns the least sum of losses, and its temperature.
func leastLoss(losses []temperedLoss) (least, temperature float64) {
	var all temperedLoss
	for _, l := range losses {
		for at, v := range l {
			all[at] += v
		}
	}
	least = slices.Min(all[:])
	return least, math.Ldexp(1, slices.Index(all[:], least))
}

// sumUp says how each trial did.
func (t *semiTrials) sumUp() {
	n, repeats := float64(t.labelled), float64(t.repeats)
	for a := range t.trials {
		trial := &t.trials[a]
		var gain, squares float64 // of examples, each with the mean of its repeats
		for i := range t.labelled {
			var more float64
			for at := i; at < len(t.right[a]); at += t.labelled {
				trial.Accuracy += float64(t.right[a][at])
				more += float64(t.right[a][at]) - float64(t.right[0][at])
			}
			gain, squares = gain+more/repeats, squares+more*more/repeats/repeats
		}
		trial.Accuracy /= n * repeats
		loss, temperature := leastLoss(t.loss[a])
		trial.LogLoss, trial.Temperature = loss/n/repeats, temperature
		trial.Error = math.Sqrt(max(0, squares/n-gain/n*gain/n) / n)
	}
}

// centredLead, divided by the root of the number of labelled examples, is by how much accuracy less log loss has to be higher if log-probabilities are centred. That does harm where classes are not as frequent as among the labelled, which
// folds of these do not tell: without a lead livedoor loses 0.006, and with twice as much nsmc, drawn, has 0.001 less, and ucinews, asked for, 0.007 (docs/labels-tried.md).
const centredLead = 0.25

// best returns the best trial, by the number of labelled examples and what is usual: of those that are more accurate than the first, that of the labelled alone, or less so by no more than the allowance, and of no higher log loss, that with
// the highest accuracy less its log loss, which says more where held-out examples are few, less what it costs to be unusual.
func best(trials []SemiTrial, labelled int, u usual) SemiTrial {
	if labelled < fewestToChoose {
		return bestOfFew(trials[0], trials[1], trials[2], labelled)
	}
	first, top, most, root := trials[0], trials[0], math.Inf(-1), math.Sqrt(float64(labelled))
	for _, t := range trials[1:] {
		cost := u.lead * u.unusual(t)
		if t.Centred {
			cost += centredLead
		}
		worth := t.Accuracy - t.LogLoss - cost/root
		helps := t.Accuracy > first.Accuracy-u.allowance/root && t.LogLoss <= first.LogLoss
		if helps && worth > most {
			top, most = t, worth
		}
	}
	return top
}

// bestOfFew returns one of two trials, the latter centred, or that of both if neither is ahead by what bothLead says. One that is less accurate than the first, that of the labelled alone, by more than
// two standard errors is left out.
func bestOfFew(first, plain, centred SemiTrial, labelled int) SemiTrial {
	harms := func(t SemiTrial) bool { return t.Accuracy+2*t.Error < first.Accuracy }
	lead := bothLead / math.Sqrt(float64(labelled))
	ahead := (centred.Accuracy - centred.LogLoss) - (plain.Accuracy - plain.LogLoss)
	switch {
	case harms(plain) && harms(centred):
		return first
	case harms(centred):
		return plain
	case harms(plain), ahead > lead:
		return centred
	case ahead < -lead:
		return plain
	}
	both := plain
	both.Both = true
	both.Accuracy, both.LogLoss = (plain.Accuracy+centred.Accuracy)/2, (plain.LogLoss+centred.LogLoss)/2
	both.Error = max(plain.Error, centred.Error)
	return both
}
