package bayes

import (
	"math"
	"slices"

	"bayes/internal/bags"
	"bayes/internal/sparse"
)

// Reweight returns the same examples in a Space that differs from that of c in
// Binary, Log, SubwordWeight, IDF and Norm only, without analyzing them again. c itself
// must count plainly: with none of Binary, Log, IDF and Norm, and a SubwordWeight of 1.
func (c *Corpus) Reweight(s *Space) *Corpus { return c.reweighted(s, false) }

// reweighted is Reweight. If over is true, its entries are written over those of c, which is then gone.
func (c *Corpus) reweighted(s *Space, over bool) *Corpus {
	plain := *s
	r := &Corpus{space: s, blocks: c.blocks, labels: c.labels, weight: c.weight}
	if s.IDF != nil {
		r.idf, r.norm = true, s.Norm
		plain.IDF, plain.Norm = nil, ""
	}
	// Inverse document frequencies depend on the training part, and a norm behind them too, so they
	// wait until an example is read. All else is worked out now.
	r.total = c.total.emptyWithIDs(&plain)
	var x features
	weighting := plain.weighting()
	for i := range c.labels {
		c.fillWith(true, i, &x, nil)
		for k := range x.bags[:x.n] {
			if b := &x.bags[k]; b.id.kind == textAttr {
				if plain.subwordWeight() != 1 {
					c.nameTerms(b)
				}
				b.Weigh(&weighting)
			}
		}
		r.keep(&x)
		for k := range x.bags[:x.n] {
			b := &x.bags[k]
			b.Terms = slices.DeleteFunc(b.Terms, func(t bags.Term) bool { return t.ID < 0 })
		}
		if over && len(r.pending) <= len(c.list[i]) {
			r.list, r.pending = append(r.list, append(c.list[i][:0], r.pending...)), r.pending[:0]
		} else {
			r.close()
		}
		r.total.countFeatures(&x, c.Label(i), c.weightOf(i), +1)
	}
	return r
}

// nameTerms sets the names of terms that were filled, which tell subwords from words. Unlisted
// subwords share one name.
func (c *Corpus) nameTerms(b *bag) {
	index := &c.total.block(b.id).table.Index
	for i := range b.Terms {
		switch t := &b.Terms[i]; {
		case t.ID > 0:
			t.Name = index.Bytes(int(t.ID - 1))
		case t.ID == unlistedSubword:
			t.Name = []byte("*")
		}
	}
}

// keep makes the entries of an example that was filled and weighted those that are pending.
func (r *Corpus) keep(x *features) {
	for k := range x.bags[:x.n] {
		b := &x.bags[k]
		block := r.blockNumber(b.id)
		for _, t := range b.Terms {
			number := t.ID
			if number == 0 && b.id.kind != numberAttr {
				n, _ := r.total.block(b.id).table.Index.Lookup(t.Key, t.Name)
				number = int32(n + 1)
			}
			r.pending = append(r.pending, sparse.Entry{Number: number, Block: block, Value: t.Value})
		}
		r.addBlockEntry(block, len(b.Terms) == 0)
	}
}

// weighted returns the Counts of the examples that in reports true for, weighted by their own
// inverse document frequencies. part is their Counts without weights.
func (c *Corpus) weighted(part *Counts, in func(i int) bool) *Counts {
	d := c.total.emptyWithIDs(c.total.space)
	idf := part.frequencies()
	var x features
	for i := range c.labels {
		if in(i) {
			c.fill(i, &x, idf)
			d.countFeatures(&x, c.Label(i), c.weightOf(i), +1)
		}
	}
	return d
}

// frequencies returns the inverse document frequency of each row of the main text's table, and 0
// of an empty row. They are those of [Counts.IDF].
func (c *Counts) frequencies() []float64 {
	t, n := c.blocks[0].table, float64(c.Examples())
	idf := make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		var df int64
		for _, cell := range row {
			df += cell.Examples
		}
		if df > 0 {
			idf[i] = math.Log((n+1)/(float64(df)+1)) + 1
		}
	}
	return idf
}

// frequency returns the inverse document frequency of a term in the main texts.
func (c *Corpus) frequency(idf []float64, id blockID, number int32, t *bags.Term) float64 {
	switch {
	case number < 0: // it is not listed
		return 0
	case id == (blockID{}):
		return idf[number-1]
	}
	if i, ok := c.total.blocks[0].table.Index.Lookup(t.Key, t.Name); ok {
		return idf[i]
	}
	return 0
}
