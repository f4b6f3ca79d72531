package bayes

import (
	"math"
	"math/bits"
	"slices"

	"bayes/internal/intern"
	"bayes/internal/memory"
	"bayes/internal/sparse"
	"bayes/text"
)

// A learner learns plain examples, which most are, as [Counts.Learn] does but
// without the general machinery: those of a text alone, of weight one, in a Space
// that weighs no terms but subwords. Its Counts are whole once it has been flushed.
//
// It looks up each token once, and keeps what it counts in arrays by class, where
// it stands close together: terms are numbered as they appear, so that the frequent
// ones come first. What does not fit there goes to a map or a list, and in the end all of
// it to the table.
type learner struct {
	c        *Counts
	plain    bool    // whether the Space weighs no terms but subwords
	subword  float64 // what a subword counts: it is counted as a whole one, and weighed in the end
	analyzer *text.Analyzer
	buf      text.Buffer
	index    *intern.Table // of the table
	ngrams   *speller      // nil if all terms are looked up by their bytes

	keys  [intern.Stage]intern.Key
	line  []int32      // the terms of the text's tokens, or its words
	terms []occurrence // of the present document

	document uint16  // the number of the present document
	distinct []int32 // its terms
	tokens   []int32 // and, if it is long, those of its tokens
	long     bool    // more than maxMarked of them
	states   []state // of each term

	recent [][]recentMoments // by class and term
	room   int               // how many more there may be

	carried   map[spot]moments // what recent has no room for any more
	postponed []postponed      // what neither recent nor rare has room for
	sorted    []postponed      // scratch
}

// An occurrence says how often a document has a term.
type occurrence struct {
	term  int32
	times uint32
}

// A state is what is known of a term at once: side by side, so that both are fetched
// together.
type state struct {
	last mark
	rare rareMoments // where recent has no room
}

// A mark says in which document a term occurred last, and in 16 bits below it how often
// there.
type mark uint32

const maxMarked = math.MaxUint16 // tokens of a document whose terms are marked

// recentMoments are moments that are small and whole, where the examples' weight is
// their number: in 8 bits the number of examples, below it in 8 bits the sum.
type recentMoments uint16

func (m recentMoments) moments() moments {
	n, sum := m>>8, m&math.MaxUint8
	return moments{Examples: int64(n), Present: float64(n), Sum: float64(sum)}
}

// rareMoments are those of a term in the class that had it first: most terms that are
// rare are in one class alone.
type rareMoments struct {
	class uint16
	recentMoments
}

const (
	maxRecent      = 1 << 23 // recent moments in all: 16 MiB
	maxRecentTerms = 1 << 19 // of a class
	pageRecent     = 1 << 11 // that a class gets at a time: a page
	maxPostponed   = 1 << 20 // 8 MiB, and as much to sort them
)

// A spot is where a term and a class meet.
type spot struct{ term, class int32 }

// postponed is what a document has of a term: the row in the upper 32 bits, below it the
// class and the times. What is larger is carried.
type postponed uint64

const postponedClass, postponedTimes = 20, 12 // bits

func (p postponed) cell() (i, k int, m moments) {
	times := p & (1<<postponedTimes - 1)
	return int(p >> 32), int(uint32(p) >> postponedTimes), moments{Examples: 1, Present: 1, Sum: float64(times)}
}

func newLearner(c *Counts) *learner {
	s := c.space
	l := &learner{
		c: c, analyzer: s.analyzer(), subword: s.subwordWeight(), index: &c.blocks[0].table.Index, room: maxRecent,
		plain: s.Vocabulary == nil && s.HashBits == 0 && !s.Log && s.IDF == nil && s.Norm == NoNorm && s.Threshold == 0 && !s.Histograms,
	}
	if l.plain {
		if g := newNGrams(l.analyzer); g != nil {
			l.ngrams = &speller{ngrams: g}
		}
	}
	return l
}

// share has l number n-grams as the first of others does, if there is one.
func (l *learner) share(others []*learner) {
	if len(others) > 0 && l.ngrams != nil {
		l.ngrams.ngrams = others[0].ngrams.ngrams
	}
}

