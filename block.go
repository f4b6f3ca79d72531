package bayes

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"bayes/internal/bags"
	"bayes/internal/intern"
	"bayes/internal/sparse"
)

// Moments are the sums kept of one feature of one class.
type Moments struct {
	Examples int64   // examples that have the feature
	Present  float64 // the weight of those in which its value exceeds the threshold
	Sum      float64 // of weight × value
	Squares  float64 // of weight × value²; of numbers only
}

// A tally is how many examples there were, and their weight.
type tally struct {
	examples int64
	weight   float64
}

func (t *tally) add(o tally, sign float64) {
	t.examples += int64(sign) * o.examples
	t.weight += sign * o.weight
	if t.examples == 0 && !sparse.Whole(t.weight) {
		t.weight = 0
	}
}

// zero reports whether nothing is left of what was counted.
func (t tally) zero() bool { return t == tally{} }

// public returns the [Moments] of a cell, in which nothing is squared.
func public(m sparse.Moments) Moments { return Moments{m.Examples, m.Present, m.Sum, 0} }

// A block is what is counted of one group of features. Its slices are by class ID, and may be
// shorter than there are classes.
type block struct {
	id      blockID
	table   *sparse.Table    // the terms of a text, the values of a category, and, if the Space keeps them, of a number
	seen    []tally          // the examples that have the block; unused of the main text, which all examples have
	numbers []sparse.Numbers // of a number only
}

func newBlock(id blockID) *block { return &block{id: id, table: new(sparse.Table)} }

func (b *block) compare(id blockID) int { return b.id.compare(id) }

// count adds sign times the features of an example of class k and weight w.
func (b *block) count(s *Space, x *bag, k int, w, sign float64, known func(*bags.Term) bool) {
	// All examples have the main text. Of any other block the examples that have it are counted.
	if b.id != (blockID{}) {
		b.see(k, tally{1, w}, sign)
	}
	if b.id.kind == numberAttr {
		v := x.Terms[0].Value
		// A number is its sums. Its values are counted only for models that need each of them.
		b.number(k, sparse.NumberOf(v, w), sign)
		if !s.NumberValues {
			return
		}
		x.Reset(1)
		x.AddNamed(formatFloat(v), 1)
	}
	b.find(x.Terms, known)
	for i := range x.Terms {
		f := &x.Terms[i]
		if f.ID == 0 {
			continue
		}
		// What a Space weighs down to the threshold is in the sum, but is not present.
		m := sparse.Moments{Examples: 1, Sum: w * f.Value}
		if f.Value > s.Threshold || b.id.kind != textAttr {
			m.Present = w
		}
		b.table.Add(int(f.ID-1), k, m, sign)
	}
}

// find sets the ID of each term that known accepts, and adds the term to the index if the block
// lacks it. A nil known accepts all terms. The ID of the others stays 0.
func (b *block) find(terms []bags.Term, known func(*bags.Term) bool) {
	for i := range terms {
		if t := &terms[i]; t.ID == 0 && (known == nil || known(t)) {
			t.ID = int32(b.table.Index.Insert(t.Key, t.Name) + 1)
		}
	}
}

func (b *block) see(k int, t tally, sign float64) {
	for k >= len(b.seen) {
		b.seen = append(b.seen, tally{})
	}
	b.seen[k].add(t, sign)
}

// number adds sign times n to the sums of class k. Where no example of the class is left, rounding
// errors of the sums are dropped, so see must have been called before.
func (b *block) number(k int, n sparse.Numbers, sign float64) {
	for k >= len(b.numbers) {
		b.numbers = append(b.numbers, sparse.Numbers{})
	}
	b.numbers[k].Add(n, sign)
	if b.seen[k].examples == 0 && !b.numbers[k].Whole() {
		b.numbers[k] = sparse.Numbers{}
	}
}

// accumulate adds sign times o. number has the class ID here of each class ID of o.
func (b *block) accumulate(o *block, number []int, sign float64) {
	for k, t := range o.seen {
		b.see(number[k], t, sign)
	}
	for k, n := range o.numbers {
		b.number(number[k], n, sign)
	}
	b.table.AddTable(o.table, number, sign)
}

func (b *block) clone() *block {
	return &block{b.id, b.table.Clone(), slices.Clone(b.seen), slices.Clone(b.numbers)}
}

// seenIn returns how many examples of class k have the block.
func (b *block) seenIn(k int) tally {
	if k < len(b.seen) {
		return b.seen[k]
	}
	return tally{}
}

// numberIn returns the sums of class k.
func (b *block) numberIn(k int) sparse.Numbers {
	if k < len(b.numbers) {
		return b.numbers[k]
	}
	return sparse.Numbers{}
}

// has reports whether anything is left of class k.
func (b *block) has(k int) bool {
	return b.table.Has(k) || !b.seenIn(k).zero() || b.numberIn(k) != sparse.Numbers{}
}

// live reports whether anything is left of the block.
func (b *block) live() bool {
	return b.table.Live > 0 ||
		slices.ContainsFunc(b.seen, func(t tally) bool { return !t.zero() }) ||
		slices.ContainsFunc(b.numbers, func(n sparse.Numbers) bool { return n != sparse.Numbers{} })
}

// size returns how many features the block has.
func (b *block) size() int {
	switch b.id.kind {
	case histogramBlock:
		return 0
	case numberAttr:
	default:
		return b.table.Live
	}
	if b.live() {
		return 1
	}
	return 0
}

// parseValue returns the number that a row of a number's table stands for.
func parseValue(name []byte) float64 {
	v, _ := strconv.ParseFloat(string(name), 64) // written by formatFloat
	return v
}

// at returns the moments of a feature by its public name, and whether the block
// has it.
func (b *block) at(feature string, k int) (Moments, bool) {
	if b.id.kind == histogramBlock {
		return Moments{}, false
	}
	if b.id.kind == numberAttr {
		t, n := b.seenIn(k), b.numberIn(k)
		return Moments{t.examples, t.weight, n.Sum.Float(), n.Squares.Float()}, feature == b.id.name && b.live()
	}
	prefix := b.id.feature("")
	name, ok := strings.CutPrefix(feature, prefix)
	if !ok {
		return Moments{}, false
	}
	i, ok := b.table.Index.Lookup(intern.KeyOf([]byte(name)), []byte(name))
	if !ok {
		return Moments{}, false
	}
	return public(b.table.At(i, k)), true
}

// restrict adds to b, which is empty, the features of o that keep reports true for.
func (b *block) restrict(o *block, keep func(feature string) bool) {
	b.seen, b.numbers = slices.Clone(o.seen), slices.Clone(o.numbers)
	for i, row := range o.table.Rows {
		if len(row) == 0 || !o.keeps(i, keep) {
			continue
		}
		j := b.table.Index.Insert(o.table.Index.Key(i), o.table.Index.Bytes(i))
		for _, cell := range row {
			b.table.Add(j, int(cell.Class), cell.Moments, +1)
		}
	}
}

// keeps reports whether row i stays. The histogram of document lengths stays as it was, with the
// features that keep drops.
func (b *block) keeps(i int, keep func(feature string) bool) bool {
	name := b.table.Index.Bytes(i)
	if b.id.kind != histogramBlock {
		return keep(b.id.feature(string(name)))
	}
	if name[0] == lengthKey {
		return true
	}
	return keep(blockID{textAttr, b.id.name}.feature(string(name[1:bytes.LastIndexByte(name, 0)])))
}
