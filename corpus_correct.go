package bayes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"bayes/internal/correction"
	"bayes/internal/labelset"
	"bayes/internal/parallel"
	"bayes/internal/sparse"
	"bayes/internal/svm"
)

// Correct learns the correction of em, which is [Corrected] or has it inside, from all examples
// of c. What em had is left out of account. Scores of naive Bayes that a correction is learned
// beside are those of examples that were held out.
func (c *Corpus) Correct(ctx context.Context, em EventModel) (EventModel, error) {
	r, ok := em.(recorrected)
	if !ok {
		return em, nil // and Fit refuses what has a correction elsewhere
	}
	return r.withCorrection(func(m Corrected) (*Correction, error) {
		if err := prefixed(m.check()); err != nil {
			return nil, err
		}
		part := trainingPart{c.total, nil, slices.Repeat([]int{-1}, c.Len()), 0}
		if c.idf {
			part.counts, part.idf = c.Counts(), c.total.frequencies()
		}
		l, err := c.newBaseLearner(part, m)
		if err != nil {
			return nil, err
		}
		var learned *correction.Data
		err = l.Learn(ctx, []correction.Options{m.learning()}, func(_ int, m *correction.Machines) error {
			learned = m.Data()
			return nil
		})
		if err != nil {
			return nil, err
		}
		return &Correction{learned.Encode()}, nil
	})
}

// CheckCorrect returns an error if to learn corrections from as many classes, features and examples as c has may
// take more than 4 GB beside c: 12 bytes an example and class, and 4 a feature and class.
func (c *Corpus) CheckCorrect() error {
	return prefixed(correction.CheckSize(len(c.Classes()), c.total.Len(), c.Len()))
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
	err := prefixed(m.check())
	if err == nil {
		m.Model, err = inner.withCorrection(learn)
	}
	return m, err
}

// prefixed returns err as an error of the package.
func prefixed(err error) error {
	if err != nil {
		err = fmt.Errorf("bayes: %w", err)
	}
	return err
}

// tolerance is that of machines. Less does not make them better with texts they have not seen. Tests
// lower it.
var tolerance = 0.05

// learning returns how the correction of m is learned.
func (m Corrected) learning() correction.Options {
	return correction.Options{Strength: m.strength(), Spread: m.Spread, Trust: m.Trust, Tolerance: tolerance}
}

// baseLearner learns the corrections of one base from one training part.
type baseLearner struct {
	correction.Learner
	*Corpus
	part  trainingPart
	base  EventModel
	model *Model       // base, fitted to the part
	parts []*corrected // its parts, with no corrections
	place [][]int32    // by part and feature: its column
}

func (c *Corpus) newBaseLearner(part trainingPart, m Corrected) (*baseLearner, error) {
	p, err := &baseLearner{Corpus: c, part: part, base: m.model()}, c.CheckCorrect()
	if err != nil {
		return nil, err
	}
	if p.model, err = Fit(p.part.counts, p.base); err != nil {
		return nil, err
	}
	p.Source, p.Labels = p, p.model.labels()
	if c.space.LabelSeparator != "" {
		if m.Trust != 0 {
			return nil, errors.New("bayes: corrected: of several labels a document it has no trust: want trust=0")
		}
		p.Labels = correction.Padded(p.Labels)
	}
	if len(p.Labels) < 2 {
		return nil, errors.New("bayes: a correction wants examples of two classes")
	}
	p.enroll()
	for _, l := range p.model.parts {
		p.number(newCorrected(l, &correction.Data{Classes: p.Labels}))
	}
	return p, nil
}

// enroll sets the examples to learn from.
func (p *baseLearner) enroll() {
	labels := p.positions(p.Labels)
	place := make([]int32, len(p.total.classes)) // by class ID
	sets := make([][]int32, len(place))
	for k, id := range p.total.order() {
		place[id] = int32(slices.Index(labels, k))
		if sep := p.space.LabelSeparator; sep != "" {
			sets[id] = correction.Places(p.Labels, labelset.Split(p.total.classes[id].label, sep))
		}
	}
	for i, f := range p.part.fold {
		if f == p.part.number || p.weightOf(i) == 0 {
			continue
		}
		p.Members, p.Class = append(p.Members, i), append(p.Class, place[p.labels[i]])
		if p.space.LabelSeparator != "" {
			p.Sets = append(p.Sets, sets[p.labels[i]])
		}
		if p.weight != nil {
			p.Weight = append(p.Weight, p.weight[i])
		}
	}
}