// learn adds one example, and reports whether it was a plain one, whose terms then are
// those of the learner.
func (l *learner) learn(ex *Example) (plain bool) {
	if !l.plain || len(ex.Attrs) > 0 || ex.weight() != 1 {
		l.spell()
		return false
	}
	l.find(ex.Text)
	if l.c.space.Binary {
		for j := range l.terms {
			l.terms[j].times = 1
		}
	}
	k := l.c.class(ex.Label)
	l.c.classes[k].add(tally{1, 1}, +1)
	l.count(k)
	return true
}

// find finds the terms of a text, and how often it has them.
func (l *learner) find(text string) {
	if l.ngrams == nil || !l.findNGrams(text) {
		l.spell()
		l.findTerms(text)
	}
	if l.long {
		l.sum()
		return
	}
	l.terms = slices.Grow(l.terms[:0], len(l.distinct))
	for _, i := range l.distinct {
		l.terms = append(l.terms, occurrence{i, uint32(l.states[i].last & maxMarked)})
	}
}

// findTerms finds the terms of a text by their bytes.
func (l *learner) findTerms(text string) {
	l.analyzer.Analyze(&l.buf, text)
	n := l.buf.Len()
	l.begin(n, 1)
	l.line = slices.Grow(l.line[:0], n)[:n]
	for from := 0; from < n; from += intern.Stage {
		stage := l.line[from:min(n, from+intern.Stage)]
		l.number(l.index, from, stage)
		l.expect(stage)
		l.note(stageBefore(l.line, from))
	}
	l.note(lastStage(l.line))
}

// stageBefore returns the stage of list before the one that begins at from, or nothing.
func stageBefore(list []int32, from int) []int32 { return list[max(0, from-intern.Stage):from] }

// lastStage returns the last stage of list, which may be a short one.
func lastStage(list []int32) []int32 {
	return list[max(0, len(list)-1)/intern.Stage*intern.Stage:]
}

// begin begins a document of so many tokens of each of some lengths.
func (l *learner) begin(n, lengths int) {
	if l.long = n > maxMarked; l.long {
		l.tokens = l.tokens[:0]
		return
	}
	l.distinct = slices.Grow(l.distinct[:0], n*lengths)
	l.document++
	if l.document == 0 { // after 65,535
		for i := range l.states {
			l.states[i].last = 0
		}
		l.document = 1
	}
}

// number sets numbers to those that tokens of the text have in a table, in stages, so
// that memory answers many questions at once.
func (l *learner) number(t *intern.Table, from int, numbers []int32) {
	keys := l.keys[:len(numbers)]
	for j := range keys {
		keys[j] = intern.KeyOf(l.buf.Term(from + j))
	}
	for uncertain := t.Find(keys, numbers); uncertain != 0; uncertain &= uncertain - 1 {
		j := bits.TrailingZeros64(uncertain)
		if term := l.buf.Term(from + j); !t.Confirm(numbers[j], keys[j], term) {
			numbers[j] = int32(t.Insert(keys[j], term))
		}
	}
}

// expect asks for what is known of terms, which note will need.
func (l *learner) expect(numbers []int32) {
	n := len(l.states)
	l.states = sparse.Lengthen(l.states, l.rows())
	memory.Populate(l.states, n)
	memory.Prefetch(l.states, numbers)
}

// note notes that terms occur, without a branch on whether they have before. They must
// have been expected, best a stage before.
func (l *learner) note(numbers []int32) {
	if l.long {
		l.tokens = append(l.tokens, numbers...)
		return
	}
	n := len(l.distinct)
	distinct := l.distinct[:n+len(numbers)]
	none := mark(l.document) << 16
	for _, i := range numbers {
		distinct[n] = i
		first, m := 0, l.states[i].last
		if m < none {
			first, m = 1, none
		}
		n += first
		l.states[i].last = m + 1
	}
	l.distinct = distinct[:n]
}

// sum finds the terms of a long document, and how often it has them, by its tokens.
func (l *learner) sum() {
	slices.Sort(l.tokens)
	l.distinct, l.terms = l.distinct[:0], l.terms[:0]
	for n, i := range l.tokens {
		if n == 0 || i != l.tokens[n-1] {
			l.distinct, l.terms = append(l.distinct, i), append(l.terms, occurrence{term: i})
		}
		l.terms[len(l.terms)-1].times++
	}
}

// rows returns how many terms are known.
func (l *learner) rows() int {
	if l.ngrams != nil {
		return int(l.ngrams.known.Load())
	}
	return l.index.Len()
}

