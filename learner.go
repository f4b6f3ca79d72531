package bayes

import (
	"math"
	"slices"

	"bayes/internal/intern"
	"bayes/text"
)

// A learner learns plain examples, which most are, as [Counts.Learn] does but
// without the general machinery: those of a text alone, of weight one, in a Space
// that weighs no terms. Its Counts are whole once it has been flushed.
//
// It looks up each token once, and keeps what it counts in arrays by class, where
// it stands close together: terms are numbered as they appear, so that the frequent
// ones come first. What does not fit there, and in the end all of it, goes to the
// table.
type learner struct {
	c        *Counts
	plain    bool // whether the Space weighs no terms
	analyzer *text.Analyzer
	buf      text.Buffer
	index    *intern.Table // of the table

	keys     [intern.Stage]intern.Key
	numbers  [intern.Stage]int32
	document uint32       // the number of the present document
	terms    []int32      // its distinct terms
	last     []occurrence // of each term

	recent [][]recentMoments // by class and term
	room   int               // how many more there may be

	postponed []uint64 // the row, class and times of terms that recent has no room for
	sorted    []uint64 // scratch
}

// An occurrence says in which document a term occurred last, and in 32 bits below it
// how often there.
type occurrence uint64

// recentMoments are moments that are small and whole, where the examples' weight is
// their number: in 8 bits the number of examples, below it in 8 bits the sum.
type recentMoments uint16

func (m recentMoments) moments() moments {
	n, sum := m>>8, m&math.MaxUint8
	return moments{Examples: int64(n), Present: float64(n), Sum: float64(sum)}
}

const (
	maxRecent      = 1 << 23 // recent moments in all: 16 MiB
	maxRecentTerms = 1 << 19 // of a class
	maxPostponed   = 1 << 20 // 8 MiB, and as much to sort them

	// The bits of what is postponed that say the class and the times. The row is in
	// the 32 above; what is larger goes to the table at once.
	postponedClass, postponedTimes = 20, 12
)

func newLearner(c *Counts) *learner {
	s := c.space
	return &learner{
		c: c, analyzer: s.analyzer(), index: &c.blocks[0].table.index, room: maxRecent,
		plain: s.Vocabulary == nil && s.HashBits == 0 && !s.Log && s.IDF == nil && s.Norm == NoNorm && s.Threshold == 0 && !s.Histograms,
	}
}

// learn adds one example, and reports whether it was a plain one. Of a plain one,
// terms are the numbers of what it has, and times says how often.
func (l *learner) learn(ex *Example) (plain bool) {
	if !l.plain || len(ex.Attrs) > 0 || ex.weight() != 1 {
		return false
	}
	l.begin()
	l.analyzer.Analyze(&l.buf, ex.Text)
	l.find()
	k := l.c.class(ex.Label)
	l.c.classes[k].add(tally{1, 1}, +1)
	l.count(k)
	return true
}

// times returns how often the present document has term i, as the Space counts it.
func (l *learner) times(i int32) uint32 {
	if l.c.space.Binary {
		return 1
	}
	return uint32(l.last[i])
}

// begin begins a document.
func (l *learner) begin() {
	l.document++
	if l.document == 0 { // after four billion
		clear(l.last)
		l.document = 1
	}
}

// find finds the terms of the text, in stages, so that memory answers many
// questions at once.
func (l *learner) find() {
	l.terms = slices.Grow(l.terms[:0], l.buf.Len())
	for from := 0; from < l.buf.Len(); from += intern.Stage {
		n := min(intern.Stage, l.buf.Len()-from)
		keys, numbers := l.keys[:n], l.numbers[:n]
		for j := range keys {
			keys[j] = intern.KeyOf(l.buf.Term(from + j))
		}
		l.index.Guess(keys, numbers)
		for j, k := range keys {
			if term := l.buf.Term(from + j); !l.index.Confirm(numbers[j], k, term) {
				numbers[j] = int32(l.index.Insert(k, term))
			}
		}
		l.know()
		l.note(numbers)
	}
}

// note notes that terms occur, without a branch on whether they have before.
func (l *learner) note(numbers []int32) {
	n := len(l.terms)
	terms := l.terms[:n+len(numbers)]
	none := occurrence(l.document) << 32
	touch(l.last, numbers)
	for _, i := range numbers {
		terms[n] = i
		first, o := 0, l.last[i]
		if o < none {
			first, o = 1, none
		}
		n += first
		l.last[i] = o + 1
	}
	l.terms = terms[:n]
}

