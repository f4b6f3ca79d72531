package bayes

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"bayes/internal/intern"
)

// An EventModel says how a document is distributed given its class. The event
// models are [Multinomial], [Complement] and [Bernoulli].
type EventModel interface {
	// String returns the model in the form read by [ParseEventModel].
	String() string

	fit(s *sums) (likelihood, error)
	prior() Prior
}

// Errors returned by [Fit].
var (
	ErrEmpty    = errors.New("bayes: no examples")
	ErrNegative = errors.New("bayes: more was unlearned than was learned")
)

// Fit freezes c into a Model. It leaves c as it was, and later changes of c do
// not reach the Model. A nil em is Multinomial{}.
//
// The error is [ErrEmpty] or [ErrNegative], or says what em cannot make of c.
func Fit(c *Counts, em EventModel) (*Model, error) {
	if em == nil {
		em = Multinomial{}
	}
	s, err := gather(c)
	if err != nil {
		return nil, err
	}
	prior := em.prior()
	if prior == nil {
		prior = Empirical{}
	}
	m := &Model{space: c.space, event: em, classes: s.classes, sums: s}
	if m.logPrior, err = prior.logPrior(s); err != nil {
		return nil, fmt.Errorf("bayes: prior: %w", err)
	}
	if m.terms, err = em.fit(s); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	m.extractors.New = func() any { return newExtractor(m.space) }
	return m, nil
}

// sums are Counts as an event model reads them: the classes sorted, and for
// each feature the row of its moments. They do not change.
type sums struct {
	classes  []string
	examples []int64
	weight   []float64
	index    *intern.Table // the features' numbers
	rows     [][]cell      // by that number
	position []int         // of a cell's class in classes
	declared bool          // whether a feature exists though its row is empty
	size     int           // how many features exist: |V|
	binarize float64       // the space's threshold
}

// gather reads c. The error is [ErrEmpty] or [ErrNegative].
func gather(c *Counts) (*sums, error) {
	t := c.snapshot()
	s := &sums{index: &t.index, rows: t.rows, size: t.live, binarize: c.space.Threshold, position: make([]int, len(c.classes))}
	var total float64
	for p, k := range c.order() {
		cl := c.classes[k]
		if cl.examples < 0 || cl.weight < 0 || cl.examples == 0 && (cl.weight != 0 || t.has(k)) {
			return nil, ErrNegative
		}
		s.classes = append(s.classes, cl.label)
		s.examples = append(s.examples, cl.examples)
		s.weight = append(s.weight, cl.weight)
		s.position[k] = p
		total += cl.weight
	}
	if total <= 0 {
		return nil, ErrEmpty
	}
	for _, row := range t.rows {
		for _, cell := range row {
			if cell.Examples <= 0 {
				return nil, ErrNegative
			}
		}
	}
	if c.vocabulary != nil {
		s.declare(c.vocabulary, t)
	}
	return s, nil
}

// declare makes the terms of a declared vocabulary the features of s, whether
// or not an example has them.
func (s *sums) declare(vocabulary *intern.Table, t *table) {
	s.index, s.declared, s.size = vocabulary, true, vocabulary.Len()
	s.rows = make([][]cell, s.size)
	for i := range s.rows {
		if j, ok := t.index.Lookup(vocabulary.Hash(i), vocabulary.Bytes(i)); ok {
			s.rows[i] = t.rows[j]
		}
	}
}

// has reports whether feature i exists.
func (s *sums) has(i int) bool { return s.declared || len(s.rows[i]) > 0 }

// lookup returns the number of a feature, and whether it exists.
func (s *sums) lookup(t term) (int, bool) {
	i, ok := s.index.Lookup(t.hash, t.name)
	return i, ok && s.has(i)
}

// find returns the number of the feature called name, and whether it exists.
func (s *sums) find(name string) (int, bool) {
	b := []byte(name)
	return s.lookup(term{hash: intern.Hash(b), name: b})
}

// at returns the moments of feature i in the class at position k.
func (s *sums) at(i, k int) Moments {
	for _, c := range s.rows[i] {
		if s.position[c.class] == k {
			return c.Moments
		}
	}
	return Moments{}
}

// sortByName sorts the numbers of features by their names.
func (s *sums) sortByName(numbers []int) {
	slices.SortFunc(numbers, func(a, b int) int { return bytes.Compare(s.index.Bytes(a), s.index.Bytes(b)) })
}

// totals returns, for each class, the sum over all features of value(moments).
func (s *sums) totals(value func(Moments) float64) []float64 {
	acc := make([]accumulator, len(s.classes))
	for _, row := range s.rows {
		for _, c := range row {
			acc[s.position[c.class]].add(value(c.Moments))
		}
	}
	totals := make([]float64, len(acc))
	for k := range acc {
		totals[k] = acc[k].value()
	}
	return totals
}

// nonNegative returns an error that names the first feature, if there is one,
// whose sum is negative beyond what rounding explains.
func (s *sums) nonNegative(model string) error {
	for i, row := range s.rows {
		for _, c := range row {
			if c.Sum < -1e-9*math.Max(1, float64(c.Examples)) {
				return fmt.Errorf("%s needs counts, but feature %q sums to %v in class %q",
					model, s.index.Bytes(i), c.Sum, s.classes[s.position[c.class]])
			}
		}
	}
	return nil
}

// An accumulator sums numbers with the rounding errors kept aside, so that the
// rounded sum practically never depends on the order (Knuth, The Art of
// Computer Programming 2, 4.2.2, theorem B).
type accumulator struct{ sum, rest float64 }

func (a *accumulator) add(v float64) {
	s := a.sum + v
	b := s - a.sum
	a.rest += (a.sum - (s - b)) + (v - b)
	a.sum = s
}

func (a *accumulator) value() float64 {
	if v := a.sum + a.rest; !math.IsNaN(v) {
		return v
	}
	return a.sum // an infinity has no rounding error
}
