package bayes

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"bayes/feature"
	"bayes/internal/bags"
	"bayes/internal/intern"
	"bayes/internal/labelset"
	"bayes/internal/unlabelled"
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
	blocks     []*block // sorted; the first is the main text
	extractor  *extractor
	origin
}

// A class is what is known of one class as a whole.
type class struct {
	label string
	tally
}

// NewCounts returns a Counts over s that has seen nothing. A nil s is the
// zero Space.
func NewCounts(s *Space) *Counts {
	s = cmp.Or(s, new(Space))
	c := &Counts{space: s, vocabulary: s.vocabulary()}
	c.clear()
	return c
}

// emptied returns a Counts over the same Space as c that has seen nothing.
func (c *Counts) emptied() *Counts {
	e := &Counts{space: c.space, vocabulary: c.vocabulary, origin: c.origin}
	e.clear()
	return e
}

func (c *Counts) clear() {
	c.classes, c.classIndex, c.blocks = nil, make(map[string]int), []*block{newBlock(blockID{})}
	for _, label := range sortedSet(c.space.Labels) {
		c.class(label)
	}
}

// Space returns the Space that c is over.
func (c *Counts) Space() *Space { return c.space }

// AnalyzerVersion returns which version of the analyzer cut the texts of c, as
// [text.Analyzer.Version] names it. It is empty if c has no terms of texts, or was read
// from a file that does not say. Where it differs from that of Space, examples should not
// be unlearned: other terms would be taken out than were put in.
func (c *Counts) AnalyzerVersion() string {
	return analyzerVersion(c.space, c.cut, c.hasTerms())
}

// analyzerVersion returns what Counts and Models say: cut is as in an origin.
func analyzerVersion(s *Space, cut *string, hasTerms bool) string {
	switch {
	case !hasTerms:
		return ""
	case cut != nil:
		return *cut
	}
	return s.AnalyzerVersion()
}

// hasTerms reports whether c has terms of any text.
func (c *Counts) hasTerms() bool {
	return slices.ContainsFunc(c.blocks, func(b *block) bool { return b.id.kind == textAttr && b.size() > 0 })
}

// Learn adds one example. One without a label tells nothing of any class, and is left out.
func (c *Counts) Learn(ex Example) { c.count(ex, +1) }

// Unlearn undoes a Learn of the same example.
func (c *Counts) Unlearn(ex Example) { c.count(ex, -1) }

// count adds sign times an example.
func (c *Counts) count(ex Example, sign float64) {
	if _, old := c.classIndex[""]; ex.Label == "" && !old {
		return // files of earlier versions may have such a class, which goes on as it was
	}
	if c.extractor == nil {
		c.extractor = newExtractor(c.space)
	}
	x := c.extractor.extract(ex.Document())
	c.countFeatures(x, ex.Label, ex.weight(), sign)
}

// countFeatures adds sign times the features of an example of weight w.
func (c *Counts) countFeatures(x *features, label string, w, sign float64) {
	k := c.class(label)
	c.classes[k].add(tally{1, w}, sign)
	c.addBlocks(x.n, func(i int) blockID { return x.bags[i].id })
	for i := range x.bags[:x.n] {
		known := c.inVocabulary
		if c.vocabulary == nil || x.bags[i].id.kind != textAttr {
			known = nil
		}
		id := x.bags[i].id
		if c.space.Histograms && id.kind == textAttr {
			c.block(blockID{histogramBlock, id.name}).countHistogram(&x.bags[i], k, w, sign, known)
		}
		c.block(id).count(c.space, &x.bags[i], k, w, sign, known)
	}
}

func (c *Counts) inVocabulary(t *bags.Term) bool {
	_, ok := c.vocabulary.Lookup(t.Key, t.Name)
	return ok
}

// addBlocks adds those of n different blocks that c lacks, if n is large, and sorts once. To
// insert each block in its place would take time quadratic in n.
func (c *Counts) addBlocks(n int, id func(i int) blockID) {
	known := c.blocks
	if n < 2*len(known)+few {
		return
	}
	for i := range n {
		if _, ok := slices.BinarySearchFunc(known, id(i), (*block).compare); !ok {
			c.blocks = append(c.blocks, newBlock(id(i)))
		}
	}
	slices.SortFunc(c.blocks, func(a, b *block) int { return a.compare(b.id) })
}

