// Package fastcount counts the terms of texts by class at the speed of memory, on all cores.
//
// It counts texts of weight one whose terms count as often as they occur, as in most
// examples. The general path of package bayes counts them too, example by example, at a
// third of the speed or less. Tests hold the two to the same counts.
//
// A [Counter] works for one goroutine. It looks up each token once, and counts in arrays by
// class and term. Frequent terms appear early, and so are close together in them. What does
// not fit into the arrays goes to other places, each of them larger and slower than the one
// before. [Merge] adds everything up in a table:
//
//	dense counters          two bytes for each class and term: the first terms of each class
//	single-class counters   four bytes a term: most rare terms are in one class alone
//	overflow log            eight bytes for each occurrence in a further class, sorted by row in batches
//	overflow map            what is too large for any of these
//
// # What it waits for is memory
//
// A table of a hundred thousand terms fits into no fast cache. So terms are looked up in
// batches of [intern.Batch]: the slots of all are prefetched, then the keys of all, so that
// the processor waits for many reads at once. New memory is written before it is read
// ([prefetch.Populate]): a page that is read first is mapped twice.
//
// # What it gains
//
// BenchmarkCount counts 4 MB of news in 20 classes and sorts the terms. Speeds are ratios of
// processor time:
//
//	                                          words   words and pairs of words
//	maps of Go                                1       1
//	numbers of terms and a table, no batches  2.8     2.2
//	a Counter without dense counters          4.9     4.8
//	a Counter                                 6       4.3
//
// Two Counters at once take a fifth less time for pairs if they share n-grams than if each
// looks up their bytes; a single one takes a tenth more.
package fastcount

import (
	"math"
	"math/bits"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
	"bayes/internal/sparse"
	"bayes/text"
)

// Options say how a Counter counts.
type Options struct {
	Analyzer      *text.Analyzer
	SubwordWeight float64 // what a subword counts; a word counts 1
	Binary        bool    // whether a term counts once in a text, however often it occurs
}

// A Counter counts the terms of texts. They are in its table once they have been merged.
type Counter struct {
	Options
	table  *sparse.Table
	ngrams *ngramReader // nil if all terms are looked up by their bytes

	buf   text.Buffer
	keys  [intern.Batch]intern.Key
	line  []int32 // the terms of the text's tokens, or its words
	terms []Occurrence

	document uint16  // the number of the present text
	distinct []int32 // its terms
	tokens   []int32 // the terms of its tokens, if it is long
	long     bool    // whether it has more than maxMarked tokens
	states   []state // of each term

	dense [][]denseCounter // by class and term
	room  int              // how many more dense counters there may be

	overflow map[spot]sparse.Moments
	log      []occurrenceInClass
	scratch  []occurrenceInClass // to sort the log
}

// An Occurrence says how often a text has a term.
type Occurrence struct {
	Term  int32 // the number of its row
	Times uint32
}

// A state is what is known of a term: in one place, so that one fetch brings all of it.
type state struct {
	last  mark
	first singleClassCounter
}

// A mark says in which text a term occurred last and, in the lower 16 bits, how often there.
type mark uint32

const maxMarked = math.MaxUint16 // how many tokens of a text marks can count

// A denseCounter holds moments that are small: in the upper 8 bits the number of examples,
// in the lower 8 bits the sum. All examples weigh 1.
type denseCounter uint16

func (d denseCounter) moments() sparse.Moments {
	n, sum := d>>8, d&math.MaxUint8
	return sparse.Moments{Examples: int64(n), Present: float64(n), Sum: float64(sum)}
}

// A singleClassCounter counts a term in the class that had it first without a dense counter.
type singleClassCounter struct {
	class uint16 // the lower 16 bits of its ID
	denseCounter
}

const (
	maxDense      = 1 << 23 // dense counters in all: 16 MiB
	maxDenseTerms = 1 << 19 // of a class
	densePage     = 1 << 11 // how many a class gets at a time: 4 KiB
	maxLog        = 1 << 20 // entries of the log: 8 MiB, and as much to sort them
)

