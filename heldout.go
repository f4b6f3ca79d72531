package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Held says what models say of an example that they were not fitted to: of event
// model m, LogP(m)[k] is ln P(class k | example), with the classes in the order
// of [Corpus.Classes]. A class that the model does not know has -Inf. It is
// valid until the function that it is given to returns.
type Held struct {
	Example int
	logP    [][]float64
}

func newHeld(ems, classes int) *Held {
	h, all := &Held{logP: make([][]float64, ems)}, make([]float64, ems*classes)
	for m := range h.logP {
		h.logP[m] = all[m*classes : (m+1)*classes : (m+1)*classes]
	}
	return h
}

// reset makes every class impossible.
func (h *Held) reset() {
	for _, logP := range h.logP {
		for k := range logP {
			logP[k] = math.Inf(-1)
		}
	}
}

// LogP returns what event model m says.
func (h *Held) LogP(m int) []float64 { return h.logP[m] }

// HeldOut predicts each example by models of others: example i, of fold[i] from 0
// up, by each event model fitted to all examples of other folds. An example of a
// negative fold is in every training part and is not predicted. The counts of a
// training part are those of all examples less those of a fold.
//
// The function visit is called once for each predicted example, by several
// goroutines at once and in no certain order. Event models that differ in an
// additive smoothing only are worked out together.
func (c *Corpus) HeldOut(ctx context.Context, fold []int, ems []EventModel, visit func(h *Held)) error {
	if len(fold) != len(c.labels) {
		return fmt.Errorf("bayes: %d folds given for %d examples", len(fold), len(c.labels))
	}
	members := make(map[int][]int)
	for i, f := range fold {
		if f >= 0 {
			members[f] = append(members[f], i)
		}
	}
	p := newPool(ctx)
	for f := range slices.Max(append(fold, -1)) + 1 {
		if len(members[f]) == 0 {
			continue
		}
		p.goFold(func() error {
			part := c.without(fold, f, members[f])
			predictors, err := c.fitAll(part.counts, ems)
			if err != nil {
				return fmt.Errorf("fold %d: %w", f+1, err)
			}
			p.score(members[f], func(chunk []int) { c.visitAll(chunk, part.idf, predictors, len(ems), visit) })
			return nil
		})
	}
	return p.wait()
}

// A predictor works out ln P(class | x) under some of the event models.
type predictor interface {
	// worker returns a function for one goroutine, which sets logP[m] of those
	// event models m.
	worker() func(x *features, logP [][]float64)
}

// fitAll fits each event model to counts, those that differ in smoothing only
// together.
func (c *Corpus) fitAll(counts *Counts, ems []EventModel) ([]predictor, error) {
	sweeps, rest, err := c.sweepsOf(counts, ems, func(EventModel) bool { return true })
	if err != nil {
		return nil, err
	}
	var list []predictor
	for _, s := range sweeps {
		if c.idf || c.space.Log || c.space.Norm != NoNorm {
			s.keepLogs()
		}
		list = append(list, s)
	}
	for _, m := range rest {
		model, err := Fit(counts, ems[m])
		if err != nil {
			return nil, err
		}
		list = append(list, &single{model, m, c.positions(model.labels())})
	}
	return list, nil
}

// sweepsOf returns what scores by counts, group by group, those of the event models
// that can be swept, where groups of the same sums share a sweep, and the numbers of
// the rest.
func (c *Corpus) sweepsOf(counts *Counts, ems []EventModel, can func(EventModel) bool) (list []*sweep, rest []int, err error) {
	all, err := gather(counts)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range groups(ems) {
		if g.alphas == nil || len(all) != 1 || !can(g.em) {
			rest = append(rest, g.members...)
			continue
		}
		s, em, err := g.reduced(all[0])
		if err == nil {
			i := slices.IndexFunc(list, func(l *sweep) bool { return l.sums == s })
			if i < 0 {
				i = len(list)
				list = append(list, newSweep(s, c.positions(s.classes)))
			}
			err = list[i].add(g, em)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("bayes: %w", err)
		}
	}
	return list, rest, nil
}

// positions returns where labels stand among the classes of c.
func (c *Corpus) positions(labels []string) []int {
	all := c.Classes()
	at := make([]int, len(labels))
	for k, label := range labels {
		at[k], _ = slices.BinarySearch(all, label)
	}
	return at
}

// single predicts by one model.
type single struct {
	*Model
	number int
	places []int // of its classes among those of the corpus
}

func (s *single) worker() func(x *features, logP [][]float64) { return s.predict }

func (s *single) predict(x *features, logP [][]float64) {
	joint, _ := s.appendJoint(nil, x)
	s.posterior(joint)
	for k, p := range joint {
		logP[s.number][s.places[k]] = p
	}
}

// visitAll predicts the examples of a chunk and shows each to visit.
func (c *Corpus) visitAll(chunk []int, idf []float64, predictors []predictor, ems int, visit func(*Held)) {
	var x features
	h := newHeld(ems, len(c.Classes()))
	workers := make([]func(*features, [][]float64), len(predictors))
	for i, p := range predictors {
		workers[i] = p.worker()
	}
	h.reset() // once, since the classes that a predictor knows are the same for all
	c.eachEntry(chunk, func(i int, _ []entry) {
		c.fill(i, &x, idf)
		for _, work := range workers {
			work(&x, h.logP)
		}
		h.Example = i
		visit(h)
	})
}

// A pool runs folds and the chunks of examples that they score on all cores, of
// folds no more at a time than there are cores.
type pool struct {
	ctx   context.Context
	folds chan struct{}
	cores chan struct{}
	wg    sync.WaitGroup
	mu    sync.Mutex
	err   error
}

func newPool(ctx context.Context) *pool {
	n := orAll(0)
	return &pool{ctx: ctx, folds: make(chan struct{}, n), cores: make(chan struct{}, n)}
}

func (p *pool) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

func (p *pool) failed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err != nil || p.ctx.Err() != nil
}

// goFold runs the work of a fold when there is room for it.
func (p *pool) goFold(work func() error) {
	p.folds <- struct{}{}
	p.wg.Go(func() {
		defer func() { <-p.folds }()
		if p.failed() {
			return
		}
		if err := work(); err != nil {
			p.fail(err)
		}
	})
}

// score runs work on the examples in chunks.
func (p *pool) score(examples []int, work func(chunk []int)) {
	const size = 256
	var wg sync.WaitGroup
	for chunk := range slices.Chunk(examples, size) {
		p.cores <- struct{}{}
		wg.Go(func() {
			defer func() { <-p.cores }()
			if !p.failed() {
				work(chunk)
			}
		})
	}
	wg.Wait()
}

func (p *pool) wait() error {
	p.wg.Wait()
	if p.err != nil {
		return p.err
	}
	return p.ctx.Err()
}
