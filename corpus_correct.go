package bayes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bayes/internal/correction"
	"bayes/internal/parallel"
	"bayes/internal/svm"
)

// Correct learns the correction of em, which is [Corrected] or has it inside, from all examples
// of c. What em had is left out of account. Scores of naive Bayes that a correction is learned
// beside are those of examples that were held out.
func (c *Corpus) Correct(ctx context.Context, em EventModel) (EventModel, error) {
	part := trainingPart{c.total, nil}
	if c.idf {
		part = trainingPart{c.Counts(), c.total.frequencies()}
	}
	return newCorrectors(c, part, slices.Repeat([]int{-1}, c.Len()), 0).correct(ctx, em)
}

// recorrected is an event model that can have another correction.
type recorrected interface {
	withCorrection(learn func(m Corrected) (*Correction, error)) (EventModel, error)
}

func (m Corrected) withCorrection(learn func(m Corrected) (*Correction, error)) (EventModel, error) {
	var err error
	m.Correction, err = learn(m)
	return m, err
}

func (m Calibrated) withCorrection(learn func(m Corrected) (*Correction, error)) (EventModel, error) {
	inner, ok := m.model().(recorrected)
	if !ok {
		return m, nil
	}
	var err error
	m.Model, err = inner.withCorrection(learn)
	return m, err
}

// correctors learn corrections from one training part, that without fold f.
type correctors struct {
	*Corpus
	part trainingPart
	fold []int // by example
	f    int
	all  map[string]*corrector // by base
}

func newCorrectors(c *Corpus, part trainingPart, fold []int, f int) *correctors {
	return &correctors{c, part, fold, f, make(map[string]*corrector)}
}

// correct learns the correction of em, if it wants one.
func (c *correctors) correct(ctx context.Context, em EventModel) (EventModel, error) {
	r, ok := em.(recorrected)
	if !ok {
		return em, nil // and Fit refuses what has a correction elsewhere
	}
	return r.withCorrection(func(m Corrected) (*Correction, error) {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("bayes: %w", err)
		}
		key := m.model().String()
		if c.all[key] == nil {
			p, err := c.newCorrector(m.model())
			if err != nil {
				return nil, err
			}
			c.all[key] = p
		}
		return c.all[key].learn(ctx, m)
	})
}

// A corrector is a training part as corrections are learned from it.
type corrector struct {
	*correctors
	base    EventModel
	model   *Model       // base, fitted to the part
	parts   []*corrected // its parts, with no corrections
	first   []int        // by part: its first feature
	sorted  [][]int      // by part: its features by name, in which order they are numbered
	place   [][]int32    // by part and feature: its number
	cuts    [][]float64  // by part: of a number
	members []int
	problem *svm.Problem
	scores  []float32 // by row and class, of models of other examples; nil until they are needed
}

// mostIntervals is how many intervals a number is cut into at most.
const mostIntervals = 40

func (c *correctors) newCorrector(base EventModel) (*corrector, error) {
	p := &corrector{correctors: c, base: base}
	for i := range c.Len() {
		if c.fold[i] != c.f && c.weightOf(i) > 0 {
			p.members = append(p.members, i)
		}
	}
	var err error
	if p.model, err = Fit(c.part.counts, base); err != nil {
		return nil, err
	}
	if len(p.model.labels()) < 2 {
		return nil, errors.New("bayes: a correction wants examples of two classes")
	}
	none := &correction.Data{Classes: p.model.labels()}
	n := 0
	for _, l := range p.model.parts {
		s := l.data()
		var (
			cuts   []float64
			sorted []int
			place  = make([]int32, s.rows.Len())
		)
		p.parts, p.first = append(p.parts, newCorrected(l, none)), append(p.first, n)
		if s.id.kind == numberAttr {
			cuts = c.intervals(s.id, p.members)
			n += len(cuts) + 1
		} else {
			// The IDs of features depend on who read them first, which rounding must not.
			sorted = s.sorted()
			for _, i := range sorted {
				place[i] = int32(n)
				n++
			}
		}
		p.cuts, p.sorted, p.place = append(p.cuts, cuts), append(p.sorted, sorted), append(p.place, place)
	}
	p.read(n)
	return p, nil
}

// intervals returns cuts between values of a number, such that the intervals have about as many
// examples each: where many have the same value, the others share the intervals that are left.
func (c *Corpus) intervals(id blockID, members []int) (cuts []float64) {
	number := int32(slices.Index(c.blocks, id))
	var values []float64
	for _, i := range members {
		for _, e := range c.list[i] {
			if e.Block == number && e.Number != onlyBlock {
				values = append(values, e.Value)
			}
		}
	}
	slices.Sort(values)
	for from, left := 0, mostIntervals; left > 1; left-- {
		at := from + (len(values)-from+left-1)/left
		for at < len(values) && values[at] == values[at-1] {
			at++
		}
		if at >= len(values) {
			break
		}
		cuts = append(cuts, middle(values[at-1], values[at]))
		from = at
	}
	return cuts
}