// number gives the features of a part their columns.
func (p *baseLearner) number(l *corrected) {
	s := l.data()
	of := &correction.Columns{Kind: blockKinds[s.id.kind], Name: s.id.name, First: p.Size, Names: s.index}
	place := make([]int32, s.rows.Len())
	if s.id.kind == numberAttr {
		of.Cuts = p.intervals(s.id, p.Members)
		p.Size += len(of.Cuts) + 1
	} else {
		// The IDs of features depend on who read them first, which rounding must not.
		of.Sorted = s.sorted()
		for _, i := range of.Sorted {
			place[i] = int32(p.Size)
			p.Size++
		}
	}
	p.Columns, p.parts, p.place = append(p.Columns, of), append(p.parts, l), append(p.place, place)
}

// intervals returns cuts between the values that a number has in some examples.
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
	return correction.Cut(values)
}

// Reader returns a [correction.Reader].
func (p *baseLearner) Reader() correction.Reader {
	var (
		of     features
		bag    correctedBag
		values []svm.Value
	)
	return correction.Reader{
		Values: func(i int) []svm.Value {
			p.fill(i, &of, p.part.idf)
			values = p.appendValues(values[:0], &of, &bag)
			return values
		},
		AddBase: func(joint []float64) { p.addParts(joint, p.model.parts, &of, &bag) },
	}
}

// appendValues appends the values of an example.
func (p *baseLearner) appendValues(values []svm.Value, x *features, b *correctedBag) []svm.Value {
	for j, l := range p.parts {
		of := x.of(l.data().id)
		if of == nil {
			continue
		}
		if l.data().id.kind == numberAttr {
			c := p.Columns[j]
			values = append(values, svm.Value{Feature: int32(c.First + correction.IntervalOf(c.Cuts, of.Terms[0].Value)), Value: 1})
			continue
		}
		l.values(b, of)
		for t, row := range b.rows {
			if row.Place != correction.Unknown {
				values = append(values, svm.Value{Feature: p.place[j][b.Terms[t].ID-1], Value: l.valueOf(&b.Terms[t])})
			}
		}
	}
	return values
}

// Spread returns the standard deviation of the weights of each feature, and 1 for intervals.
func (p *baseLearner) Spread() []float32 {
	spread := slices.Repeat([]float32{1}, p.Size)
	weights := make([]float64, len(p.model.labels()))
	for j, l := range p.parts {
		if of, ok := l.likelihood.(weighted); ok {
			for _, i := range p.Columns[j].Sorted {
				of.weights(weights, i)
				spread[p.place[j][i]] = correction.Deviation(weights)
			}
		}
	}
	return spread
}

// correctedIn returns what em corrects, if a correction can be learned for it.
func correctedIn(em EventModel) (m Corrected, ok bool, err error) {
	if r, is := em.(recorrected); is {
		_, err = r.withCorrection(func(of Corrected) (*Correction, error) {
			m, ok = of, true
			return nil, prefixed(m.check())
		})
	}
	return m, ok, err
}

// learning is held while corrections are learned from many values, which are most of what is in memory:
// from one training part after the other.
var learning sync.Mutex

const manyValues = 1 << 22

// learnCorrections learns those of some models, and sets what they say of the examples tested: the machines are
// many times as large as that, and gone when others are learned.
func (c *Corpus) learnCorrections(ctx context.Context, part trainingPart, models []*fittedModel, tested []int) error {
	if values := 0; slices.ContainsFunc(c.list, func(list []sparse.Entry) bool { values += len(list); return values > manyValues }) {
		learning.Lock()
		defer learning.Unlock()
	}
	bases := make(map[string][]*fittedModel)
	for _, m := range models {
		key := m.corrects.model().String()
		bases[key] = append(bases[key], m)
	}
	for _, key := range slices.Sorted(maps.Keys(bases)) {
		alike := bases[key]
		l, err := c.newBaseLearner(part, *alike[0].corrects)
		if err != nil {
			return err
		}
		var options []correction.Options
		for _, m := range alike {
			options = append(options, m.corrects.learning())
		}
		read := l.ReadTested(tested, options)
		err = l.Learn(ctx, options, func(i int, m *correction.Machines) error { return l.answer(alike[i], m, read) })
		if err != nil {
			return err
		}
	}
	return nil
}