// know makes room for the terms of the index.
func (l *learner) know() {
	if n := l.index.Len() - len(l.last); n > 0 {
		l.last = append(l.last, make([]occurrence, n)...)
	}
}

// count adds the terms of the document to class k.
func (l *learner) count(k int) {
	for k >= len(l.recent) {
		l.recent = append(l.recent, nil)
	}
	recent := l.recent[k]
	touch(recent, l.terms)
	for _, i := range l.terms {
		times := l.times(i)
		if int(i) < len(recent) {
			m := recent[i]
			if uint32(m&math.MaxUint8)+times <= math.MaxUint8 { // then examples are no more either
				recent[i] = m + recentMoments(1<<8|times)
				continue
			}
		}
		recent = l.overflow(k, int(i), times)
	}
}

// touch reads elements of list, as far as there are any, so that they are at hand when
// they are needed: in a loop as short as this one no read waits for another.
//
//go:noinline
func touch[E recentMoments | occurrence](list []E, at []int32) (all E) {
	if most := int32(len(list)) - 1; most >= 0 {
		for _, i := range at {
			all |= list[min(i, most)]
		}
	}
	return all
}

// overflow adds a term to class k where recent moments have no room for it, which
// it makes if it may.
func (l *learner) overflow(k, i int, times uint32) []recentMoments {
	if i >= len(l.recent[k]) {
		l.grow(k, i)
	} else if m := &l.recent[k][i]; *m > 0 {
		l.c.blocks[0].table.add(i, k, m.moments(), +1)
		*m = 0
	}
	if k >= 1<<postponedClass || times >= 1<<postponedTimes {
		l.c.blocks[0].table.add(i, k, moments{Examples: 1, Present: 1, Sum: float64(times)}, +1)
		return l.recent[k]
	}
	if len(l.postponed) == maxPostponed {
		l.catchUp()
	}
	l.postponed = append(l.postponed, uint64(i)<<32|uint64(k)<<postponedTimes|uint64(times))
	return l.recent[k]
}

// grow makes room for recent moments of term i in class k, if it may.
func (l *learner) grow(k, i int) {
	recent := l.recent[k]
	size := max(1<<10, len(recent))
	for size <= i {
		size *= 2
	}
	if more := size - len(recent); size <= maxRecentTerms && more <= l.room {
		l.room -= more
		l.recent[k] = append(recent, make([]recentMoments, more)...)
	}
}

// catchUp adds to the table what was postponed, row by row, so that memory is read
// from front to back.
func (l *learner) catchUp() {
	t := l.c.blocks[0].table
	l.postponed, l.sorted = sortByRow(l.postponed, l.sorted, l.index.Len())
	for _, p := range l.postponed {
		k, times := uint32(p)>>postponedTimes, p&(1<<postponedTimes-1)
		t.add(int(p>>32), int(k), moments{Examples: 1, Present: 1, Sum: float64(times)}, +1)
	}
	l.postponed = l.postponed[:0]
}

// sortByRow sorts list by the upper half of its elements, which are below rows, 11
// bits at a time. It returns it, and the scratch for the next time.
func sortByRow(list, scratch []uint64, rows int) (sorted, unused []uint64) {
	scratch = slices.Grow(scratch[:0], len(list))[:len(list)]
	for shift := 32; rows>>(shift-32) > 0; shift += 11 {
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

// flush moves to the table what is not there yet, some rows at a time.
func (l *learner) flush() {
	l.catchUp()
	const rows = 1 << 10
	t := l.c.blocks[0].table
	for from := 0; from < l.index.Len(); from += rows {
		var cells [rows]int // of each row
		l.each(from, from+rows, func(i, _ int, _ recentMoments) { cells[i-from]++ })
		for j, n := range cells[:min(rows, l.index.Len()-from)] {
			t.reserve(from+j, n)
		}
		l.each(from, from+rows, func(i, k int, m recentMoments) { t.add(i, k, m.moments(), +1) })
	}
	l.recent, l.postponed, l.sorted = nil, nil, nil
}

// each calls f for the recent moments of some rows, class by class.
func (l *learner) each(from, to int, f func(i, k int, m recentMoments)) {
	for k, recent := range l.recent {
		for i := from; i < min(to, len(recent)); i++ {
			if recent[i] > 0 {
				f(i, k, recent[i])
			}
		}
	}
}