// count adds the terms of the document to class k.
func (l *learner) count(k int) {
	for k >= len(l.recent) {
		l.recent = append(l.recent, nil)
	}
	recent := l.recent[k]
	memory.Prefetch(recent, l.distinct)
	for _, o := range l.terms {
		if int(o.term) < len(recent) {
			m := recent[o.term]
			if uint32(m&math.MaxUint8)+o.times <= math.MaxUint8 { // then examples are no more either
				recent[o.term] = m + recentMoments(1<<8|o.times)
				continue
			}
		}
		recent = l.overflow(k, int(o.term), o.times)
	}
}

// overflow adds a term to class k where its recent moments have no room for it, or there
// are none, and returns those of the class.
func (l *learner) overflow(k, i int, times uint32) []recentMoments {
	m := moments{Examples: 1, Present: 1, Sum: float64(times)}
	if i < len(l.recent[k]) || i < maxRecentTerms && l.grow(k, i) {
		r := &l.recent[k][i]
		if *r == 0 && times <= math.MaxUint8 {
			*r = recentMoments(1<<8 | times)
			return l.recent[k]
		}
		m.Add(r.moments(), +1)
		*r = 0
		l.carry(i, k, m)
		return l.recent[k]
	}
	if l.addRare(k, i, times) {
		return l.recent[k]
	}
	if k >= 1<<postponedClass || times >= 1<<postponedTimes {
		l.carry(i, k, m)
		return l.recent[k]
	}
	if len(l.postponed) == maxPostponed {
		l.catchUp()
	}
	n := len(l.postponed)
	l.postponed = sparse.Lengthen(l.postponed, n+1)
	l.postponed[n] = postponed(i)<<32 | postponed(k)<<postponedTimes | postponed(times)
	return l.recent[k]
}

// carry adds moments of term i in class k to those carried.
func (l *learner) carry(i, k int, m moments) {
	if l.carried == nil {
		l.carried = make(map[spot]moments)
	}
	at := spot{int32(i), int32(k)}
	m.Add(l.carried[at], +1)
	l.carried[at] = m
}

// grow makes room for recent moments of term i in class k, if it may.
func (l *learner) grow(k, i int) bool {
	recent := l.recent[k]
	size := (i/pageRecent + 1) * pageRecent
	more := size - len(recent)
	if more > l.room {
		return false
	}
	l.room -= more
	n := len(recent)
	recent = sparse.Lengthen(recent, size)
	memory.Populate(recent, n)
	l.recent[k] = recent
	return true
}

// addRare adds a term to class k if no other class had it first and its moments stay
// small.
func (l *learner) addRare(k, i int, times uint32) bool {
	r := &l.states[i].rare
	if r.recentMoments == 0 {
		r.class = uint16(k)
	}
	if int(r.class) != k || uint32(r.recentMoments&math.MaxUint8)+times > math.MaxUint8 {
		return false
	}
	r.recentMoments += recentMoments(1<<8 | times)
	return true
}

// catchUp adds to the table what was postponed, row by row, so that memory is read
// from front to back.
func (l *learner) catchUp() {
	t := l.c.blocks[0].table
	l.sortPostponed(l.rows())
	for _, p := range l.postponed {
		i, k, m := p.cell()
		t.Add(i, k, l.weighed(i, m), +1)
	}
	l.postponed = l.postponed[:0]
}

// weighed returns what was counted of term i as the Space weighs it.
func (l *learner) weighed(i int, m moments) moments {
	if l.subword != 1 && text.IsSubword(l.index.Bytes(i)) {
		m.Sum *= l.subword
	}
	return m
}

// sortPostponed sorts what was postponed by row, of which there are so many.
func (l *learner) sortPostponed(rows int) {
	l.postponed, l.sorted = sortByUpper(l.postponed, l.sorted, rows)
}

// sortByUpper sorts list by the upper half of its elements, which are below n, 11 bits at
// a time; equal ones stay in order. It returns it, and the scratch for the next time.
func sortByUpper[T ~uint64](list, scratch []T, n int) (sorted, unused []T) {
	if len(list) > cap(scratch) {
		scratch = make([]T, len(list))
	}
	scratch = scratch[:len(list)]
	for shift := 32; n>>(shift-32) > 0; shift += 11 {
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
