package eval

import (
	"context"
	"math"
	"slices"

	"bayes/internal/parallel"
)

// heldOutPrecision is that of a normal prior, of mean 0, of what [offsets.fit] adds to the log-probability of a class at its temperature: the inverse of its variance.
const heldOutPrecision = 3.0

// finish is run for the trial that was chosen, of all labelled examples.
func (m *mixture) finish(ctx context.Context, o *SemiSupervisedOptions, trial SemiTrial, every []int) (*shares, error) {
	switch {
	case trial.Both:
		return m.finishBoth(ctx, o, trial, every)
	case trial.Centred && trial.Rounds > 1 && m.largestClass() > 1: // or else nothing that is held out is heard
		return m.runHeldOut(ctx, o, trial)
	}
	return m.run(ctx, parallel.NewPoolOf(ctx, o.Workers), every, trial, nil, nil)
}

// finishBoth is finish for a trial centred and not centred: of each example without a label it returns the mean of the shares of both.
func (m *mixture) finishBoth(ctx context.Context, o *SemiSupervisedOptions, trial SemiTrial, every []int) (*shares, error) {
	trial.Both = false
	plain, err := m.finish(ctx, o, trial, every)
	if err != nil {
		return nil, err
	}
	trial.Centred = true
	centred, err := m.finish(ctx, o, trial, every)
	if err != nil {
		return nil, err
	}
	mean := make([]float64, len(m.classes))
	for i := m.labelled; i < m.Len(); i++ {
		clear(mean)
		for _, s := range []*shares{plain, centred} {
			for at, k := range s.class[i] {
				mean[k] += s.weight[i][at] / trial.Weight / 2
			}
		}
		// Means are rounded as shares are, so that sums stay exact.
		plain.class[i], plain.weight[i] = nil, nil
		for k, share := range mean {
			if share = roundShare(share); share > 0 {
				plain.class[i], plain.weight[i] = append(plain.class[i], int32(k)), append(plain.weight[i], trial.Weight*share)
			}
		}
	}
	return plain, nil
}

// runHeldOut is run for a trial that is centred, of all labelled examples, where what is said of held-out ones is heard from the second round on. Beside the run of all there is one for each fold of them, without it, a round
// at a time. How each model has the examples of its fold tells which classes get too much of the pile, and which are lost to others: what has to be added to each class, so that these labels are the likeliest, is added in all runs
// when shares are made of the next round. That gains 20news 0.011 ± 0.003 with 176 labels that were drawn, and 0.008 ± 0.002 with as many that were asked for (docs/labels-tried.md).
func (m *mixture) runHeldOut(ctx context.Context, o *SemiSupervisedOptions, trial SemiTrial) (*shares, error) {
	folds := min(semiFolds, m.largestClass())
	fold, err := StratifiedFolds(m.labels(), folds, true, o.Seed)
	if err != nil {
		return nil, err
	}
	runs := make([]*emState, 1+folds) // the first of all labelled examples, and the others each without a fold
	err = inTasks(ctx, o.Workers, len(runs), func(at int, _ *parallel.Pool) (err error) {
		var train []int
		for i, of := range fold {
			if of != at-1 {
				train = append(train, i)
			}
		}
		runs[at], err = m.begin(train, trial)
		return err
	})
	for round := 1; round <= trial.Rounds && err == nil; round++ {
		// What each model says of the pile, and of the fold that it has not learned.
		h := offsets{perClass: m.perClass(m.labelled), logP: make([][]float64, m.labelled)}
		err = inTasks(ctx, o.Workers, len(runs), func(at int, pool *parallel.Pool) error {
			e := runs[at]
			if round > 1 {
				if err := e.fit(); err != nil {
					return err
				}
			}
			e.read(pool)
			for i, of := range fold {
				if round > 1 && of == at-1 {
					h.add(e, i)
				}
			}
			e.model = nil // there is memory for as many models as there are workers
			return nil
		})
		// The shares of the pile, once all have said so.
		var added []float64
		if round > 1 {
			added = h.fit(m)
		}
		if err == nil {
			err = inTasks(ctx, o.Workers, len(runs), func(at int, pool *parallel.Pool) error {
				runs[at].share(pool, added)
				return nil
			})
		}
	}
	if err != nil {
		return nil, err
	}
	return runs[0].shares, nil
}

// inTasks has n tasks run, and waits for them.
func inTasks(ctx context.Context, workers, n int, task func(at int, pool *parallel.Pool) error) error {
	pool := parallel.NewPoolOf(ctx, workers)
	for at := range n {
		pool.Go(func() error { return task(at, pool) })
	}
	return pool.Wait()
}

// offsets are learned from what models say of labelled examples that they have not learned.
type offsets struct {
	perClass float64
	logP     [][]float64 // by labelled example, and class of the mixture, at its temperature; -Inf for a class that the model does not know. Nil for an example of such a class
}

// add adds what a run says of labelled example i, centred as its shares are.
func (h *offsets) add(e *emState, i int) {
	said, known := e.input.AppendLogP(nil, e.model, i)
	logP := slices.Repeat([]float64{math.Inf(-1)}, len(e.classes))
	for k, at := range e.number {
		logP[at] = said[k]
		if e.mean != nil {
			logP[at] -= float64(known) * e.mean[k]
		}
		logP[at] /= temperature(e.Distinct(i), h.perClass)
	}
	if !math.IsInf(logP[e.classOf(i)], -1) {
		h.logP[i] = logP
	}
}

// fit returns what to add to the log-probability of each class so that the labels are the likeliest of those that were held out, beside its prior: a logistic regression on these alone, by Newton's method class by class. Nothing is added to other classes:
// that no label of a class was held out, as where it has a single one, says nothing of how much of the pile it gets. To have them lose by it costs 0.002 to 0.006 of 20news with 4 to 24 answers beside the names of its classes (docs/labels-tried.md).
func (h *offsets) fit(m *mixture) []float64 {
	const (
		steps, step, most = 300, 0.7, 0.5
		enough            = 1e-4
	)
	heard := make([]bool, len(m.classes))
	for i, logP := range h.logP {
		heard[m.classOf(i)] = heard[m.classOf(i)] || logP != nil
	}
	added, p := make([]float64, len(m.classes)), make([]float64, len(m.classes))
	for range steps {
		slope, curve := make([]float64, len(p)), make([]float64, len(p))
		for i, logP := range h.logP {
			if logP == nil {
				continue
			}
			for k := range p {
				if p[k] = math.Inf(-1); heard[k] {
					p[k] = logP[k] + added[k]
				}
			}
			soften(p, 1)
			for k := range p {
				slope[k] -= p[k]
				curve[k] += p[k] * (1 - p[k])
			}
			slope[m.classOf(i)]++
		}
		var moved float64
		for k := range added {
			by := step * (slope[k] - heldOutPrecision*added[k]) / (curve[k] + heldOutPrecision)
			by = max(-most, min(most, by))
			added[k] += by
			moved = max(moved, math.Abs(by))
		}
		if moved < enough {
			break
		}
	}
	return added
}

// classOf returns the index in classes of that of a labelled example.
func (m *mixture) classOf(i int) int {
	k, _ := slices.BinarySearch(m.classes, m.Label(i))
	return k
}