// answer sets what a model says of examples that were tested, given its machines: what it would if it were
// fitted to the training part.
func (p *baseLearner) answer(m *fittedModel, machines *correction.Machines, tested []correction.Tested) error {
	em, err := m.em.(recorrected).withCorrection(func(Corrected) (*Correction, error) { return &Correction{machines.Head()}, nil })
	if err != nil {
		return err
	}
	m.Model = newModel(p.model.space, p.model.origin, em, p.model.stats, p.model.logPrior, p.model.parts)
	m.classes, m.known, m.features = p.positions(p.Labels), make([][]float64, p.Len()), make([]int, p.Len())
	prior := make([]float64, len(p.Labels))
	for k, i := range correction.Places(p.Labels, m.labels()) {
		prior[i] = m.priorScore[k]
	}
	machines.Score(tested, prior, func(example, known int, joint []float64) {
		decide(joint)
		m.heldOut(joint)
		m.known[example], m.features[example] = joint, known
	})
	return nil
}

// heldOutParts is how many parts the examples are dealt into, each scored by a model of the others. Of more than manyFeatures
// there is one such model, or one fold of [Corpus.HeldOut], at a time: it may take half of what all counts do.
const heldOutParts, manyFeatures = 10, 1 << 20

// Scores returns the scores of each member by a model of other members.
func (p *baseLearner) Scores(ctx context.Context) ([]float32, error) {
	scores, pool := make([]float32, len(p.Members)*len(p.Labels)), parallel.NewPool(ctx)
	if p.Size > manyFeatures {
		pool.Serial()
	}
	var spaces sync.Pool
	for turn := range min(heldOutParts, len(p.Members)) {
		pool.Go(func() error {
			return borrow(&spaces, func(space *workspace) error { return p.scoreTurn(pool, scores, turn, space) })
		})
	}
	return scores, pool.Wait()
}

// scoreTurn sets the scores of one part of the members by a model of the others.
func (p *baseLearner) scoreTurn(pool *parallel.Pool, scores []float32, turn int, space *workspace) error {
	fold, removed := slices.Repeat([]int{-1}, p.Len()), []int{}
	for i := range fold {
		if p.part.fold[i] == p.part.number {
			fold[i], removed = 0, append(removed, i)
		}
	}
	var places []int // of those to score
	for at := turn; at < len(p.Members); at += heldOutParts {
		fold[p.Members[at]], removed, places = 0, append(removed, p.Members[at]), append(places, at)
	}
	model, err := p.fitTurn(p.without(fold, 0, removed, space).counts)
	if err != nil {
		return err
	}
	classes := correction.Places(p.Labels, model.labels())
	pool.Part(len(places), chunkExamples, func(from, to int) {
		var x features
		var b correctedBag
		for _, at := range places[from:to] {
			p.fill(p.Members[at], &x, p.part.idf)
			joint := make([]float64, len(classes))
			copy(joint, model.priorScore)
			p.addParts(joint, model.parts, &x, &b)
			correction.SetScores(scores[at*len(p.Labels):][:len(p.Labels)], joint, classes)
		}
	})
	return nil
}

// addParts adds to joint what parts of the base, fitted to these or other counts, say of the values of x.
func (p *baseLearner) addParts(joint []float64, parts []likelihood, x *features, b *correctedBag) {
	for _, part := range parts {
		of := x.of(part.data().id)
		j := slices.IndexFunc(p.parts, func(l *corrected) bool { return l.data().id == part.data().id })
		if of != nil && j >= 0 {
			p.parts[j].values(b, of)
			part.add(joint, p.parts[j].read(b, of))
		}
	}
}

// fitTurn fits the base to counts. Its prior is that of all members, since one that is given may be
// for a class that is not among the counts.
func (p *baseLearner) fitTurn(counts *Counts) (*Model, error) {
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
		k, _ := slices.BinarySearch(p.Labels, label)
		logPrior = append(logPrior, p.model.logPrior[k])
	}
	return newModel(counts.space, counts.origin, p.base, s, logPrior, parts), nil
}