// A spot is where a term and a class meet.
type spot struct{ term, class int32 }

// An occurrenceInClass is what a text has of a term: from the highest bit the term's row,
// the class, and the times. What has no room in these bits goes to the overflow map.
type occurrenceInClass uint64

const logClassBits, logTimesBits = 20, 12

func (o occurrenceInClass) unpack() (row, class int, m sparse.Moments) {
	times := o & (1<<logTimesBits - 1)
	return int(o >> 32), int(uint32(o) >> logTimesBits), sparse.Moments{Examples: 1, Present: 1, Sum: float64(times)}
}

// New returns a Counter that counts into a table, which must be empty. Nobody else may
// change the table before Materialise.
func New(t *sparse.Table, o Options) *Counter {
	c := &Counter{Options: o, table: t, room: maxDense}
	if d := newDictionary(o.Analyzer); d != nil {
		c.ngrams = &ngramReader{dictionary: d}
	}
	return c
}

// ShareNGrams has c number n-grams as another new Counter of the same Options does, so that
// an n-gram takes memory once, and Merge need not look up anything.
func (c *Counter) ShareNGrams(with *Counter) {
	if c.ngrams != nil && with.ngrams != nil {
		c.ngrams.dictionary = with.ngrams.dictionary
	}
}

// SharesNGrams reports whether c numbers n-grams as other Counters may: it then must be
// merged together with them.
func (c *Counter) SharesNGrams() bool { return c.ngrams != nil }

// Count counts a text in a class.
func (c *Counter) Count(class int, text string) {
	if c.ngrams == nil || !c.readNGrams(text) {
		c.Materialise()
		c.readTerms(text)
	}
	c.countDistinct()
	if c.Binary {
		for j := range c.terms {
			c.terms[j].Times = 1
		}
	}
	c.add(class)
}

// Terms returns the terms of the text that was counted last. They are valid until the next.
func (c *Counter) Terms() []Occurrence { return c.terms }

// readTerms finds the terms of a text by their bytes.
func (c *Counter) readTerms(text string) {
	c.Analyzer.Analyze(&c.buf, text)
	n := c.buf.Len()
	c.begin(n, 1)
	c.line = slices.Grow(c.line[:0], n)[:n]
	// While the states of a batch are prefetched, those of the batch before are counted.
	for from := 0; from < n; from += intern.Batch {
		batch := c.line[from:min(n, from+intern.Batch)]
		c.lookUp(&c.table.Index, from, batch)
		c.prefetch(batch)
		c.tally(batchBefore(c.line, from))
	}
	c.tally(lastBatch(c.line))
}

// batchBefore returns the batch of list before the one that begins at from, or nothing.
func batchBefore(list []int32, from int) []int32 { return list[max(0, from-intern.Batch):from] }

// lastBatch returns the last batch of list, which may be a short one.
func lastBatch(list []int32) []int32 {
	return list[max(0, len(list)-1)/intern.Batch*intern.Batch:]
}

// begin begins a text of n tokens of each of some lengths.
func (c *Counter) begin(n, lengths int) {
	if c.long = n > maxMarked; c.long {
		c.tokens = c.tokens[:0]
		return
	}
	c.distinct = slices.Grow(c.distinct[:0], n*lengths)
	c.document++
	if c.document == 0 { // after 65,535 texts: no mark may be of one before
		for i := range c.states {
			c.states[i].last = 0
		}
		c.document = 1
	}
}

// lookUp sets numbers to those that tokens of the text, from one on, have in an index. New
// tokens get numbers.
func (c *Counter) lookUp(index *intern.Table, from int, numbers []int32) {
	keys := c.keys[:len(numbers)]
	for j := range keys {
		keys[j] = intern.KeyOf(c.buf.Term(from + j))
	}
	for uncertain := index.Find(keys, numbers); uncertain != 0; uncertain &= uncertain - 1 {
		j := bits.TrailingZeros64(uncertain)
		if term := c.buf.Term(from + j); !index.Confirm(numbers[j], keys[j], term) {
			numbers[j] = int32(index.Insert(keys[j], term))
		}
	}
}

