package bayes

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/parallel"
	"bayes/internal/sparse"
	"bayes/text"
)

// A Corpus is a list of examples in memory that has been read and analyzed once,
// so that many models can be fitted to parts of it and tested on the rest. It takes 16
// bytes for each distinct feature of each example, and some 30 for each example. It does
// not change, and may be used by many goroutines at once.
type Corpus struct {
	space  *Space           // as it was given
	total  *Counts          // of all examples, without what idf and norm do
	blocks []blockID        // that examples have, by the numbers that entries refer to
	labels []int32          // of each example, its class in total
	weight []float64        // of each example; nil if all are 1
	list   [][]sparse.Entry // of each example
	arena   []sparse.Entry   // where those of the next examples are cut from
	pending   []sparse.Entry   // of the example that is being added
	idf    bool             // each part is weighted by the inverse document frequencies of the part trained on
	norm   Norm             // and then scaled
}

// Numbers of entries that are no feature.
const (
	onlyBlock = -1 // the example has the block, and nothing in it
	unlisted  = -2 // a term that is not in the declared vocabulary: it has a part in the length of the text

	unlistedSubword = -3 // such a subword
)

// ReadCorpus analyzes a stream of examples on several cores. It stops at the
// first error of the stream, or when ctx is done.
//
// If s has an IDF, its weights are not used: [Corpus.HeldOut] works the
// frequencies out anew from the examples that each model is fitted to.
func ReadCorpus(ctx context.Context, s *Space, examples iter.Seq2[Example, error], opts *CountOptions) (*Corpus, error) {
	if opts == nil {
		opts = new(CountOptions)
	}
	if s == nil {
		s = new(Space)
	}
	plain := *s
	plain.IDF = nil
	if plain.weighs() {
		// Weighted afterwards, in order, so that sums do not depend on the workers.
		plain.Binary, plain.Log, plain.Norm, plain.SubwordWeight = false, false, NoNorm, 1
		c, err := readCorpus(ctx, &plain, examples, opts)
		if err != nil {
			return nil, err
		}
		return c.Reweight(s), nil
	}
	c, err := readCorpus(ctx, &plain, examples, opts)
	if err == nil && s.IDF != nil {
		c.space, c.idf = s, true
	}
	return c, err
}

// readCorpus reads a corpus in a Space of whole values: each worker a part of it.
func readCorpus(ctx context.Context, s *Space, examples iter.Seq2[Example, error], opts *CountOptions) (*Corpus, error) {
	type job struct {
		*batch
		span
	}
	jobs := func(yield func(*job) bool) {
		for b := range batches(examples) {
			if !yield(&job{batch: b}) {
				return
			}
		}
	}
	var (
		parts []*Corpus // of each worker
		flush []func()
		spans []span
		n     int64
	)
	worker := func() func(*job) {
		part, e := &Corpus{space: s, total: NewCounts(s)}, newExtractor(s)
		l := newCounter(part.total)
		parts, flush = append(parts, part), append(flush, l.flush)
		return func(j *job) { j.span = part.learn(e, l, j.batch) }
	}
	for j := range parallel.Ordered(jobs, opts.Workers, worker) {
		if err := cmp.Or(j.err(), ctx.Err()); err != nil {
			return nil, err
		}
		spans = append(spans, j.span)
		if n += int64(len(j.examples)); opts.Progress != nil {
			opts.Progress(n)
		}
	}
	parallel.For(len(flush), 1, func(i, _ int) { flush[i]() })
	return join(s, parts, spans)
}

// A span is some examples in a row of a part of a corpus.
type span struct {
	part     *Corpus
	from, to int
}

// learn appends a batch of examples, up to the first error.
func (c *Corpus) learn(e *extractor, l *counter, b *batch) span {
	s := span{part: c, from: c.Len()}
	for i := range b.examples {
		if b.errs[i] != nil {
			break
		}
		if ex := &b.examples[i]; l.learnPlain(ex) {
			c.addLearned(l, ex.Label)
		} else {
			c.add(e.extract(ex.Document()), ex.Label, ex.weight())
		}
	}
	s.to = c.Len()
	return s
}