// block returns the block called id, and adds it if c lacks it.
func (c *Counts) block(id blockID) *block {
	if id == (blockID{}) {
		return c.blocks[0]
	}
	i, ok := slices.BinarySearchFunc(c.blocks, id, (*block).compare)
	if !ok {
		c.blocks = slices.Insert(c.blocks, i, newBlock(id))
	}
	return c.blocks[i]
}

// class returns the ID of the class called label, and adds the class if c lacks it.
func (c *Counts) class(label string) int {
	k, ok := c.classIndex[label]
	if !ok && c.space.LabelSeparator != "" {
		label = labelset.Canonical(label, c.space.LabelSeparator)
		k, ok = c.classIndex[label]
	}
	if !ok {
		k = len(c.classes)
		c.classIndex[label] = k
		c.classes = append(c.classes, class{label: label})
	}
	return k
}

// Add adds d to c and leaves d as it was. It returns a [*SpaceError] if they
// are over different Spaces; c is then unchanged. If c has terms, its
// [Counts.AnalyzerVersion] stays, and otherwise it becomes that of d.
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
	if !c.hasTerms() && d.hasTerms() {
		c.cut = d.cut
	}
	if c.columns == "" && c.Examples() == 0 {
		c.columns = d.columns
	}
	number := make([]int, len(d.classes)) // the ID in c of each of d's classes
	for k, cl := range d.classes {
		number[k] = c.class(cl.label)
		c.classes[number[k]].add(cl.tally, sign)
	}
	c.addBlocks(len(d.blocks), func(i int) blockID { return d.blocks[i].id })
	for _, b := range d.blocks {
		c.block(b.id).accumulate(b, number, sign)
	}
	return nil
}

// Clone returns a copy of c.
func (c *Counts) Clone() *Counts {
	d := c.emptied()
	d.classes, d.classIndex = slices.Clone(c.classes), maps.Clone(c.classIndex)
	d.blocks = d.blocks[:0]
	for _, b := range c.blocks {
		d.blocks = append(d.blocks, b.clone())
	}
	return d
}

// Relabel returns the Counts that c would be had every label been class(label):
// classes that come to share a name are added up.
func (c *Counts) Relabel(class func(label string) string) *Counts {
	return c.relabel(func(label string) string {
		if of, shared := unlabelled.Class(label); shared {
			return unlabelled.Label(class(of))
		}
		return class(label)
	})
}

// relabel is Relabel, of the labels of what is not labelled too.
func (c *Counts) relabel(class func(label string) string) *Counts {
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
	d.origin = c.origin
	d.classes, d.classIndex = slices.Clone(c.classes), maps.Clone(c.classIndex)
	for _, b := range c.blocks {
		if b.id.kind != numberAttr || keep(b.id.name) {
			d.block(b.id).restrict(b, keep)
		}
	}
	return d
}