// prefetch fetches the states of terms, which tally will need.
func (c *Counter) prefetch(numbers []int32) {
	n := len(c.states)
	c.states = sparse.Lengthen(c.states, c.Len())
	prefetch.Populate(c.states, n)
	prefetch.Elements(c.states, numbers)
}

// tally counts occurrences of terms in the text. They must have been prefetched, best a
// batch before. There is no branch on whether a term is new to the text, since it would be
// hard to predict: each term is written to the list of distinct terms, which grows by 0
// or 1.
func (c *Counter) tally(numbers []int32) {
	if c.long {
		c.tokens = append(c.tokens, numbers...)
		return
	}
	n := len(c.distinct)
	distinct := c.distinct[:n+len(numbers)]
	none := mark(c.document) << 16
	for _, i := range numbers {
		distinct[n] = i
		first, m := 0, c.states[i].last
		if m < none {
			first, m = 1, none
		}
		n += first
		c.states[i].last = m + 1
	}
	c.distinct = distinct[:n]
}

// countDistinct makes terms the distinct terms of the text and how often it has them.
func (c *Counter) countDistinct() {
	if c.long {
		c.sortTokens()
		return
	}
	c.terms = slices.Grow(c.terms[:0], len(c.distinct))
	for _, i := range c.distinct {
		c.terms = append(c.terms, Occurrence{i, uint32(c.states[i].last & maxMarked)})
	}
}

// sortTokens is countDistinct for a long text, whose terms marks cannot count.
func (c *Counter) sortTokens() {
	slices.Sort(c.tokens)
	c.distinct, c.terms = c.distinct[:0], c.terms[:0]
	for n, i := range c.tokens {
		if n == 0 || i != c.tokens[n-1] {
			c.distinct, c.terms = append(c.distinct, i), append(c.terms, Occurrence{Term: i})
		}
		c.terms[len(c.terms)-1].Times++
	}
}

// Len returns how many terms are known, to all Counters that share them.
func (c *Counter) Len() int {
	if c.ngrams != nil {
		return int(c.ngrams.known.Load())
	}
	return c.table.Index.Len()
}

// add adds the terms of the text to a class: to dense counters, if they have room.
func (c *Counter) add(class int) {
	for class >= len(c.dense) {
		c.dense = append(c.dense, nil)
	}
	dense := c.dense[class]
	prefetch.Elements(dense, c.distinct)
	for _, o := range c.terms {
		if int(o.Term) < len(dense) {
			d := dense[o.Term]
			if uint32(d&math.MaxUint8)+o.Times <= math.MaxUint8 { // then examples are no more either
				dense[o.Term] = d + denseCounter(1<<8|o.Times)
				continue
			}
		}
		dense = c.addElsewhere(class, int(o.Term), o.Times)
	}
}

// addElsewhere adds a term to a class where its dense counter has no room for it, or does
// not exist, and returns the dense counters of the class.
func (c *Counter) addElsewhere(class, term int, times uint32) []denseCounter {
	// The cases go from the fastest place to the slowest.
	m := sparse.Moments{Examples: 1, Present: 1, Sum: float64(times)}
	switch {
	case term < len(c.dense[class]) || term < maxDenseTerms && c.grow(class, term):
		d := &c.dense[class][term]
		if *d == 0 && times <= math.MaxUint8 {
			*d = denseCounter(1<<8 | times)
			break
		}
		// The counter is full: what it has moves to the overflow map, and it begins anew.
		m.Add(d.moments(), +1)
		*d = 0
		c.addOverflow(class, term, m)
	case c.addSingle(class, term, times):
	case class >= 1<<logClassBits || times >= 1<<logTimesBits:
		c.addOverflow(class, term, m)
	default:
		if len(c.log) == maxLog {
			c.flushLog()
		}
		n := len(c.log)
		c.log = sparse.Lengthen(c.log, n+1)
		c.log[n] = occurrenceInClass(term)<<32 | occurrenceInClass(class)<<logTimesBits | occurrenceInClass(times)
	}
	return c.dense[class]
}

