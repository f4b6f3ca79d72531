package bayes

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"bayes/internal/bags"
	"bayes/internal/parallel"
	"bayes/internal/sparse"
	"bayes/text"
)

// ReadCorpus analyzes a stream of examples on several cores. It stops at the
// first error of the stream, or when ctx is done.
//
// If s has an IDF, its weights are not used: [Corpus.HeldOut] works the
// frequencies out anew from the examples that each model is fitted to.
func ReadCorpus(ctx context.Context, s *Space, examples iter.Seq2[Example, error], opts *CountOptions) (*Corpus, error) {
	opts, s = cmp.Or(opts, new(CountOptions)), cmp.Or(s, new(Space))
	// The inverse frequencies of s are of all examples. Held-out examples must not have a part in them.
	plain := *s
	plain.IDF = nil
	if plain.weighs() {
		// Values that are not whole are worked out afterwards, in order, so that rounding does
		// not depend on the workers.
		plain.Binary, plain.Log, plain.Norm, plain.SubwordWeight = false, false, "", 1
		c, err := readCorpus(ctx, &plain, examples, opts)
		if err != nil {
			return nil, err
		}
		return c.reweighted(s, true), nil
	}
	c, err := readCorpus(ctx, &plain, examples, opts)
	if err == nil && s.IDF != nil {
		c.space, c.idf = s, true
	}
	return c, err
}

// readCorpus reads a corpus in a Space of whole values. Each worker reads batches into a part of
// its own; join puts the parts together in the order of the stream.
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
	// A worker counts examples and lists their features in one pass. Its feature IDs are its own.
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
	// The counters hold back what they have not yet put into their tables.
	parallel.For(len(flush), 1, func(i, _ int) { flush[i]() })
	return join(s, parts, spans)
}

// A span is the examples from one number to below another in a part of a corpus.
type span struct {
	part     *Corpus
	from, to int
}

// learn appends a batch of examples, up to the first error, and returns where they are.
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

// addLearned adds the entries of a plain example that the counter has counted.
func (c *Corpus) addLearned(l *counter, label string) {
	block := c.blockNumber(blockID{})
	for _, o := range l.fast.Terms() {
		c.pending = append(c.pending, sparse.Entry{Number: o.Term + 1, Block: block, Value: float64(o.Times)})
	}
	c.end(label, 1)
}

// add counts an example and adds its entries.
func (c *Corpus) add(x *features, label string, w float64) {
	for k := range x.bags[:x.n] {
		b := &x.bags[k]
		number, start := c.blockNumber(b.id), len(c.pending)
		for t := range b.Terms {
			c.addEntry(number, &b.Terms[t])
		}
		c.addBlockEntry(number, len(c.pending) == start)
	}
	c.end(label, w)
	c.total.countFeatures(x, label, w, +1)
}

// end makes the pending entries an example with a label and a weight.
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

// close makes the pending entries the list of the next example. Lists are allocated from an
// arena, so that most examples are no allocation of their own.
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
	// The first part keeps its IDs, those of the others are mapped. Examples are then put where the
	// stream had them.
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

// A renumbering maps the IDs of a part to those of the whole corpus.
type renumbering struct {
	classes []int32
	blocks  []int32
	rows    [][]int32 // by block and row
}

// renumber returns the IDs that classes, blocks and rows of p have in c. The counts of p have
// been added to those of c.
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

// join makes the examples of a span those of c from example i on. Without a renumbering their
// IDs stay.
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

// blockNumber returns the number of a block. A new block gets the next number.
func (c *Corpus) blockNumber(id blockID) int32 {
	i := slices.Index(c.blocks, id)
	if i < 0 {
		i = len(c.blocks)
		c.blocks = append(c.blocks, id)
	}
	return int32(i)
}

// addBlockEntry records that an example has a block, other than the main text, without a feature.
func (c *Corpus) addBlockEntry(block int32, empty bool) {
	if empty && c.blocks[block] != (blockID{}) {
		c.pending = append(c.pending, sparse.Entry{Number: onlyBlock, Block: block})
	}
}

// addEntry adds the entry of a term, and gives the term its ID.
func (c *Corpus) addEntry(block int32, t *bags.Term) {
	id := c.blocks[block]
	if id.kind == numberAttr {
		c.pending = append(c.pending, sparse.Entry{Block: block, Value: t.Value})
		return
	}
	if id.kind == textAttr && c.total.vocabulary != nil && !c.total.inVocabulary(t) {
		number := int32(unlisted)
		if text.IsSubword(t.Name) {
			number = unlistedSubword
		}
		c.pending = append(c.pending, sparse.Entry{Number: number, Block: block, Value: t.Value})
		return
	}
	n := c.total.block(id).table.Index.Insert(t.Key, t.Name)
	c.pending = append(c.pending, sparse.Entry{Number: int32(n + 1), Block: block, Value: t.Value})
	if !c.named(id) {
		t.ID = int32(n + 1)
	}
}
