package bayes

import (
	"iter"
	"math"
	"slices"

	"bayes/feature"
	"bayes/internal/intern"
	"bayes/internal/labelset"
	"bayes/internal/sparse"
)

// A Corpus is a list of examples in memory that has been read and analyzed once, so that many models can be fitted
// to parts of it and tested on the rest. It takes 16 bytes for each distinct feature of each example, and some 30
// for each example. It does not change, and may be used by many goroutines at once.
type Corpus struct {
	space  *Space           // as it was given
	total  *Counts          // of all examples, before idf and norm
	blocks []blockID        // by the block number of entries
	labels []int32          // by example: the class ID in total
	weight []float64        // by example; nil if all are 1
	list   [][]sparse.Entry // by example: its features
	idf    bool             // whether a training part is weighted by its own inverse document frequencies
	norm   feature.Norm     // by which the weighted examples are then scaled

	spelled bool           // whether models look up all features by name
	arena   []sparse.Entry // free memory that lists of entries are allocated from
	pending []sparse.Entry // the entries of the example that is being added
}

// Entries that are no row of a table have one of these numbers.
const (
	onlyBlock       = -1 // the example has the block, and no feature in it
	unlisted        = -2 // a term outside the declared vocabulary; it counts towards the length of the text
	unlistedSubword = -3 // a subword outside the declared vocabulary
)

// named reports whether models look up the features of a block by name: where the Space declares a list of them,
// models number the list, and not the rows of c's table.
func (c *Corpus) named(id blockID) bool {
	s := c.space
	return c.spelled || id.kind == textAttr && (s.Vocabulary != nil || s.Histograms) || id.kind == categoryAttr && s.Values != nil
}

// Len returns how many examples there are.
func (c *Corpus) Len() int { return len(c.labels) }

// Space returns the Space that the examples are in.
func (c *Corpus) Space() *Space { return c.space }

// Classes returns the labels, sorted: of a Space with a LabelSeparator those that are in sets.
func (c *Corpus) Classes() []string {
	if sep := c.space.LabelSeparator; sep != "" {
		labels, _ := labelset.Members(c.total.Classes(), sep)
		return labels
	}
	return c.total.Classes()
}

// Label returns the label of example i, which may be a set of labels.
func (c *Corpus) Label(i int) string { return c.total.classes[c.labels[i]].label }

// Distinct returns how many distinct features example i has that are in the vocabulary.
func (c *Corpus) Distinct(i int) (n int) {
	for _, e := range c.list[i] {
		n += 1 + int(e.Number>>31) // negative numbers are of no feature
	}
	return n
}

// Values yields the terms and categories of example i that are in the vocabulary, by numbers that are theirs in all of c, and the value of each before an IDF: how often it occurs, if they are counted plainly.
func (c *Corpus) Values(i int) iter.Seq2[uint64, float64] {
	return func(yield func(uint64, float64) bool) {
		for _, e := range c.list[i] {
			if e.Number > 0 && !yield(uint64(e.Block)<<32|uint64(e.Number), e.Value) { // 0 is of an attribute that is a number
				return
			}
		}
	}
}

// Counts returns the Counts of all examples, those of a Space with an IDF weighted by their own frequencies.
func (c *Corpus) Counts() *Counts {
	if !c.idf {
		return c.total.Clone()
	}
	return c.weighted(c.total, func(int) bool { return true })
}

// IntoCounts is Counts without a copy of what c holds, which must not be used any more.
func (c *Corpus) IntoCounts() *Counts {
	if !c.idf {
		return c.total
	}
	return c.Counts()
}

// LearnInto learns example i as one of several classes, each with a weight times its own, into d, which is over the
// Space of c; below zero it unlearns as much. c has no IDF, whose values would depend on what else is learned.
func (c *Corpus) LearnInto(d *Counts, i int, classes []string, weights []float64) {
	x := new(features)
	for k, w := range weights {
		c.fillFor(nil, i, x) // anew, since to count numbers changes x
		d.countFeatures(x, classes[k], c.weightOf(i)*math.Abs(w), math.Copysign(1, w))
	}
}

