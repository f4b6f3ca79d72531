package correction

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/intervals"
	"bayes/internal/parallel"
	"bayes/internal/svm"
)

// A Source is what corrections are learned from, as it is read for them.
type Source interface {
	Reader() Reader

	// Scores returns what naive Bayes says of each member, by member and class, where it has counted other
	// examples, as [SetScores] sets it.
	Scores(ctx context.Context) ([]float32, error)

	// Spread returns, by column, how much the weights of naive Bayes differ between classes.
	Spread() []float32
}

// A Reader reads one example after the other, for one goroutine.
type Reader struct {
	// Values returns the values of an example, which are valid until the next. No column comes twice.
	Values func(example int) []svm.Value

	// AddBase adds what naive Bayes says of the example that was read, beside the prior, to the score of
	// each class.
	AddBase func(joint []float64)
}

// Examples are what corrections are learned from.
type Examples struct {
	Source
	Labels  []string   // of the classes, sorted
	Members []int      // their numbers
	Class   []int32    // by member
	Sets    [][]int32  // by member, in place of Class: of several labels those it has; nil if each has one
	Weight  []float64  // by member; nil if all are 1
	Columns []*Columns // of the values
	Size    int        // how many columns there are
}

// Columns are those of one block.
type Columns struct {
	Kind   byte
	Name   string
	First  int
	Cuts   []float64     // of a number, which has a column for each interval
	Names  *intern.Table // of all others
	Sorted []int         // numbers in Names, by name: column First+i is that of Sorted[i]
}

// Options say how to learn.
type Options struct {
	Strength  float64
	Spread    bool    // whether corrections move more freely the more the weights of naive Bayes differ
	Trust     float64 // the share of naive Bayes in what serves best without corrections
	Tolerance float64 // of the machines
}

// A Learner learns one correction after another from the same examples.
type Learner struct {
	Examples
	rows   *svm.Solver // nil until they are read
	scale  []float32   // what values are multiplied by, by column; nil if that is nothing
	scores []float32   // of naive Bayes; nil until they are needed
	factor float64     // of the scores, that serves best without corrections
}

// mostBytes is how much memory a Learner may take beside the examples.
const mostBytes = 4 << 30

// CheckSize returns an error if a Learner of so large a problem takes more memory than it may: the machines, and
// the scores of naive Bayes.
func CheckSize(classes, features, examples int) error {
	size := svm.Bytes(classes, features, examples) + 4*int64(classes)*int64(examples)
	if size <= mostBytes {
		return nil
	}
	return fmt.Errorf("corrections of %d classes and %d features, learned from %d examples, take %d MB of memory, of at most %d (hint: fewer examples or classes, or none: naive Bayes takes them all)",
		classes, features, examples, size>>20, mostBytes>>20)
}

// Learn calls learned for each of the options with what they give, several at a time, in any order.
func (l *Learner) Learn(ctx context.Context, all []Options, learned func(i int, m *Machines) error) error {
	// Scaling changes the rows in place, since they may be most of what is in memory.
	for _, spread := range []bool{false, true} {
		var alike []int
		trusted := false
		for i, o := range all {
			if o.Spread == spread {
				alike, trusted = append(alike, i), trusted || o.Trust > 0
			}
		}
		if len(alike) == 0 {
			continue
		}
		if err := l.prepare(ctx, spread, trusted); err != nil {
			return err
		}
		if err := l.learn(ctx, all, alike, learned); err != nil {
			return err
		}
	}
	return nil
}

// prepare reads what machines are fitted to.
func (l *Learner) prepare(ctx context.Context, spread, trusted bool) (err error) {
	if trusted && l.scores == nil {
		if l.scores, err = l.Scores(ctx); err != nil {
			return err
		}
		l.factor = svm.BestFactor(&svm.Problem{Class: l.Class, Classes: len(l.Labels)}, l.scores, 1e-4, MostTrust)
	}
	if l.rows == nil || l.scale != nil && !spread {
		l.rows, l.scale = nil, nil
		rows := &svm.Rows{Row: l.read(), Features: l.Size}
		l.rows = svm.New(&svm.Problem{Rows: rows, Class: l.Class, Sets: l.Sets, Classes: len(l.Labels), Weight: l.Weight})
	}
	if spread && l.scale == nil {
		if scale := l.Spread(); l.rows.Scale(scale) {
			l.scale = scale
		}
	}
	return nil
}

