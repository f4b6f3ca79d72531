package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"bayes"
	"bayes/internal/parallel"
	"bayes/internal/unlabelled"
)

// SemiSupervisedOptions are options for [SemiSupervised]. A nil *SemiSupervisedOptions is the zero value.
//
// Nil Weights stand for 1/4, or for 1/2 if 75 or more labelled examples a class were asked for; a nil Smoothing for 0.01, 0.1 and 0.3, each times four times the weight;
// and nil Rounds for 2, 5 and 10, or 5 where log-probabilities are centred. Each is tried with each of the others, and each of these with log-probabilities as they are and centred.
type SemiSupervisedOptions struct {
	// Asked is whether labelled examples were asked for because they are hard, as package label does, rather than drawn at random. They are not like the others,
	// so those are to count for more where there are many, two rounds are too few, and folds of them say less.
	Asked bool

	Smoothing bayes.Smoothing       // of models that read examples without a label
	Weights   []float64             // what an example without a label may count if it is of mean length, above 0
	Rounds    []int                 // how many rounds of EM there may be, from 1 up, rising
	Seed      uint32                // of the folds
	Workers   int                   // that read and learn; zero means GOMAXPROCS
	Progress  func(done, total int) // if not nil, called after each run of EM, by one goroutine at a time
}

// A SemiSupervision is what examples without a label add to those with one.
type SemiSupervision struct {
	Labelled, Unlabelled int // how many examples there are
	Known                int // of the unlabelled, those with a feature that a labelled one has

	SemiTrial                  // the best; of Weight 0 if the labelled do better alone
	Model     bayes.EventModel // with which it was
	Counts    *bayes.Counts    // to be added to the Counts of the labelled; nothing if Weight is 0
	Trials    []SemiTrial      // all; the first is that of the labelled alone
}

// A SemiTrial is how labelled examples were predicted by the others.
type SemiTrial struct {
	Smoothing bayes.Smoothing // nil for that of the labelled alone
	Weight    float64         // of an example without a label, of mean length
	Rounds    int             // of EM
	Centred   bool            // whether log-probabilities were, before shares were made of them
	Accuracy  float64         // in [0,1]
	Error     float64         // the standard error of what the accuracy is above that of the labelled alone; it decides nothing
	LogLoss   float64         // the mean of -ln P(label), at most 3 each, of log-probabilities divided by Temperature

	Temperature float64 // 1, 2, 4 or so on to 256: that with the least LogLoss; 0 where nothing was tried
}

