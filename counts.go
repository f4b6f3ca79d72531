package bayes

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"bayes/internal/intern"
)

// Counts is what naive Bayes remembers of the examples it has seen: for each
// class how many there were, and for each feature of each class in how many of
// them it was present, and the sum of its values.
//
// Counts form a commutative group: Add is associative and commutative, and
// [Counts.Sub] undoes it,
//
//	a + b = b + a,  (a + b) + c = a + (b + c),  (a + b) - b = a.
//
// With whole weights and values the laws hold bit for bit; otherwise to within
// rounding, but always exactly as to which features and classes exist: a
// feature of a class exists if and only if its number of examples is not zero.
//
// A Counts must not be used by several goroutines at once. Give each its own,
// and add them.
type Counts struct {
	space      *Space
	vocabulary *intern.Table // of the space; nil if it declares none
	classes    []class       // in order of first appearance
	classIndex map[string]int
	terms      *table
	shared     atomic.Bool // whether a Model reads terms, which then must be copied before the next change
	extractor  *extractor
}

// A class is what is known of one class as a whole.
type class struct {
	label    string
	examples int64
	weight   float64
}

// Moments are the sums kept of one feature of one class.
type Moments struct {
	Examples int64   // examples that have the feature
	Present  float64 // the weight of those in which its value exceeds the threshold
	Sum      float64 // of weight × value
}

// gone reports whether nothing is left of what was counted. A rounding error
// that fractional weights leave behind does not keep a feature in the
// vocabulary. Whole sums are kept even where as many examples were unlearned as
// learned, since those examples need not have been the same ones.
func (m *Moments) gone() bool {
	return m.Examples == 0 && (!whole(m.Present) || !whole(m.Sum) || m.Present == 0 && m.Sum == 0)
}

func whole(v float64) bool { return v == math.Trunc(v) }

func (m *Moments) add(o Moments, sign float64) {
	m.Examples += int64(sign) * o.Examples
	m.Present += sign * o.Present
	m.Sum += sign * o.Sum
}

// NewCounts returns a Counts over s that has seen nothing. A nil s is the
// zero Space.
func NewCounts(s *Space) *Counts {
	if s == nil {
		s = new(Space)
	}
	c := &Counts{space: s, vocabulary: s.vocabulary()}
	c.clear()
	return c
}

// emptied returns a Counts over the same Space as c that has seen nothing.
func (c *Counts) emptied() *Counts {
	e := &Counts{space: c.space, vocabulary: c.vocabulary}
	e.clear()
	return e
}

func (c *Counts) clear() {
	c.classes, c.classIndex, c.terms = nil, make(map[string]int), new(table)
	c.shared.Store(false)
	for _, label := range sortedSet(c.space.Labels) {
		c.class(label)
	}
}

// Space returns the Space that c is over.
func (c *Counts) Space() *Space { return c.space }

// Learn adds one example.
func (c *Counts) Learn(ex Example) { c.count(ex, +1) }

// Unlearn undoes a Learn of the same example.
func (c *Counts) Unlearn(ex Example) { c.count(ex, -1) }

// count adds sign times an example.
func (c *Counts) count(ex Example, sign float64) {
	if c.extractor == nil {
		c.extractor = newExtractor(c.space)
	}
	x := c.extractor.extract(ex.Document())
	w := ex.weight()
	k := c.class(ex.Label)
	c.classes[k].add(class{examples: 1, weight: w}, sign)
	t := c.own()
	for _, f := range x.terms {
		if c.vocabulary != nil {
			if _, ok := c.vocabulary.Lookup(f.hash, f.name); !ok {
				continue
			}
		}
		m := Moments{Examples: 1, Sum: w * f.value}
		if f.value > c.space.Threshold {
			m.Present = w
		}
		t.add(t.index.Insert(f.hash, f.name), k, m, sign)
	}
}

func (a *class) add(b class, sign float64) {
	a.examples += int64(sign) * b.examples
	a.weight += sign * b.weight
	if a.examples == 0 && !whole(a.weight) {
		a.weight = 0
	}
}

// class returns the number of the class called label, which it makes if need be.
func (c *Counts) class(label string) int {
	k, ok := c.classIndex[label]
	if !ok {
		k = len(c.classes)
		c.classIndex[label] = k
		c.classes = append(c.classes, class{label: label})
	}
	return k
}

// own returns the table of c, after copying it if a Model reads it.
func (c *Counts) own() *table {
	if c.shared.Load() {
		c.terms = c.terms.clone()
		c.shared.Store(false)
	}
	return c.terms
}

// snapshot returns the table of c, which from now on does not change.
func (c *Counts) snapshot() *table {
	c.shared.Store(true)
	return c.terms
}