// chunk is how many examples are read at a time.
const chunk = 256

// read returns the values of the members.
func (l *Learner) read() [][]svm.Cell {
	rows := make([][]svm.Cell, len(l.Members))
	parallel.For(len(rows), chunk, func(from, to int) {
		var all []svm.Cell
		r, ends := l.Reader(), make([]int, 0, chunk)
		for _, i := range l.Members[from:to] {
			for _, v := range r.Values(i) {
				all = append(all, svm.Cell{Feature: v.Feature, Value: float32(v.Value)})
			}
			ends = append(ends, len(all))
		}
		all = slices.Clone(all)
		start := 0
		for j, end := range ends {
			rows[from+j], start = all[start:end:end], end
		}
	})
	return rows
}

// learn learns by some of the options. Machines of many classes keep all cores busy one after the other.
func (l *Learner) learn(ctx context.Context, all []Options, alike []int, learned func(i int, m *Machines) error) error {
	one := func(i int) error {
		m, err := l.fit(ctx, all[i])
		if err != nil {
			return err
		}
		return learned(i, m)
	}
	if !svm.Single(len(l.Labels)) {
		for _, i := range alike {
			if err := one(i); err != nil {
				return err
			}
		}
		return nil
	}
	pool := parallel.NewPool(ctx)
	for _, i := range alike {
		pool.Go(func() error { return one(i) })
	}
	return pool.Wait()
}

func (l *Learner) fit(ctx context.Context, o Options) (*Machines, error) {
	m := &Machines{learner: l}
	var base []float32
	if o.Trust > 0 {
		m.trust = o.Trust * l.factor
		base = svm.Offsets(l.scores, len(l.Labels), m.trust)
	}
	m.solver = l.rows.Again(base)
	_, err := m.solver.FitContext(ctx, svm.Options{Strength: o.Strength, Tolerance: o.Tolerance, Passes: 100})
	return m, err
}

// Machines are what was learned, until the Learner goes on with other Spread.
type Machines struct {
	learner *Learner
	solver  *svm.Solver
	trust   float64
}

// Head returns the correction without those of features, and without a hash.
func (m *Machines) Head() *Data {
	c := &Data{Classes: m.learner.Labels, Examples: int64(len(m.learner.Members)), Trust: m.trust}
	for k := range m.width() {
		c.Bias = append(c.Bias, m.solver.Bias(k))
	}
	return c
}

func (m *Machines) width() int { return svm.Machines(len(m.learner.Labels)) }

// weights sets weights, by machine, to the corrections of a column, and reports whether one is not zero.
func (m *Machines) weights(weights []float32, column int) (nonzero bool) {
	m.solver.Weights(weights, column)
	for k := range weights {
		if m.learner.scale != nil {
			weights[k] *= m.learner.scale[column]
		}
		nonzero = nonzero || weights[k] != 0
	}
	return nonzero
}

// Data returns the correction, which is not encoded yet.
func (m *Machines) Data() *Data {
	c, weights := m.Head(), make([]float32, m.width())
	for _, columns := range m.learner.Columns {
		b := &Block{Kind: columns.Kind, Name: columns.Name, Width: len(weights), Cuts: columns.Cuts}
		if b.Kind == number {
			for i := range len(b.Cuts) + 1 {
				m.weights(weights, columns.First+i)
				b.Weights = append(b.Weights, weights...)
			}
		} else {
			m.fill(b, columns)
		}
		c.Blocks = append(c.Blocks, b)
	}
	slices.SortFunc(c.Blocks, (*Block).Compare)
	return c
}