// addLearned notes the entries of a plain example that has been counted.
func (c *Corpus) addLearned(l *counter, label string) {
	block := c.blockNumber(blockID{})
	for _, o := range l.fast.Terms() {
		c.pending = append(c.pending, sparse.Entry{Number: o.Term + 1, Block: block, Value: float64(o.Times)})
	}
	c.end(label, 1)
}

// add counts an example and notes its entries.
func (c *Corpus) add(x *features, label string, w float64) {
	for k := range x.bags[:x.n] {
		b := &x.bags[k]
		number, start := c.blockNumber(b.id), len(c.pending)
		for t := range b.terms {
			c.addEntry(number, &b.terms[t])
		}
		c.addBlockEntry(number, len(c.pending) == start)
	}
	c.end(label, w)
	c.total.countFeatures(x, label, w, +1)
}

// end ends the entries of an example.
func (c *Corpus) end(label string, w float64) {
	if w != 1 && c.weight == nil {
		c.weight = slices.Repeat([]float64{1}, len(c.labels))
	}
	if c.weight != nil {
		c.weight = append(c.weight, w)
	}
	c.labels = append(c.labels, int32(c.total.class(label)))
	c.close()
}

// close ends the entries of an example, which are cut from a slab, so that none is
// copied again.
func (c *Corpus) close() {
	const size = 1 << 14
	n := len(c.pending)
	if n > size/4 {
		c.list, c.pending = append(c.list, slices.Clone(c.pending)), c.pending[:0]
		return
	}
	if n > len(c.arena) {
		c.arena = make([]sparse.Entry, size)
	}
	c.list = append(c.list, c.arena[:n:n])
	copy(c.arena, c.pending)
	c.arena, c.pending = c.arena[n:], c.pending[:0]
}

// join returns the corpus of the examples of all spans, in their order.
func join(s *Space, parts []*Corpus, spans []span) (*Corpus, error) {
	c := &Corpus{space: s, total: parts[0].total, blocks: parts[0].blocks}
	weighted := parts[0].weight != nil
	numbers := make(map[*Corpus]*renumbering)
	for _, p := range parts[1:] {
		if err := c.total.Add(p.total); err != nil {
			return nil, err
		}
		numbers[p] = c.renumber(p)
		weighted = weighted || p.weight != nil
	}
	examples, first := 0, make([]int, len(spans)) // the number of the first example of each span
	for i, sp := range spans {
		first[i] = examples
		examples += sp.to - sp.from
	}
	c.labels, c.list = make([]int32, examples), make([][]sparse.Entry, examples)
	if weighted {
		c.weight = make([]float64, examples)
	}
	parallel.For(len(spans), 1, func(i, _ int) { c.join(spans[i], first[i], numbers[spans[i].part]) })
	return c, nil
}

// A renumbering says what the numbers of a part are in the whole corpus.
type renumbering struct {
	classes []int32
	blocks  []int32
	rows    [][]int32 // by block and row
}

// renumber returns the numbers that classes, blocks and rows of p have in c, which
// has counted them.
func (c *Corpus) renumber(p *Corpus) *renumbering {
	r := new(renumbering)
	for _, cl := range p.total.classes {
		r.classes = append(r.classes, int32(c.total.class(cl.label)))
	}
	for _, id := range p.blocks {
		r.blocks = append(r.blocks, c.blockNumber(id))
		r.rows = append(r.rows, c.total.block(id).table.Index.InsertAll(&p.total.block(id).table.Index))
	}
	return r
}

// join takes over the examples of a span, from example i on. Without a renumbering
// the numbers are the same.
func (c *Corpus) join(s span, i int, r *renumbering) {
	p := s.part
	for e := s.from; e < s.to; e++ {
		c.labels[i], c.list[i] = p.labels[e], p.list[e]
		if r != nil {
			c.labels[i] = r.classes[p.labels[e]]
			r.renumber(c.list[i])
		}
		if c.weight != nil {
			c.weight[i] = p.weightOf(e)
		}
		i++
	}
}

