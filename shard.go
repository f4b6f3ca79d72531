package bayes

import (
	"maps"
	"slices"
)

// Shard deals the features of c out to n Counts by a hash of their names, which
// is the same on every machine. The sum of the parts is c:
//
//	c.Shard(n)[0] + ... + c.Shard(n)[n-1] = c.
//
// So the parts of many Counts can be added up part by part, each on a machine of
// its own. The first part also has the totals: of classes, of numbers, and of
// the examples that have an attribute. A part alone is no Counts to fit.
func (c *Counts) Shard(n int) []*Counts {
	parts := make([]*Counts, max(n, 1))
	for i := range parts {
		p := c.emptied()
		p.classes, p.classIndex = slices.Clone(c.classes), maps.Clone(c.classIndex)
		for k := range p.classes {
			if i > 0 {
				p.classes[k].tally = tally{}
			}
		}
		parts[i] = p
	}
	for _, b := range c.blocks {
		b.split(parts)
	}
	return parts
}

// split deals the rows of b out, and gives the rest to the first part.
func (b *block) split(parts []*Counts) {
	for i, t := range b.table.Split(len(parts)) {
		p := parts[i].block(b.id)
		if p.table = t; i == 0 {
			p.seen, p.numbers = slices.Clone(b.seen), slices.Clone(b.numbers)
		}
	}
}