// Classes returns the labels seen or declared, sorted. Of a Space with a LabelSeparator they are sets of
// labels.
func (c *Counts) Classes() []string {
	var labels []string
	for _, k := range c.order() {
		if label := c.classes[k].label; !unlabelled.Is(label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// order returns the IDs of the classes that exist, sorted by label.
func (c *Counts) order() []int {
	var order []int
	declared := sortedSet(c.space.Labels)
	for k, cl := range c.classes {
		_, ok := slices.BinarySearch(declared, cl.label)
		if ok || !cl.zero() || slices.ContainsFunc(c.blocks, func(b *block) bool { return b.has(k) }) {
			order = append(order, k)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(c.classes[a].label, c.classes[b].label) })
	return order
}

// Class returns how many labelled examples of a class there were and their weight, zero if there were none.
func (c *Counts) Class(label string) (examples int64, weight float64) {
	k, ok := c.classIndex[label]
	if !ok {
		return 0, 0
	}
	return c.classes[k].examples, c.classes[k].weight
}

// Examples returns how many labelled examples c has seen.
func (c *Counts) Examples() int64 {
	var n int64
	for _, cl := range c.classes {
		if !unlabelled.Is(cl.label) {
			n += cl.examples
		}
	}
	return n
}

// Attributes returns the names of the further texts, the numbers and the
// categories, each sorted.
func (c *Counts) Attributes() (texts, numbers, categories []string) {
	var l attributes
	for _, b := range c.blocks[1:] {
		if b.live() && b.id.kind != histogramBlock {
			l.add(b.id)
		}
	}
	return l[textAttr], l[numberAttr], l[categoryAttr]
}

// ReadsText reports whether terms of the main text have been seen.
func (c *Counts) ReadsText() bool { return c.blocks[0].size() > 0 }

// Len returns how many features have been seen.
func (c *Counts) Len() int {
	n := 0
	for _, b := range c.blocks {
		n += b.size()
	}
	return n
}

// Size returns how many classes, features, and entries of a feature in a class there are:
// the memory of c, and of a Model of it, depends on them. Features that have been unlearned are
// included, since their memory is kept until c is cloned.
func (c *Counts) Size() (classes, features, entries int) {
	for _, b := range c.blocks {
		features += len(b.table.Rows)
		for _, n := range b.table.Cells {
			entries += n
		}
	}
	return len(c.order()), features, entries
}

// Features iterates over the features seen: the terms of the main text, sorted,
// then those of other texts as NAME:term, the numbers as NAME, and the values of
// categories as NAME=value.
func (c *Counts) Features() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range c.blocks {
			if b.id.kind == histogramBlock {
				continue
			}
			if b.id.kind == numberAttr {
				if b.live() && !yield(b.id.name) {
					return
				}
				continue
			}
			for _, i := range b.table.Sorted() {
				if !yield(b.id.feature(string(b.table.Index.Bytes(i)))) {
					return
				}
			}
		}
	}
}

// At returns the sums of one feature of one class. The feature is named as
// [Counts.Features] names it; a term of the main text goes first.
func (c *Counts) At(class, feature string) Moments {
	k, ok := c.classIndex[class]
	if !ok {
		return Moments{}
	}
	for _, b := range c.blocks {
		if m, ok := b.at(feature, k); ok {
			return m
		}
	}
	return Moments{}
}

// IDF returns the inverse document frequencies of the main text's terms,
// smoothed as scikit-learn does. They are those of the labelled examples so far; a Space
// that is given them keeps them.
func (c *Counts) IDF() *feature.IDF {
	t := c.blocks[0].table
	df := make(map[string]int64, t.Live)
	for i, row := range t.Rows {
		for _, cell := range row {
			if !unlabelled.Is(c.classes[cell.Class].label) {
				df[string(t.Index.Bytes(i))] += cell.Examples
			}
		}
	}
	return feature.NewIDF(c.Examples(), df, true)
}

// emptyWithIDs returns Counts over s that have seen nothing, with the class and feature IDs of c.
// They share the index of c: no new terms or values may be added.
func (c *Counts) emptyWithIDs(s *Space) *Counts {
	d := c.emptyWithClasses(s)
	d.shareIndex(c)
	return d
}

// shareIndex gives c, which has seen nothing, the feature IDs of d.
func (c *Counts) shareIndex(d *Counts) {
	for _, b := range d.blocks {
		if b.id.kind == textAttr || b.id.kind == categoryAttr {
			c.block(b.id).table = b.table.Empty()
		}
	}
}

// emptyWithClasses returns Counts over s that have seen nothing, with the class IDs of c.
func (c *Counts) emptyWithClasses(s *Space) *Counts {
	d := &Counts{space: s, vocabulary: c.vocabulary}
	d.clear()
	for _, cl := range c.classes {
		d.class(cl.label)
	}
	return d
}

// cloneWithIDs returns a copy of c with its class and feature IDs. It shares the index of c: no
// new terms or values may be added.
func (c *Counts) cloneWithIDs() *Counts {
	d := c.emptyWithIDs(c.space)
	copy(d.classes, c.classes)
	for i, b := range c.blocks {
		b = &block{b.id, b.table.Copy(), slices.Clone(b.seen), slices.Clone(b.numbers)}
		if i == 0 {
			d.blocks[0] = b
		} else {
			*d.block(b.id) = *b
		}
	}
	return d
}