// read makes the problem of the members.
func (p *corrector) read(size int) {
	labels := p.positions(p.model.labels())
	place := make([]int32, len(p.total.classes)) // by class ID
	for k, id := range p.total.order() {
		place[id] = int32(slices.Index(labels, k))
	}
	// A row has room for all features of its example, known or not, so that rows are written side by
	// side on all cores. Then they are moved together.
	start := make([]int, len(p.members)+1)
	p.problem = &svm.Problem{Classes: len(p.model.labels())}
	for j, i := range p.members {
		start[j+1] = start[j] + len(p.list[i])
		p.problem.Class = append(p.problem.Class, place[p.labels[i]])
		if p.weight != nil {
			p.problem.Weight = append(p.problem.Weight, p.weight[i])
		}
	}
	n := start[len(p.members)]
	x := &svm.Rows{Start: start, Feature: make([]int32, n), Value: make([]float32, n), Features: size}
	length := make([]int, len(p.members))
	parallel.For(len(p.members), chunkExamples, func(from, to int) {
		var (
			of  features
			b   correctedBag
			row svm.Rows
		)
		for j := from; j < to; j++ {
			row.Feature, row.Value = x.Feature[start[j]:start[j]:start[j+1]], x.Value[start[j]:start[j]:start[j+1]]
			p.fill(p.members[j], &of, p.part.idf)
			for k, l := range p.parts {
				if bag := of.of(l.data().id); bag != nil {
					p.append(&row, k, bag, &b)
				}
			}
			length[j] = len(row.Feature)
		}
	})
	end := 0
	for j, n := range length {
		copy(x.Feature[end:], x.Feature[start[j]:start[j]+n])
		copy(x.Value[end:], x.Value[start[j]:start[j]+n])
		start[j], end = end, end+n
	}
	start[len(p.members)] = end
	x.Feature, x.Value = x.Feature[:end], x.Value[:end]
	p.problem.Rows = x
}

// append appends the features of one part of an example.
func (p *corrector) append(x *svm.Rows, j int, of *bag, b *correctedBag) {
	if p.parts[j].data().id.kind == numberAttr {
		x.Feature = append(x.Feature, int32(p.first[j]+correction.IntervalOf(p.cuts[j], of.terms[0].value)))
		x.Value = append(x.Value, 1)
		return
	}
	p.parts[j].values(b, of)
	for t, r := range b.rows {
		if r == nil {
			continue
		}
		x.Feature = append(x.Feature, p.place[j][b.terms[t].id-1])
		x.Value = append(x.Value, float32(p.parts[j].valueOf(&b.terms[t])))
	}
}

// tolerance is that of machines. Less does not make them better with texts they have not seen. Tests
// lower it.
var tolerance = 0.05

// learn learns the correction of m.
func (p *corrector) learn(ctx context.Context, m Corrected) (*Correction, error) {
	problem := *p.problem
	problem.Base = nil
	learned := &correction.Data{Classes: p.model.labels(), Examples: int64(len(p.members))}
	if m.Trust > 0 {
		if err := p.scoreHeldOut(ctx); err != nil {
			return nil, err
		}
		learned.Trust = m.Trust * svm.BestFactor(p.problem, p.scores, 1e-4, correction.MostTrust)
		problem.Base = svm.Offsets(p.scores, p.problem.Classes, learned.Trust)
	}
	scale := p.scales(m.Spread)
	if scale != nil {
		rows := *p.problem.Rows
		rows.Value = slices.Clone(rows.Value)
		for j, f := range rows.Feature {
			rows.Value[j] *= scale[f]
		}
		problem.Rows = &rows
	}
	s := svm.New(&problem)
	if _, err := s.FitContext(ctx, svm.Options{Strength: m.strength(), Tolerance: tolerance, Passes: 100}); err != nil {
		return nil, err
	}
	p.take(learned, s, scale)
	return &Correction{learned.Encode()}, nil
}

// scales returns by how much more freely than others each feature may move; nil if all move alike.
// The values of the problem stay as large as they are, in the mean of their squares.
func (p *corrector) scales(spread bool) []float32 {
	if !spread {
		return nil
	}
	scale := make([]float32, p.problem.Features)
	weights := make([]float64, p.problem.Classes)
	for j, l := range p.parts {
		of, ok := l.likelihood.(weighted)
		for _, i := range p.sorted[j] {
			if ok {
				of.weights(weights, i)
				scale[p.place[j][i]] = float32(deviation(weights))
			}
		}
		if !ok {
			for i := range len(p.cuts[j]) + 1 {
				scale[p.first[j]+i] = 1
			}
		}
	}
	var before, after float64
	for j, f := range p.problem.Feature {
		v, s := float64(p.problem.Value[j]), float64(scale[f])
		before += v * v
		after += v * v * s * s
	}
	if !(after > 0) {
		return nil
	}
	unit := float32(math.Sqrt(before / after))
	for i := range scale {
		scale[i] *= unit
	}
	return scale
}

// deviation returns the standard deviation of weights; of infinite ones, as without smoothing, 1.
func deviation(weights []float64) float64 {
	var mean, squares float64
	for _, w := range weights {
		mean += w / float64(len(weights))
	}
	for _, w := range weights {
		squares += (w - mean) * (w - mean) / float64(len(weights))
	}
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return 1
	}
	return beyondRounding(math.Sqrt(squares), mean)
}