// SemiSupervised learns from labelled examples and from others, whose labels are ignored, by
// expectation-maximization (Nigam, McCallum, Thrun and Mitchell 2000, "Text classification from labeled and
// unlabeled documents using EM"): each of the others is learned in every class, with P(class | example) for its
// share, by a model of the labelled, and then by one of both, for some rounds. Naive Bayes is too sure of examples with many features, so
// that EM would hold on to what it began with: as in deterministic annealing (Ueda and Nakano 1998, "Deterministic annealing EM algorithm"), shares
// are of ln P(class | example) divided by a temperature: for an example with k distinct features k/6, or 1.25·k/√c where that is less, with c labelled examples a class in the mean, and never less than 1. Long
// examples would outweigh the others, too: each counts Weight·√(k̄/k), at most 2·Weight, with k̄ for the mean of k, and those with a label √(k̄/k) in the model by which the first shares are. Shares are rounded to 2^-16, so that
// sums are exact and depend on no order, with a weight that is a multiple of 2^-16, too.
//
// Of long examples a class whose terms are many gets too many, and others are lost to it. So trials are made too with log-probabilities that are centred: less λ for each feature of the example that the model knows, where
// λ is, for each class, the mean by which the likelihood of such a feature changes ln P(class | example), over all examples without a label. All of these together are then as likely in each class, beside its prior. That suits classes
// that are about as frequent among the others as among the labelled.
//
// The smoothing and the number of rounds, and the weight if several are given, are chosen by folds of the labelled ones,
// with EM anew for each fold: examples that are left out afterwards have already told their labels. Of the trials that are more accurate than
// the labelled alone, and of no higher log loss, that with the highest accuracy less its log loss is chosen. If there is none, examples without a label
// are left out. The best of several trials looks better than it is where held-out examples are few, so both have to say so, and what is unusual counts less: with n labelled examples, c a class, and a smoothing α by
// 0.5/√n · (|ln(rounds/r)| + min(1, |ln(α/a)|)), or 0.5/√n · (1 + min(1, |ln(α/a)|)) if log-probabilities are centred, for r = 30/√c between 2 and 10 and a = 0.4·Weight·√(c/40) between one and three times 0.4·Weight. Of examples that were asked for
// r is 3.5 at least, a trial may be less accurate than the labelled alone by up to 0.5/√n, being centred costs 0.25/√n rather than 0.5/√n, and from 36 a class on all else costs twice as much. The more naive Bayes has read,
// the surer it is, also where it is wrong; so the log loss of each trial is that at its best temperature, by which log-probabilities are divided.
//
// The result's Counts keep apart from what labelled examples add, which go on to be learned and unlearned;
// [bayes.Fit] reads the sum. The Space must have no IDF and no LabelSeparator, and em no correction. It takes twice the memory that [bayes.ReadCorpus] takes for all examples,
// and for each worker that of the counts of two models, in which a feature may be in every class, and 8 bytes for each example and class: with two workers and the 11,314 messages of 20news 0.75 GB are in use.
func SemiSupervised(ctx context.Context, s *bayes.Space, em bayes.EventModel, labelled, others iter.Seq2[bayes.Example, error], opts *SemiSupervisedOptions) (*SemiSupervision, error) {
	o := new(SemiSupervisedOptions)
	if opts != nil {
		*o = *opts
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if s != nil && s.IDF != nil {
		return nil, errors.New("examples without a label cannot be weighted by an IDF, which would be that of the few labelled ones")
	}
	if s != nil && s.LabelSeparator != "" {
		return nil, errors.New("examples without a label cannot be learned where one may have several labels")
	}
	if em == nil {
		em = bayes.Multinomial{}
	}
	if bayes.WithoutCorrection(em).String() != em.String() {
		return nil, errors.New("corrections are learned from labels, and not from shares of classes")
	}
	m, err := readMixture(ctx, s, labelled, others, o.Workers)
	if err != nil {
		return nil, err
	}
	m.plain = em
	return m.learn(ctx, o)
}

// check returns an error if options are out of range.
func (o *SemiSupervisedOptions) check() error {
	if o.Weights != nil && len(o.Weights) == 0 {
		return errors.New("no weight of examples without a label: want one at least")
	}
	for _, w := range o.Weights {
		if !(w > 0 && w <= 1e6) {
			return fmt.Errorf("weight %v of examples without a label: want a number above 0, at most 1e6", w)
		}
	}
	wrong := o.Rounds != nil && len(o.Rounds) == 0
	for i, rounds := range o.Rounds {
		wrong = wrong || rounds < 1 || i > 0 && rounds <= o.Rounds[i-1]
	}
	if wrong {
		return fmt.Errorf("rounds of EM %v: want numbers from 1 up, rising", o.Rounds)
	}
	return nil
}

// An emRun is a run of EM, which is a trial after some of its rounds.
type emRun struct {
	smoothing bayes.Smoothing
	weight    float64
	centred   bool
	rounds    []int // after which it is a trial
	first     int   // of semiTrials.trials: the trial after the first of rounds
}

// severalAsked is how many labelled examples a class there are, asked for, from which on the lead of what is usual is twice as high. That gains 0.001 on nsmc, mr and trec, and loses 0.001 on livedoor; with fewer it
// would lose 0.005 on livedoor (docs/labels-tried.md).
const severalAsked = 36

// manyAsked is how many there are from which on the others count 1/2. That gains 0.002 to 0.007 on nsmc, mr and agnews, and loses 0.001 on trec and ucinews; beside
// labels of texts that were drawn it would lose 0.001 on nsmc and 0.017 on trec (docs/labels-tried.md).
const manyAsked = 75

// usual is how much others count, how often they are learned, and with which smoothing, where that most often does best; and what is allowed a trial.
type usual struct {
	weight, rounds float64
	smoothing      float64 // for a weight of 1/4

	// Divided by the root of the number of labelled examples.
	lead      float64 // by how much accuracy less log loss has to be higher with e times the usual smoothing or rounds
	centred   float64 // and by how much if log-probabilities are centred
	allowance float64 // by how much less accurate than the labelled alone a trial may be
}

// usualOf returns what is usual with some labelled examples a class in the mean. The more there are, the fewer rounds do best, since the labelled alone are a better model
// to begin with, and the nearer the best smoothing is to 1, which suits them: 10 rounds for 9, 5 for 36 and 2 for 225, and 0.1 up to 40, 0.2 for 160 and 0.3 from 360 on.
// By few examples the best of several looks better than it is, so what is usual has a lead: that gains 0.0025 of accuracy in the mean, and 0.01 on agnews.
// Examples that were asked for because they are hard are not like the others. Two rounds then are too few however many there are. And a model of all was unsure of them, not one of the labelled alone,
// so held out they make the latter look better than it is: an allowance for that gains 0.007 on trec, where the others were left out one time in five, and loses nothing elsewhere (docs/labels-tried.md).
// To centre log-probabilities does harm where classes are not as frequent as among the labelled, which folds of these do not tell, so it has to be ahead; if it had not, livedoor, drawn, would lose 0.007.
// Half of that is enough of examples that were asked for, among which ucinews gains 0.005 and none loses more than 0.0003; livedoor, drawn, would lose 0.01.
func usualOf(perClass float64, asked bool) usual {
	u := usual{weight: 1. / 4, rounds: min(max(30/math.Sqrt(perClass), 2), 10), smoothing: 0.1 * min(max(math.Sqrt(perClass/40), 1), 3), lead: 0.5, centred: 0.5}
	if asked {
		u.rounds, u.centred, u.allowance = max(u.rounds, 3.5), 0.25, 0.5
		if perClass >= severalAsked {
			u.lead = 1
		}
		if perClass >= manyAsked {
			u.weight = 1. / 2
		}
	}
	return u
}

// unusual returns how unusual the smoothing of a trial is, and the number of its rounds, which hardly matters if they are centred.
// Some data want a smoothing of 0.01 from the first label on, so that none counts more than 1. A smoothing of 0, or of another kind, is one that was asked for, and the only one.
func (u usual) unusual(t SemiTrial) float64 {
	much := 0.0
	if !t.Centred {
		much = math.Abs(math.Log(float64(t.Rounds) / u.rounds))
	}
	if alpha, ok := t.Smoothing.(bayes.Additive); ok && alpha > 0 {
		much += min(1, math.Abs(math.Log(float64(alpha)/(4*t.Weight*u.smoothing))))
	}
	return much
}

// runs returns those to try. Examples without a label bring many terms that few of them have: long examples and many classes want less smoothing. docs/labels-tried.md says what was tried.
// Counts and a smoothing that are both doubled make the same model, so smoothing rises with the weight, and it is the labelled that count less then.
func (o *SemiSupervisedOptions) runs(u usual) (runs []emRun) {
	weights, rounds, centredRounds := o.Weights, o.Rounds, o.Rounds
	if weights == nil {
		weights = []float64{u.weight}
	}
	if rounds == nil {
		rounds, centredRounds = []int{2, 5, 10}, []int{5}
	}
	for _, w := range weights {
		smoothings := []bayes.Smoothing{bayes.Additive(0.01 * 4 * w), bayes.Additive(0.1 * 4 * w), bayes.Additive(0.3 * 4 * w)}
		if o.Smoothing != nil {
			smoothings = []bayes.Smoothing{o.Smoothing}
		}
		for _, smoothing := range smoothings {
			runs = append(runs, emRun{smoothing: smoothing, weight: w, rounds: rounds}, emRun{smoothing: smoothing, weight: w, rounds: centredRounds, centred: true})
		}
	}
	return runs
}

// A mixture is labelled examples and others, whose classes EM estimates.
type mixture struct {
	*bayes.Corpus
	labelled int // how many examples have a label: the first ones
	count    func(classes []string, shares func(i int) (k []int32, weights []float64)) *bayes.Counts
	classes  []string         // of the labelled, sorted
	byLength []float64        // by example: how much it counts by its number of features
	plain    bayes.EventModel // of the labelled alone; the others have another smoothing
}

// readMixture reads examples with a label, and then examples whose labels are ignored.
func readMixture(ctx context.Context, s *bayes.Space, labelled, others iter.Seq2[bayes.Example, error], workers int) (*mixture, error) {
	m := new(mixture)
	all := func(yield func(bayes.Example, error) bool) {
		for ex, err := range labelled {
			m.labelled++
			if !yield(ex, err) {
				return
			}
		}
		for ex, err := range others {
			ex.Label = unlabelled.Label("")
			if !yield(ex, err) {
				return
			}
		}
	}
	var err error
	if m.Corpus, err = bayes.ReadCorpus(ctx, s, all, &bayes.CountOptions{Workers: workers}); err != nil {
		return nil, err
	}
	m.classes = m.Classes()
	m.count = m.ShareCounter()
	m.byLength = m.weightsByLength()
	if m.labelled == 0 {
		return nil, errors.New("no example has a label: some of each class are needed")
	}
	return m, nil
}

// weightsByLength returns the root of the mean number of distinct features by that of each example, but at most 2, so that short ones
// do not outweigh the others instead. That gains EM 0.01 to 0.04 on 20news and about 0.01 on trec (docs/labels-tried.md).
func (m *mixture) weightsByLength() []float64 {
	weights, sum := make([]float64, m.Len()), 0
	for i := range weights {
		sum += m.Distinct(i)
	}
	for i := range weights {
		weights[i] = roundShare(min(2, math.Sqrt(float64(sum)/float64(m.Len()*max(1, m.Distinct(i))))))
	}
	return weights
}

// roundShare rounds to a multiple of 2^-16: sums of such numbers are exact.
func roundShare(v float64) float64 { return math.RoundToEven(v*(1<<16)) / (1 << 16) }

// learn chooses the best trial, and learns by it from all.
func (m *mixture) learn(ctx context.Context, o *SemiSupervisedOptions) (*SemiSupervision, error) {
	found := &SemiSupervision{Labelled: m.labelled, Unlabelled: m.Len() - m.labelled, Model: m.plain, Counts: bayes.NewCounts(m.Space()), Trials: []SemiTrial{{}}}
	every := make([]int, m.labelled)
	for i := range every {
		every[i] = i
	}
	model, err := bayes.Fit(m.count(m.classes, m.sharesOf(every).of), m.plain)
	if err != nil {
		return nil, err
	}
	for i := m.labelled; i < m.Len(); i++ {
		if _, known := m.AppendLogP(nil, model, i); known > 0 {
			found.Known++
		}
	}
	if len(m.classes) < 2 || found.Known == 0 || m.largestClass() < 2 {
		return found, nil
	}
	u := usualOf(m.perClass(m.labelled), o.Asked)
	if found.Trials, err = m.try(ctx, o, u); err != nil {
		return nil, err
	}
	found.SemiTrial = best(found.Trials, m.labelled, u)
	if found.Weight == 0 {
		return found, nil
	}
	pool := parallel.NewPoolOf(ctx, o.Workers)
	found.Model = bayes.WithSmoothing(m.plain, found.Smoothing)
	s, err := m.run(ctx, pool, every, found.SemiTrial, func(int, *bayes.Model) {})
	if err != nil {
		return nil, err
	}
	apart := make([]string, len(m.classes))
	for k, class := range m.classes {
		apart[k] = unlabelled.Label(class)
	}
	clear(s.class[:m.labelled])
	found.Counts = m.count(apart, s.of).Clone()
	return found, nil
}

// best returns the best trial, by the number of labelled examples and what is usual: of those that are more accurate than the first, that of the labelled alone, or less so by no more than the allowance, and of no higher log loss, that with
// the highest accuracy less its log loss, which says more where held-out examples are few, less what it costs to be unusual.
func best(trials []SemiTrial, labelled int, u usual) SemiTrial {
	first, top, most, root := trials[0], trials[0], math.Inf(-1), math.Sqrt(float64(labelled))
	for _, t := range trials[1:] {
		cost := u.lead * u.unusual(t)
		if t.Centred {
			cost += u.centred
		}
		worth := t.Accuracy - t.LogLoss - cost/root
		if t.Accuracy > first.Accuracy-u.allowance/root && t.LogLoss <= first.LogLoss && worth > most {
			top, most = t, worth
		}
	}
	return top
}

// labels returns those of the labelled examples.
func (m *mixture) labels() []string {
	labels := make([]string, m.labelled)
	for i := range labels {
		labels[i] = m.Label(i)
	}
	return labels
}

// perClass returns how many of some labelled examples a class has in the mean.
func (m *mixture) perClass(labelled int) float64 { return float64(labelled) / float64(len(m.classes)) }

// largestClass returns how many examples the largest class has.
func (m *mixture) largestClass() (largest int) {
	for _, members := range byAppearance(m.labels()) {
		largest = max(largest, len(members))
	}
	return largest
}

// Folds are five, and dealt twice if examples are few, since then it matters much which come together.
const semiFolds, fewLabelled, semiRepeats = 5, 60, 2

// try predicts the labelled examples by others in folds, in each run of EM.
func (m *mixture) try(ctx context.Context, o *SemiSupervisedOptions, u usual) ([]SemiTrial, error) {
	repeats, folds := 1, min(semiFolds, m.largestClass())
	if m.labelled <= fewLabelled {
		repeats = semiRepeats
	}
	var (
		t    = newSemiTrials(m, o.runs(u), repeats, folds)
		pool = parallel.NewPoolOf(ctx, o.Workers)
		done int
		mu   sync.Mutex
	)
	for repeat := range repeats {
		fold, err := StratifiedFolds(m.labels(), folds, true, o.Seed+uint32(repeat))
		if err != nil {
			return nil, err
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
					_, err := m.run(ctx, pool, train, t.trials[r.first+len(r.rounds)-1], func(round int, model *bayes.Model) {
						if trial, ok := r.trialAfter(round); ok {
							t.test(trial, model, repeat, repeat*folds+f, tested)
						}
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
	return t.trials, nil
}

// semiTrials are what was predicted of the labelled examples.
type semiTrials struct {
	*mixture
	runs    []emRun
	trials  []SemiTrial // the first that of the labelled alone, and then those of each run, by their rounds
	repeats int
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
		t.right, t.loss = append(t.right, make([]uint8, repeats*m.labelled)), append(t.loss, make([]temperedLoss, repeats*folds))
	}
	return t
}

// trialAfter returns which trial a run is after a round; after some it is none. Before the first round it is that of the labelled alone,
// which is the same in all runs, so one tests it.
func (r *emRun) trialAfter(round int) (trial int, ok bool) {
	if round == 0 {
		return 0, r.first == 1
	}
	at := slices.Index(r.rounds, round)
	return r.first + at, at >= 0
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
	}
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

// shares are the classes in which each example is learned, and with which weights.
type shares struct {
	class  [][]int32 // by example: indices in classes
	weight [][]float64
	logP   []float64 // by example without a label and class of a model: what that says, while shares are made of it
}

func (s *shares) of(i int) ([]int32, []float64) { return s.class[i], s.weight[i] }

// sharesOf returns those of some labelled examples: all of each is in one class.
func (m *mixture) sharesOf(train []int) *shares {
	s := &shares{class: make([][]int32, m.Len()), weight: make([][]float64, m.Len())}
	for _, i := range train {
		k, _ := slices.BinarySearch(m.classes, m.Label(i))
		s.class[i], s.weight[i] = []int32{int32(k)}, []float64{1}
	}
	return s
}

// run fits to labelled examples, and then for the rounds of a trial to these and, times its weight, to the others in the classes
// in which the model before has them. Before the first round that is one of labelled examples that count by their length, so that a long one is not all that is known of its class. It calls after before
// the first round, with a model of the labelled alone, and after each. It returns the shares of the last round.
func (m *mixture) run(ctx context.Context, pool *parallel.Pool, train []int, trial SemiTrial, after func(round int, model *bayes.Model)) (*shares, error) {
	s := m.sharesOf(train)
	model, err := bayes.Fit(m.count(m.classes, s.of), m.plain)
	if err != nil {
		return nil, err
	}
	after(0, model)
	em := bayes.WithSmoothing(m.plain, trial.Smoothing)
	byLength := func(i int) ([]int32, []float64) { return s.class[i], m.byLength[i:][:len(s.class[i])] }
	model, err = bayes.Fit(m.count(m.classes, byLength), em)
	for round := 1; round <= trial.Rounds && err == nil; round++ {
		m.expect(pool, model, trial, m.perClass(len(train)), s)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if model, err = bayes.Fit(m.count(m.classes, s.of), em); err == nil {
			after(round, model)
		}
	}
	return s, err
}

// expect sets the shares of the examples without a label to what a model says, times a weight and what they count by their length: the E-step. The labelled examples a class say how sure the model may be.
func (m *mixture) expect(pool *parallel.Pool, model *bayes.Model, trial SemiTrial, perClass float64, s *shares) {
	const chunk = 256
	labels := model.Classes()
	number := make([]int32, len(labels)) // by class of the model: its index in classes
	for k, label := range labels {
		at, _ := slices.BinarySearch(m.classes, label)
		number[k] = int32(at)
	}
	if s.logP == nil {
		s.logP = make([]float64, (m.Len()-m.labelled)*len(labels))
	}
	of := func(i int) []float64 { return s.logP[(i-m.labelled)*len(labels):][:len(labels)] }
	known := make([]float64, m.Len()) // by example: how many of its features the model knows
	pool.Part(m.Len()-m.labelled, chunk, func(from, to int) {
		var logP []float64
		for i := m.labelled + from; i < m.labelled+to; i++ {
			var n int
			logP, n = m.AppendLogP(logP[:0], model, i)
			copy(of(i), logP)
			known[i] = float64(n)
		}
	})
	if trial.Centred {
		m.centre(of, known, model.LogPrior())
	}
	pool.Part(m.Len()-m.labelled, chunk, func(from, to int) {
		var (
			classes []int32
			weights []float64
		)
		for i := m.labelled + from; i < m.labelled+to; i++ {
			p := of(i)
			soften(p, temperature(m.Distinct(i), perClass))
			start := len(classes)
			for k, v := range p {
				if share := roundShare(v * m.byLength[i]); share > 0 {
					classes, weights = append(classes, number[k]), append(weights, trial.Weight*share)
				}
			}
			s.class[i], s.weight[i] = classes[start:len(classes):len(classes)], weights[start:len(weights):len(weights)]
		}
	})
}

// centre takes off log-probabilities what they have in the mean: for each known feature the mean, over all examples without a label, of what likelihoods of such features add to them beside the prior. With few labelled examples, a class
// whose examples happen to have many different features is more likely than others to whatever it is asked about, and the more it gets the more features it has. That loses whole classes
// of 20news, which gains 0.03 to 0.05 by this; where classes are not as frequent among examples without a label as among the labelled, it makes them too alike in size: trec loses up to 0.07 where as many of each class are labelled (docs/labels-tried.md).
func (m *mixture) centre(of func(i int) []float64, known, logPrior []float64) {
	mean, features := make([]float64, len(logPrior)), 0.0
	for i := m.labelled; i < m.Len(); i++ {
		if logP := of(i); !math.IsInf(slices.Min(logP), -1) { // as without smoothing
			for k, v := range logP {
				mean[k] += m.byLength[i] * (v - logPrior[k])
			}
			features += m.byLength[i] * known[i]
		}
	}
	if features == 0 {
		return
	}
	for i := m.labelled; i < m.Len(); i++ {
		logP := of(i)
		for k := range logP {
			logP[k] -= known[i] * mean[k] / features
		}
	}
}

// temperature returns that at which log-probabilities of an example with some distinct features are about as sure as they are right, by a model of some labelled examples a class.
// Features that say the same make a model surer than it is right, and long examples have more of them, so all that one has are believed as much as six are. That the temperature grows
// with the number of features rather than with its root gains EM up to 0.06 on 20news and 0.003 in the mean elsewhere; that it falls with the root of the labels gains 0.002 to 0.006 on nsmc (docs/labels-tried.md).
func temperature(features int, perClass float64) float64 {
	return max(1, float64(features)*min(1./6, 1.25/math.Sqrt(perClass)))
}

// soften makes log-probabilities, to which the same may have been added, probabilities at a temperature.
func soften(logP []float64, temperature float64) {
	most, sum := slices.Max(logP), 0.0
	for k, v := range logP {
		logP[k] = math.Exp((v - most) / temperature)
		sum += logP[k]
	}
	for k := range logP {
		logP[k] /= sum
	}
}