// Add adds d to c and leaves d as it was. It returns a [*SpaceError] if they
// are over different Spaces; c is then unchanged.
func (c *Counts) Add(d *Counts) error { return c.accumulate(d, +1) }

// Sub subtracts d from c and leaves d as it was. Counts may become negative;
// [Fit] refuses such Counts.
func (c *Counts) Sub(d *Counts) error { return c.accumulate(d, -1) }

func (c *Counts) accumulate(d *Counts, sign float64) error {
	if err := c.space.difference(d.space); err != nil {
		return err
	}
	if c == d {
		d = d.Clone()
	}
	number := make([]int, len(d.classes)) // of d's classes in c
	for k, cl := range d.classes {
		number[k] = c.class(cl.label)
		c.classes[number[k]].add(cl, sign)
	}
	t := c.own()
	for i, row := range d.terms.rows {
		if len(row) == 0 {
			continue
		}
		j := t.index.Insert(d.terms.index.Hash(i), d.terms.index.Bytes(i))
		for _, cell := range row {
			t.add(j, number[cell.class], cell.Moments, sign)
		}
	}
	return nil
}

// Clone returns a copy of c.
func (c *Counts) Clone() *Counts {
	d := c.emptied()
	d.classes = slices.Clone(c.classes)
	for k, cl := range d.classes {
		d.classIndex[cl.label] = k
	}
	d.terms = c.terms.clone()
	return d
}

// Equal reports whether c and d have the same Space and the same sums.
func (c *Counts) Equal(d *Counts) bool {
	a, _ := c.AppendBinary(nil)
	b, _ := d.AppendBinary(nil)
	return bytes.Equal(a, b)
}

// Relabel returns the Counts that c would be had every label been class(label):
// classes that come to share a name are added up.
func (c *Counts) Relabel(class func(label string) string) *Counts {
	s := *c.space
	s.Labels = nil
	for _, label := range c.space.Labels {
		s.Labels = append(s.Labels, class(label))
	}
	d := c.Clone()
	for k := range d.classes {
		d.classes[k].label = class(d.classes[k].label)
	}
	r := c.emptied()
	r.space = &s
	r.clear()
	d.space = r.space
	r.accumulate(d, +1)
	return r
}

// Restrict returns the Counts that c would be had only the features that keep
// reports true for existed.
func (c *Counts) Restrict(keep func(feature string) bool) *Counts {
	s := *c.space
	if s.Vocabulary != nil {
		s.Vocabulary = slices.DeleteFunc(slices.Clone(s.Vocabulary), func(f string) bool { return !keep(f) })
	}
	d := NewCounts(&s)
	d.classes = nil
	clear(d.classIndex)
	for k, cl := range c.classes {
		d.classIndex[cl.label] = k
		d.classes = append(d.classes, cl)
	}
	for i, row := range c.terms.rows {
		if len(row) > 0 && keep(string(c.terms.index.Bytes(i))) {
			j := d.terms.index.Insert(c.terms.index.Hash(i), c.terms.index.Bytes(i))
			for _, cell := range row {
				d.terms.add(j, int(cell.class), cell.Moments, +1)
			}
		}
	}
	return d
}

// Classes returns the labels seen or declared, sorted.
func (c *Counts) Classes() []string {
	var labels []string
	for _, k := range c.order() {
		labels = append(labels, c.classes[k].label)
	}
	return labels
}

// order returns the numbers of the classes that exist, sorted by label.
func (c *Counts) order() []int {
	var order []int
	for k, cl := range c.classes {
		if cl.examples != 0 || cl.weight != 0 || c.terms.has(k) || slices.Contains(c.space.Labels, cl.label) {
			order = append(order, k)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(c.classes[a].label, c.classes[b].label) })
	return order
}

// Class returns how many examples of a class there were and their weight, zero
// if there were none.
func (c *Counts) Class(label string) (examples int64, weight float64) {
	k, ok := c.classIndex[label]
	if !ok {
		return 0, 0
	}
	return c.classes[k].examples, c.classes[k].weight
}

// Examples returns how many examples c has seen.
func (c *Counts) Examples() int64 {
	var n int64
	for _, cl := range c.classes {
		n += cl.examples
	}
	return n
}

// Len returns how many features have been seen.
func (c *Counts) Len() int { return c.terms.live }

// Features iterates over the features seen, sorted.
func (c *Counts) Features() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, i := range c.terms.sorted() {
			if !yield(string(c.terms.index.Bytes(i))) {
				return
			}
		}
	}
}

// At returns the sums of one feature of one class.
func (c *Counts) At(class, feature string) Moments {
	k, ok := c.classIndex[class]
	if !ok {
		return Moments{}
	}
	i, ok := c.terms.index.Lookup(intern.Hash([]byte(feature)), []byte(feature))
	if !ok {
		return Moments{}
	}
	return c.terms.at(i, k)
}