// beyondRounding returns a difference of logarithms of about this size; zero, if rounding alone may leave it:
// to adapt to it would make much of nothing.
func beyondRounding(difference, size float64) float64 {
	if math.Abs(difference) <= 1e-12*max(1, math.Abs(size)) {
		return 0
	}
	return difference
}

// take sets the biases and corrections to those of the machines.
func (p *corrector) take(c *correction.Data, s *svm.Solver, scale []float32) {
	width := svm.Machines(len(c.Classes))
	for k := range width {
		c.Bias = append(c.Bias, s.Bias(k))
	}
	weights := make([]float32, width)
	read := func(f int) (nonzero bool) {
		s.Weights(weights, f)
		for k := range weights {
			if scale != nil {
				weights[k] *= scale[f]
			}
			nonzero = nonzero || weights[k] != 0
		}
		return nonzero
	}
	for j, l := range p.parts {
		d := l.data()
		b := &correction.Block{Kind: blockKinds[d.id.kind], Name: d.id.name, Width: width, Cuts: p.cuts[j]}
		if d.id.kind == numberAttr {
			for i := range len(b.Cuts) + 1 {
				read(p.first[j] + i)
				b.Weights = append(b.Weights, weights...)
			}
			b.Cut()
		} else {
			for _, i := range p.sorted[j] {
				if read(int(p.place[j][i])) {
					b.Index.Insert(d.index.Key(i), d.index.Bytes(i))
					b.Weights = append(b.Weights, weights...)
				}
			}
		}
		c.Blocks = append(c.Blocks, b)
	}
	slices.SortFunc(c.Blocks, (*correction.Block).Compare)
}

// heldOutParts is how many parts the examples are dealt into, each to be scored by a model of the
// others.
const heldOutParts = 10

// scoreHeldOut sets the scores of each member by a model of other members.
func (p *corrector) scoreHeldOut(ctx context.Context) error {
	if p.scores != nil {
		return nil
	}
	scores, pool := make([]float32, len(p.members)*p.problem.Classes), parallel.NewPool(ctx)
	for turn := range min(heldOutParts, len(p.members)) {
		pool.Go(func() error { return p.scoreTurn(scores, turn) })
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	p.scores = scores
	return nil
}

// scoreTurn sets the scores of one part of the members by a model of the others.
func (p *corrector) scoreTurn(scores []float32, turn int) error {
	fold, removed := slices.Repeat([]int{-1}, p.Len()), []int{}
	for i := range fold {
		if p.fold[i] == p.f {
			fold[i], removed = 0, append(removed, i)
		}
	}
	for at := turn; at < len(p.members); at += heldOutParts {
		fold[p.members[at]], removed = 0, append(removed, p.members[at])
	}
	model, err := p.fitTurn(p.without(fold, 0, removed, new(workspace)).counts)
	if err != nil {
		return err
	}
	classes := p.problem.Classes
	place := make([]int, 0, classes) // of each class of model among those of the part
	for _, label := range model.labels() {
		k, _ := slices.BinarySearch(p.model.labels(), label)
		place = append(place, k)
	}
	var (
		x     features
		b     correctedBag
		joint = make([]float64, len(place))
	)
	for at := turn; at < len(p.members); at += heldOutParts {
		p.fill(p.members[at], &x, p.part.idf)
		clear(joint)
		copy(joint, model.priorScore)
		for _, part := range model.parts {
			of := x.of(part.data().id)
			j := slices.IndexFunc(p.parts, func(l *corrected) bool { return l.data().id == part.data().id })
			if of != nil && j >= 0 {
				p.parts[j].values(&b, of)
				part.add(joint, p.parts[j].read(&b, of))
			}
		}
		setScores(scores[at*classes:][:classes], joint, place)
	}
	return nil
}

// fitTurn fits the base to counts. Its prior is that of all members, since one that is given may be
// for a class that is not among the counts.
func (p *corrector) fitTurn(counts *Counts) (*Model, error) {
	s, err := collect(counts)
	if err != nil {
		return nil, err
	}
	parts, err := fitBlocks(p.base, s)
	if err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	logPrior := make([]float64, 0, len(s[0].classes))
	for _, label := range s[0].classes {
		k, _ := slices.BinarySearch(p.model.labels(), label)
		logPrior = append(logPrior, p.model.logPrior[k])
	}
	return newModel(counts.space, counts.origin, p.base, s, logPrior, parts), nil
}

// mostScore bounds how far a score may be from the mean of all classes.
const mostScore = 50

// setScores sets scores to how far each class is from the mean. Classes that the model lacks, or
// finds impossible, are as far below it as may be.
func setScores(scores []float32, joint []float64, place []int) {
	var mean, n float64
	for _, v := range joint {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			mean, n = mean+v, n+1
		}
	}
	for k := range scores {
		scores[k] = -mostScore
	}
	for k, v := range joint {
		if !math.IsNaN(v) {
			scores[place[k]] = float32(max(-mostScore, min(mostScore, beyondRounding(v-mean/max(1, n), v))))
		}
	}
}