func (r *renumbering) renumber(list []sparse.Entry) {
	for k := range list {
		e := &list[k]
		if e.Number > 0 {
			e.Number = r.rows[e.Block][e.Number-1] + 1
		}
		e.Block = r.blocks[e.Block]
	}
}

// blockNumber returns the number of a block, which it gets if it is new.
func (c *Corpus) blockNumber(id blockID) int32 {
	i := slices.Index(c.blocks, id)
	if i < 0 {
		i = len(c.blocks)
		c.blocks = append(c.blocks, id)
	}
	return int32(i)
}

// addBlockEntry notes a further block of an example of which it has no feature.
func (c *Corpus) addBlockEntry(block int32, empty bool) {
	if empty && c.blocks[block] != (blockID{}) {
		c.pending = append(c.pending, sparse.Entry{Number: onlyBlock, Block: block})
	}
}

// addEntry appends the entry of a term, and gives the term its number.
func (c *Corpus) addEntry(block int32, t *term) {
	id := c.blocks[block]
	if id.kind == numberAttr {
		c.pending = append(c.pending, sparse.Entry{Block: block, Value: t.value})
		return
	}
	if id.kind == textAttr && c.total.vocabulary != nil && !c.total.inVocabulary(t) {
		number := int32(unlisted)
		if text.IsSubword(t.name) {
			number = unlistedSubword
		}
		c.pending = append(c.pending, sparse.Entry{Number: number, Block: block, Value: t.value})
		return
	}
	n := c.total.block(id).table.Index.Insert(t.key, t.name)
	c.pending = append(c.pending, sparse.Entry{Number: int32(n + 1), Block: block, Value: t.value})
	if !c.named(id) {
		t.id = int32(n + 1)
	}
}

// named reports whether the features of a block go by name: those of a declared
// list are numbered otherwise by the models.
func (c *Corpus) named(id blockID) bool {
	s := c.space
	return id.kind == textAttr && (s.Vocabulary != nil || s.Histograms) || id.kind == categoryAttr && s.Values != nil
}

// Len returns how many examples there are.
func (c *Corpus) Len() int { return len(c.labels) }

// Space returns the Space that the examples are in.
func (c *Corpus) Space() *Space { return c.space }

// Classes returns the labels, sorted.
func (c *Corpus) Classes() []string { return c.total.Classes() }

// Label returns the label of example i.
func (c *Corpus) Label(i int) string { return c.total.classes[c.labels[i]].label }

// Counts returns the Counts of all examples, those of a Space with an IDF
// weighted by their own frequencies.
func (c *Corpus) Counts() *Counts {
	if !c.idf {
		return c.total.Clone()
	}
	return c.weighted(c.total, func(int) bool { return true })
}

// Reweight returns the same examples in a Space that differs from that of c in
// Binary, Log, SubwordWeight, IDF and Norm only, without analyzing them again. c itself
// must count plainly: with none of Binary, Log, IDF and Norm, and a SubwordWeight of 1.
func (c *Corpus) Reweight(s *Space) *Corpus {
	plain := *s
	r := &Corpus{space: s, blocks: c.blocks, labels: c.labels, weight: c.weight}
	if s.IDF != nil {
		r.idf, r.norm = true, s.Norm
		plain.IDF, plain.Norm = nil, NoNorm
	}
	r.total = c.total.emptyWithIDs(&plain)
	var x features
	for i := range c.labels {
		c.fillWith(true, i, &x, nil)
		for k := range x.bags[:x.n] {
			if b := &x.bags[k]; b.id.kind == textAttr {
				if plain.subwordWeight() != 1 {
					c.nameTerms(b)
				}
				b.finish(&plain)
				b.terms = slices.DeleteFunc(b.terms, func(t term) bool { return t.id < 0 })
			}
		}
		r.keep(&x)
		r.total.countFeatures(&x, c.Label(i), c.weightOf(i), +1)
	}
	return r
}

// nameTerms gives terms that were filled their names, all subwords that are not listed the
// same.
func (c *Corpus) nameTerms(b *bag) {
	index := &c.total.block(b.id).table.Index
	for i := range b.terms {
		switch t := &b.terms[i]; {
		case t.id > 0:
			t.name = index.Bytes(int(t.id - 1))
		case t.id == unlistedSubword:
			t.name = []byte("*")
		}
	}
}