// fill sets the corrections of terms or values. There may be millions: what they take is found out first.
func (m *Machines) fill(b *Block, columns *Columns) {
	weights := make([]float32, b.Width)
	n, size := 0, 0
	for i, name := range columns.Sorted {
		if m.weights(weights, columns.First+i) {
			n, size = n+1, size+len(columns.Names.Bytes(name))
		}
	}
	b.Weights = make([]float32, 0, n*b.Width)
	b.Index.Extend(n, size, func(add func(name []byte)) {
		for i, name := range columns.Sorted {
			if m.weights(weights, columns.First+i) {
				add(columns.Names.Bytes(name))
				b.Weights = append(b.Weights, weights...)
			}
		}
	})
}

// Tested is an example that is no member, as it was read.
type Tested struct {
	example int
	values  []svm.Value
	base    []float64 // what naive Bayes says of it, beside the prior, by class; nil if nobody asks
}

// read reads t, if it is not known.
func (t *Tested) read(r Reader, classes int, trusted bool) {
	if t.values != nil {
		return
	}
	t.values = r.Values(t.example)
	if trusted {
		t.base = make([]float64, classes)
		r.AddBase(t.base)
	}
}

// often is from how many options on examples are read once for all of them.
const often = 4

// ReadTested reads examples that are no members, on which what is learned by these options is tested.
func (l *Learner) ReadTested(examples []int, all []Options) []Tested {
	list := make([]Tested, len(examples))
	trusted := slices.ContainsFunc(all, func(o Options) bool { return o.Trust > 0 })
	parallel.For(len(list), chunk, func(from, to int) {
		r := l.Reader()
		for j, i := range examples[from:to] {
			t := &list[from+j]
			if t.example = i; len(all) >= often {
				t.read(r, len(l.Labels), trusted)
				t.values = slices.Clone(t.values)
			}
		}
	})
	return list
}

// Score calls scored with how many features of each example are known, and its scores by class, which begin with
// those in prior, if there are any. It is called by several goroutines at once.
func (m *Machines) Score(tested []Tested, prior []float64, scored func(example, known int, scores []float64)) {
	parallel.For(len(tested), chunk, func(from, to int) {
		r, sums := m.learner.Reader(), make([]float64, m.width())
		for _, t := range tested[from:to] {
			t.read(r, len(m.learner.Labels), m.trust != 0)
			scores := make([]float64, len(m.learner.Labels))
			copy(scores, prior)
			if m.trust != 0 {
				for k, v := range t.base {
					scores[k] += m.trust * v
				}
			}
			m.solver.Score(sums, t.values, m.learner.scale)
			if len(scores) == 2 { // one machine, half of it for the second and half against the first
				sums = append(sums[:0], -sums[0]/2, sums[0]/2)
			}
			for k, v := range sums {
				scores[k] += v
			}
			sums = sums[:m.width()]
			scored(t.example, len(t.values), scores)
		}
	})
}

// mostIntervals is how many intervals a number is cut into at most.
const mostIntervals = 40

// Cut returns cuts between values, such that the intervals have about as many of them each: where many are
// the same, the others share the intervals that are left.
func Cut(values []float64) (cuts []float64) {
	slices.Sort(values)
	for from, left := 0, mostIntervals; left > 1; left-- {
		at := from + (len(values)-from+left-1)/left
		for at < len(values) && values[at] == values[at-1] {
			at++
		}
		if at >= len(values) {
			break
		}
		cuts = append(cuts, intervals.Middle(values[at-1], values[at]))
		from = at
	}
	return cuts
}

// Deviation returns the standard deviation of weights; of infinite ones, as without smoothing, 1.
func Deviation(weights []float64) float32 {
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
	return float32(beyondRounding(math.Sqrt(squares), mean))
}

// beyondRounding returns a difference of logarithms of about this size; zero, if rounding alone may leave it:
// to adapt to it would make much of nothing.
func beyondRounding(difference, size float64) float64 {
	if math.Abs(difference) <= 1e-12*max(1, math.Abs(size)) {
		return 0
	}
	return difference
}

// mostScore bounds how far a score may be from the mean of all classes.
const mostScore = 50

// SetScores sets scores to how far the score of each class, whose places are given, is from their mean.
// Classes without a score, or that are impossible, are as far below it as may be.
func SetScores(scores []float32, joint []float64, place []int32) {
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