// addOverflow adds to the overflow map.
func (c *Counter) addOverflow(class, term int, m sparse.Moments) {
	if c.overflow == nil {
		c.overflow = make(map[spot]sparse.Moments)
	}
	at := spot{int32(term), int32(class)}
	m.Add(c.overflow[at], +1)
	c.overflow[at] = m
}

// grow makes room for a term among the dense counters of a class, and reports whether the
// limit on all dense counters allows it.
func (c *Counter) grow(class, term int) bool {
	dense := c.dense[class]
	size := (term/densePage + 1) * densePage
	more := size - len(dense)
	if more > c.room {
		return false
	}
	c.room -= more
	n := len(dense)
	dense = sparse.Lengthen(dense, size)
	prefetch.Populate(dense, n)
	c.dense[class] = dense
	return true
}

// addSingle adds a term to a class in the term's single-class counter. It reports false if
// that belongs to another class or has no room.
func (c *Counter) addSingle(class, term int, times uint32) bool {
	s := &c.states[term].first
	if s.denseCounter == 0 {
		s.class = uint16(class)
	}
	if int(s.class) != class || uint32(s.denseCounter&math.MaxUint8)+times > math.MaxUint8 {
		return false
	}
	s.denseCounter += denseCounter(1<<8 | times)
	return true
}

// flushLog adds the log to the table, row by row, so that memory is read from front to back.
func (c *Counter) flushLog() {
	c.sortLog(c.Len())
	var cells []sparse.Cell
	for from, to := 0, 0; from < len(c.log); from = to {
		for to < len(c.log) && c.log[to]>>32 == c.log[from]>>32 {
			to++
		}
		// The entries of a row are sorted by class, so that they are added in one pass.
		slices.Sort(c.log[from:to])
		row := int(c.log[from] >> 32)
		cells = cells[:0]
		for _, o := range c.log[from:to] {
			_, class, m := o.unpack()
			cells = append(cells, sparse.Cell{Class: int32(class), Moments: c.weighed(row, m)})
		}
		c.table.AddCells(row, cells, +1)
	}
	c.log = c.log[:0]
}

// weighed returns the moments of a term as the Options weigh it.
func (c *Counter) weighed(term int, m sparse.Moments) sparse.Moments {
	if c.SubwordWeight != 1 && text.IsSubword(c.table.Index.Bytes(term)) {
		m.Sum *= c.SubwordWeight
	}
	return m
}

// sortLog sorts the log by row, given the number of rows.
func (c *Counter) sortLog(rows int) {
	c.log, c.scratch = sortByUpper(c.log, c.scratch, rows)
}

// sortByUpper sorts list by the upper half of its elements, which is below n, 11 bits at a
// time (a radix sort); equal ones stay in order. It returns the list, and what may be the
// scratch of the next call.
func sortByUpper[T ~uint64](list, scratch []T, n int) (sorted, unused []T) {
	if len(list) > cap(scratch) {
		scratch = make([]T, len(list))
	}
	scratch = scratch[:len(list)]
	for shift := 32; n>>(shift-32) > 0; shift += 11 {
		// Count the digits, find where the elements of each digit begin, move them there.
		var ends [1 << 11]int
		for _, v := range list {
			ends[v>>shift&(1<<11-1)]++
		}
		at := 0
		for d, n := range ends {
			ends[d] = at
			at += n
		}
		for _, v := range list {
			d := v >> shift & (1<<11 - 1)
			scratch[ends[d]] = v
			ends[d]++
		}
		list, scratch = scratch, list
	}
	return list, scratch
}