// emptyWithIDs returns Counts over s that have seen nothing and number classes
// and features as c does. They must be given no other terms or values.
func (c *Counts) emptyWithIDs(s *Space) *Counts {
	d := c.emptyWithClasses(s)
	for _, b := range c.blocks {
		if b.id.kind == textAttr || b.id.kind == categoryAttr {
			d.block(b.id).table = b.table.Empty()
		}
	}
	return d
}

// emptyWithClasses returns Counts over s that have seen nothing and number classes as c does.
func (c *Counts) emptyWithClasses(s *Space) *Counts {
	d := &Counts{space: s, vocabulary: c.vocabulary}
	d.clear()
	for _, cl := range c.classes {
		d.class(cl.label)
	}
	return d
}

// cloneWithIDs returns a copy of c that numbers features as c does, and must be given
// no others.
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

// keep appends the entries of an example that was filled.
func (r *Corpus) keep(x *features) {
	for k := range x.bags[:x.n] {
		b := &x.bags[k]
		block := r.blockNumber(b.id)
		for _, t := range b.terms {
			number := t.id
			if number == 0 && b.id.kind != numberAttr {
				n, _ := r.total.block(b.id).table.Index.Lookup(t.key, t.name)
				number = int32(n + 1)
			}
			r.pending = append(r.pending, sparse.Entry{Number: number, Block: block, Value: t.value})
		}
		r.addBlockEntry(block, len(b.terms) == 0)
	}
	r.close()
}

func (c *Corpus) weightOf(i int) float64 {
	if c.weight == nil {
		return 1
	}
	return c.weight[i]
}

// fill makes x the features of example i, with the frequencies of a training
// part if the Space has any.
func (c *Corpus) fill(i int, x *features, idf []float64) { c.fillWith(false, i, x, idf) }

// fillWith does so with unlisted terms or without.
func (c *Corpus) fillWith(all bool, i int, x *features, idf []float64) {
	x.clear()
	b := x.next(blockID{}) // a document has its main text even if it is empty
	b.terms = b.terms[:0]
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
	if c.norm != NoNorm {
		for k := range x.bags[:x.n] {
			if b := &x.bags[k]; b.id.kind == textAttr {
				b.scale(c.norm)
			}
		}
	}
}

// fillBag makes the terms of b those of some entries of its block.
func (c *Corpus) fillBag(all bool, b *bag, list []sparse.Entry, idf []float64) {
	named := c.named(b.id)
	spelled, weighted := named || b.id != (blockID{}), c.idf && b.id.kind == textAttr
	b.terms = slices.Grow(b.terms[:0], len(list))[:len(list)]
	n := 0
	for _, e := range list {
		if e.Number == onlyBlock || e.Number < onlyBlock && !all {
			continue
		}
		t := &b.terms[n] // set field by field, as add does
		t.key, t.name, t.value, t.id = intern.Key{}, nil, e.Value, e.Number
		if spelled && e.Number > 0 {
			index := &c.total.block(b.id).table.Index
			t.key, t.name = index.Key(int(e.Number-1)), index.Bytes(int(e.Number-1))
			if named {
				t.id = 0
			}
		}
		if weighted {
			if t.value *= c.frequency(idf, b.id, e.Number, t); t.value == 0 {
				continue
			}
		}
		n++
	}
	b.terms = b.terms[:n]
}

// frequency returns the inverse document frequency of a term, by the main text.
func (c *Corpus) frequency(idf []float64, id blockID, number int32, t *term) float64 {
	if id == (blockID{}) {
		return idf[number-1]
	}
	if i, ok := c.total.blocks[0].table.Index.Lookup(t.key, t.name); ok {
		return idf[i]
	}
	return 0
}

// weighted returns the Counts of the examples that in keeps, with the inverse
// document frequencies of part, which are the plain Counts of the same.
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

// frequencies returns the inverse document frequency of each row of the main
// text's table, as [Counts.IDF] gives them by name; of empty rows zero.
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