// ShareCounter returns a function that counts examples which may each have several classes: example i is learned in
// classes[k], for each k of shares(i), with the weight beside it, above 0, times its own; shares is called often. Features
// keep their numbers, by which AppendLogP finds them fast, so only a Clone may learn more. c has no IDF, whose values would
// depend on what is learned. The function takes as much memory as c, and is for any number of goroutines.
func (c *Corpus) ShareCounter() func(classes []string, shares func(i int) (k []int32, weights []float64)) *Counts {
	var byFeature *sparse.ByFeature
	if len(c.total.blocks) == 1 {
		byFeature = c.total.blocks[0].table.ByFeature(c.examples())
	}
	return func(classes []string, shares func(i int) (k []int32, weights []float64)) *Counts {
		counts, ids, x := c.total.emptied(), make([]int32, len(classes)), new(features)
		for k, label := range classes {
			ids[k] = int32(counts.class(label))
		}
		counts.shareIndex(c.total)
		for i := range c.labels { // of text alone, x stays empty: classes are counted here, features below
			list, weights := shares(i)
			for j, k := range list {
				if byFeature == nil {
					c.fill(i, x, nil) // anew, since to count numbers changes x
				}
				counts.countFeatures(x, classes[k], c.weightOf(i)*weights[j], +1)
			}
		}
		if byFeature != nil {
			counts.blocks[0].table = byFeature.CountShares(ids, shares)
		}
		return counts
	}
}

// AppendLogP appends to dst ln P(class | example i) of each class of m, which is over the Space of c, and
// returns how many features m knows. c has no IDF.
func (c *Corpus) AppendLogP(dst []float64, m *Model, i int) (logP []float64, known int) {
	e := m.extractors.Get().(*extractor)
	defer m.extractors.Put(e)
	c.fillFor(m.stats[0].index, i, &e.x)
	start := len(dst)
	dst, known = m.appendJoint(dst, &e.x)
	m.posterior(dst[start:])
	return dst, known
}

// AppendFeatures appends to dst the features of example i that are in the vocabulary, in any order. c has no IDF.
func (c *Corpus) AppendFeatures(dst []feature.Feature, i int) []feature.Feature {
	var x features
	c.fillFor(nil, i, &x)
	return x.appendTo(dst)
}

// examples returns the examples as package sparse reads them.
func (c *Corpus) examples() *sparse.Examples {
	return &sparse.Examples{Classes: c.labels, Weights: c.weight, Entries: c.list, Threshold: c.space.Threshold}
}

// fillFor is fill, of features that have names unless index is a copy of that of c. c has no IDF.
func (c *Corpus) fillFor(index *intern.Table, i int, x *features) {
	p := *c
	p.spelled = !c.total.blocks[0].table.Index.IsCopy(index)
	p.fill(i, x, nil)
}

func (c *Corpus) weightOf(i int) float64 {
	if c.weight == nil {
		return 1
	}
	return c.weight[i]
}

// fill makes x the features of example i. If c is weighted by inverse document frequencies,
// idf has those of the training part.
func (c *Corpus) fill(i int, x *features, idf []float64) { c.fillWith(false, i, x, idf) }

// fillWith is fill. If all is true, x has the unlisted terms too.
func (c *Corpus) fillWith(all bool, i int, x *features, idf []float64) {
	x.clear()
	// Entries are grouped by block. Each group fills one bag.
	b := x.next(blockID{}) // a document has its main text even if it is empty
	b.Terms = b.Terms[:0]
	for list := c.list[i]; len(list) > 0; {
		n := 1
		for n < len(list) && list[n].Block == list[0].Block {
			n++
		}
		if id := c.blocks[list[0].Block]; id != (blockID{}) {
			b = x.next(id)
		}
		c.fillBag(all, b, list[:n], idf)
		list = list[n:]
	}
	if c.norm != "" {
		for k := range x.bags[:x.n] {
			if b := &x.bags[k]; b.id.kind == textAttr {
				b.Scale(c.norm)
			}
		}
	}
}

// fillBag makes the terms of b those of some entries of its block. A term has its ID alone
// where that is enough to find it, and its key and name where models look it up by name.
func (c *Corpus) fillBag(all bool, b *bag, list []sparse.Entry, idf []float64) {
	// Looking up keys and names costs more than all else here, so they are set only where a model
	// reads them. IDs are left out where the training part has numbers of its own.
	named := c.named(b.id)
	spelled, weighted := named || b.id != (blockID{}), c.idf && b.id.kind == textAttr
	b.Terms = slices.Grow(b.Terms[:0], len(list))[:len(list)]
	n := 0
	for _, e := range list {
		if e.Number == onlyBlock || e.Number < onlyBlock && !all {
			continue
		}
		t := &b.Terms[n] // set field by field, as in bag.add
		t.Key, t.Name, t.Value, t.ID = intern.Key{}, nil, e.Value, e.Number
		if spelled && e.Number > 0 {
			index := &c.total.block(b.id).table.Index
			t.Key, t.Name = index.Key(int(e.Number-1)), index.Bytes(int(e.Number-1))
			if named {
				t.ID = 0
			}
		}
		if weighted {
			if t.Value *= c.frequency(idf, b.id, e.Number, t); t.Value == 0 {
				continue
			}
		}
		n++
	}
	b.Terms = b.Terms[:n]
}
