package eval

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"bayes"
	"bayes/internal/nearest"
	"bayes/internal/parallel"
	"bayes/internal/unlabelled"
)

// A mixture is labelled examples and others, whose classes EM estimates.
type mixture struct {
	*reading
	labelled  int                   // how many examples have a label: the first ones
	classes   []string              // of the labelled, sorted
	plain     bayes.EventModel      // of the labelled alone; the others have another smoothing
	sublinear *reading              // the same examples, as centred trials read them
	weights   []float64             // by labelled example
	nearest   [][]nearest.Neighbour // by labelled example: those without a label that are nearest to it, by their numbers here
	pooled    [][]nearest.Neighbour // by example without a label, from the first on: others that are nearest to it, and it to them, by their numbers among these; nil if no shares are pooled
}

// readMixture reads examples with a label, and then examples whose labels are ignored.
func readMixture(ctx context.Context, s *bayes.Space, labelled, others iter.Seq2[bayes.Example, error], workers int) (*mixture, error) {
	m := new(mixture)
	all := func(yield func(bayes.Example, error) bool) {
		for ex, err := range labelled {
			m.labelled++
			m.weights = append(m.weights, cmp.Or(ex.Weight, 1))
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
	c, err := bayes.ReadCorpus(ctx, s, all, &bayes.CountOptions{Workers: workers})
	if err != nil {
		return nil, err
	}
	m.reading, m.classes, m.nearest = newReading(c), c.Classes(), make([][]nearest.Neighbour, m.labelled)
	if m.labelled == 0 {
		return nil, errors.New("no example has a label: some of each class are needed")
	}
	return m, nil
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
	if len(m.classes) < 2 || found.Known == 0 {
		return found, nil
	}
	m.sublinear = m.readSublinear()
	pooled := o.Rounds == nil || slices.Max(o.Rounds) > 1 // one round is for what is near to labels
	if err := m.findNearest(ctx, o.Workers, pooled); err != nil {
		return nil, err
	}
	u := usualOf(m.perClass(m.labelled), o.Asked)
	once := m.largestClass() < 2
	// What is untried is what orders of package label read, which were chosen with the other smoothing.
	if len(m.classes) >= severalClasses && !o.Untried && (once || m.labelled < fewestToChoose) {
		u.smoothing = ofSeveral
	}
	if o.Untried || once { // or else there is nothing to hold out
		found.SemiTrial = u.untried(o.runs(u))
	} else {
		tried, err := m.try(ctx, o, u)
		if err != nil {
			return nil, err
		}
		found.Trials = tried.trials
		found.SemiTrial = best(found.Trials, m.labelled, u)
		found.HeldOut = tried.heldOut(found.SemiTrial)
	}
	if found.Weight == 0 {
		return found, nil
	}
	found.Model = bayes.WithSmoothing(m.plain, found.Smoothing)
	s, err := m.finish(ctx, o, found.SemiTrial, every)
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

// shares are the classes in which each example is learned, and with which weights.
type shares struct {
	class  [][]int32 // by example: indices in classes
	weight [][]float64
}

func (s *shares) of(i int) ([]int32, []float64) { return s.class[i], s.weight[i] }

// sharesOf returns those of some labelled examples: all of each is in one class.
func (m *mixture) sharesOf(train []int) *shares {
	s := &shares{class: make([][]int32, m.Len()), weight: make([][]float64, m.Len())}
	for _, i := range train {
		s.class[i], s.weight[i] = []int32{int32(m.classOf(i))}, []float64{1}
	}
	return s
}

// run fits to labelled examples and their neighbours, and then for the rounds of a trial to these and, times its weight, to the others in the classes
// in which the model before has them. After each of the rounds asked about it calls after, with a model of the labelled and of the shares that the others have; after round 0 these have none. It returns the shares of the last round.
func (m *mixture) run(ctx context.Context, pool *parallel.Pool, train []int, trial SemiTrial, rounds []int, after func(round int, model *bayes.Model)) (*shares, error) {
	if slices.Contains(rounds, 0) {
		alone, err := bayes.Fit(m.count(m.classes, m.sharesOf(train).of), m.plain)
		if err != nil {
			return nil, err
		}
		after(0, alone)
	}
	e, err := m.begin(train, trial)
	for round := 1; round <= trial.Rounds && err == nil; round++ {
		e.read(pool)
		e.share(pool, nil)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.model = nil // there is memory for as many models as there are workers
		if slices.Contains(rounds, round) {
			model, err := bayes.Fit(m.count(m.classes, e.of), e.event())
			if err != nil {
				return nil, err
			}
			after(round, model)
			if e.input == m.reading {
				e.model = model
			}
		}
		if e.model == nil && round < trial.Rounds {
			err = e.fit()
		}
	}
	return e.shares, err
}

// An emState is how far a run of EM has come.
type emState struct {
	*mixture
	*shares
	trial    SemiTrial
	input    *reading // what the model reads
	perClass float64  // of its labelled examples, by which the temperature is
	model    *bayes.Model

	// What the model says: of each example without a label, and centred if the trial is.
	number []int     // by class of the model: its index in classes
	logP   []float64 // by example and class of the model; once shares are made, the probability
	known  []float64 // by example: how many of its features the model knows
	mean   []float64 // by class of the model, for each known feature: what was taken off; nil if nothing was
}

// begin returns a run whose model is of labelled examples and their neighbours. The former count by their length, so that a long one is not all that is known of its class.
func (m *mixture) begin(train []int, trial SemiTrial) (*emState, error) {
	e := &emState{mixture: m, shares: m.sharesOf(train), trial: trial, input: m.reading, perClass: m.perClass(len(train))}
	if trial.Centred {
		e.input = m.sublinear
	}
	e.spread(train)
	byLength := func(i int) ([]int32, []float64) {
		if i < e.labelled {
			return e.class[i], e.input.byLength[i:][:len(e.class[i])]
		}
		return e.class[i], e.weight[i]
	}
	var err error
	e.model, err = bayes.Fit(e.input.count(m.classes, byLength), e.event())
	return e, err
}

// event is the event model of the examples and their shares.
func (e *emState) event() bayes.EventModel { return bayes.WithSmoothing(e.plain, e.trial.Smoothing) }

// fit fits the model to the labelled examples and to the shares of the others: the M-step.
func (e *emState) fit() (err error) {
	e.model, err = bayes.Fit(e.input.count(e.classes, e.of), e.event())
	return err
}

// chunk is how many examples are read at a time by one goroutine.
const chunk = 256

// logPOf returns what the model says of an example without a label.
func (e *emState) logPOf(i int) []float64 {
	k := len(e.number)
	return e.logP[(i-e.labelled)*k:][:k]
}

// read sets what the model says of the examples without a label: the first half of the E-step.
func (e *emState) read(pool *parallel.Pool) {
	if e.logP == nil {
		for _, class := range e.model.Classes() {
			at, _ := slices.BinarySearch(e.classes, class)
			e.number = append(e.number, at)
		}
		e.logP, e.known = make([]float64, (e.Len()-e.labelled)*len(e.number)), make([]float64, e.Len())
	}
	pool.Part(e.Len()-e.labelled, chunk, func(from, to int) {
		var logP []float64
		for i := e.labelled + from; i < e.labelled+to; i++ {
			var n int
			logP, n = e.input.AppendLogP(logP[:0], e.model, i)
			copy(e.logPOf(i), logP)
			e.known[i] = float64(n)
		}
	})
	if e.trial.Centred {
		e.mean = e.centre(e.input.byLength, e.logPOf, e.known, e.model.LogPrior())
	}
}

// share sets the shares of the examples without a label to what the model says, pooled with what it says of their neighbours, times a weight and what they count by their length: the second half of the E-step. What is not nil
// is added, by class of the mixture, to log-probabilities at their temperature.
func (e *emState) share(pool *parallel.Pool, added []float64) {
	others := e.Len() - e.labelled
	pool.Part(others, chunk, func(from, to int) {
		for i := e.labelled + from; i < e.labelled+to; i++ {
			p, t := e.logPOf(i), temperature(e.Distinct(i), e.perClass)
			if added != nil {
				for k := range p {
					p[k] += t * added[e.number[k]]
				}
			}
			soften(p, t)
		}
	})
	part := e.pooledPart(pool)
	pool.Part(others, chunk, func(from, to int) {
		var (
			classes []int32
			weights []float64
		)
		near := make([]float64, len(e.number))
		for i := e.labelled + from; i < e.labelled+to; i++ {
			pooled := part > 0 && e.meanOfNeighbours(near, i)
			start := len(classes)
			for k, v := range e.logPOf(i) {
				if pooled {
					v += part * (near[k] - v)
				}
				if share := roundShare(v * e.input.byLength[i]); share > 0 {
					classes, weights = append(classes, int32(e.number[k])), append(weights, e.trial.Weight*share)
				}
			}
			e.class[i], e.weight[i] = classes[start:len(classes):len(classes)], weights[start:len(weights):len(weights)]
		}
	})
}

// centre takes off log-probabilities what they have in the mean: for each known feature the mean, over all examples without a label, of what likelihoods of such features add to them beside the prior. With few labelled examples, a class
// whose examples happen to have many different features is more likely than others to whatever it is asked about, and the more it gets the more features it has. That loses whole classes
// of 20news, which gains 0.03 to 0.05 by this; where classes are not as frequent among examples without a label as among the labelled, it makes them too alike in size: trec loses up to 0.07 where as many of each class are labelled (docs/labels-tried.md).
func (m *mixture) centre(weights []float64, of func(i int) []float64, known, logPrior []float64) (mean []float64) {
	mean = make([]float64, len(logPrior))
	features := 0.0
	for i := m.labelled; i < m.Len(); i++ {
		if logP := of(i); !math.IsInf(slices.Min(logP), -1) { // as without smoothing
			for k, v := range logP {
				mean[k] += weights[i] * (v - logPrior[k])
			}
			features += weights[i] * known[i]
		}
	}
	if features == 0 {
		return nil
	}
	for i := m.labelled; i < m.Len(); i++ {
		logP := of(i)
		for k := range logP {
			logP[k] -= known[i] * mean[k] / features
		}
	}
	for k := range mean {
		mean[k] /= features
	}
	return mean
}

// temperature returns that at which log-probabilities of an example with some distinct features are about as sure as they are right, by a model of some labelled examples a class.
// Features that say the same make a model surer than it is right, and long examples have more of them, so all that one has are believed as much as six are. That the temperature grows
// with the number of features rather than with its root gains EM up to 0.06 on 20news and 0.003 in the mean elsewhere; that it falls with the root of the labels gains 0.002 to 0.006 on nsmc (docs/labels-tried.md).
func temperature(features int, perClass float64) float64 {
	return max(1, float64(features)*min(1./6, 1.25/math.Sqrt(perClass)))
}

// soften makes log-probabilities, to which the same may have been added, probabilities at a temperature, or zeros if no class is possible, as without smoothing.
func soften(logP []float64, temperature float64) {
	most, sum := slices.Max(logP), 0.0
	if math.IsInf(most, -1) {
		clear(logP)
		return
	}
	for k, v := range logP {
		logP[k] = math.Exp((v - most) / temperature)
		sum += logP[k]
	}
	for k := range logP {
		logP[k] /= sum
	}
}
