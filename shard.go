package bayes

import (
	"hash/fnv"
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
		p.classes, p.classIndex = nil, make(map[string]int, len(c.classes))
		for k, cl := range c.classes {
			if i > 0 {
				cl.tally = tally{}
			}
			p.classIndex[cl.label] = k
			p.classes = append(p.classes, cl)
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
	blocks := make([]*block, len(parts))
	for i, p := range parts {
		blocks[i] = p.block(b.id)
	}
	blocks[0].seen, blocks[0].numbers = slices.Clone(b.seen), slices.Clone(b.numbers)
	h := fnv.New32a()
	for i, row := range b.table.Rows {
		if len(row) == 0 {
			continue
		}
		name := b.table.Index.Bytes(i)
		h.Reset()
		h.Write(name)
		t := blocks[h.Sum32()%uint32(len(parts))].table
		j := t.Index.Insert(b.table.Index.Key(i), name)
		for _, cell := range row {
			t.Add(j, int(cell.Class), cell.Moments, +1)
		}
	}
}
