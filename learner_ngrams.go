package bayes

import (
	"bytes"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/intern"
	"bayes/internal/memory"
	"bayes/text"
)

// ngrams are the n-grams of words that learners know, by their parts: the n-gram that is
// one word shorter, and the last word. Words and n-grams are numbered together, so that a
// part is a number. A word is looked up by its bytes, mostly in the caches; of an n-gram,
// which mostly is not there, a single slot is read. Its bytes are made in the end.
//
// They are for n-grams whose parts are words, and for words without spaces: so n-grams of
// other parts have other bytes.
//
// Learners that work side by side share them: an n-gram takes memory once, and has one
// number, so that what they count is added without looking anything up. They wait for each
// other only while the slots grow, and to number a word that one has not met before.
type ngrams struct {
	shortest, longest int

	known    atomic.Int32 // how many words and n-grams there are
	promised atomic.Int64 // how many n-grams may come of the texts in work

	growing sync.RWMutex // locked to change which slots there are
	slots   []ngram      // a power of two of them, at most 3/4 used

	naming sync.Mutex   // locked to use what follows
	words  intern.Table // of all learners
	named  []int32      // the number of each of them
}

// An ngram is a slot: zero, or the parts of an n-gram and, at once or a little later, its
// number plus one.
type ngram struct {
	parts  atomic.Uint64
	number atomic.Int32
}

// parts are the number of an n-gram's head plus one, and in 32 bits below it that of its
// last word.
type parts uint64

func partsOf(head, word int32) parts { return parts(head+1)<<32 | parts(word) }

// newNGrams returns nil if the terms of a are no n-grams, or there are others, or they have
// parts that are no words.
func newNGrams(a *text.Analyzer) *ngrams {
	shortest, longest := a.Lengths()
	if longest == 1 || shortest > 2 || a.Subwords != [2]int{} {
		return nil
	}
	return &ngrams{shortest: shortest, longest: longest, slots: make([]ngram, 1<<10)}
}

// A speller is what one learner has of n-grams that it may share: the words that it has
// met, which it looks up by itself.
type speller struct {
	*ngrams
	own     intern.Table
	numbers []int32 // of each of them among all
	heads   []int32 // of each n-gram of the text
}

// findNGrams finds the terms of a text as find does: its words, if they are terms, then
// its n-grams, length by length. It reports whether it could: not if a word has a space.
func (l *learner) findNGrams(text string) bool {
	g := l.ngrams
	l.analyzer.AnalyzeWords(&l.buf, text)
	n := l.buf.Len()
	l.line = slices.Grow(l.line[:0], n)[:n]
	for from := 0; from < n; from += intern.Stage {
		l.number(&g.own, from, l.line[from:min(n, from+intern.Stage)])
	}
	if !g.name() {
		return false
	}
	for i, w := range l.line {
		l.line[i] = g.numbers[w]
	}
	l.begin(n, g.longest-g.shortest+1)
	if g.shortest == 1 {
		for words := range slices.Chunk(l.line, intern.Stage) {
			l.expect(words)
			l.note(words)
		}
	}
	g.heads = append(g.heads[:0], l.line...)
	const most = 1 << 12 // n-grams that room is made for at a time
	for length := 2; length <= g.longest; length++ {
		for from := 0; from <= n-length; from += most {
			heads := g.heads[from:min(n-length+1, from+most)]
			words := l.line[from+length-1:]
			g.enter(len(heads))
			g.findAll(heads, words, func(from int, stage []int32) {
				if length >= g.shortest {
					l.expect(stage)
					l.note(stageBefore(heads, from))
				}
			})
			if length >= g.shortest {
				l.note(lastStage(heads))
			}
			g.leave(len(heads))
		}
	}
	return true
}

// name numbers words that the learner has met for the first time, and reports whether
// none of them has a space.
func (g *speller) name() bool {
	if len(g.numbers) == g.own.Len() {
		return true
	}
	g.naming.Lock()
	defer g.naming.Unlock()
	for w := len(g.numbers); w < g.own.Len(); w++ {
		word := g.own.Bytes(w)
		if bytes.IndexByte(word, ' ') >= 0 {
			return false
		}
		i := g.words.Insert(g.own.Key(w), word)
		if i == len(g.named) {
			g.named = append(g.named, g.known.Add(1)-1)
		}
		g.numbers = append(g.numbers, g.named[i])
	}
	return true
}

// enter makes room for so many n-grams that may come.
func (g *ngrams) enter(n int) {
	promised := g.promised.Add(int64(n))
	g.growing.RLock()
	for 4*(int64(g.known.Load())+promised) > 3*int64(len(g.slots)) {
		g.growing.RUnlock()
		g.grow(promised)
		g.growing.RLock()
	}
}

// leave says that so many n-grams have come, or will not.
func (g *ngrams) leave(n int) {
	g.growing.RUnlock()
	g.promised.Add(-int64(n))
}

func (g *ngrams) grow(promised int64) {
	g.growing.Lock()
	defer g.growing.Unlock()
	size := len(g.slots)
	for 4*(int64(g.known.Load())+promised) > 3*int64(size) {
		size *= 2
	}
	if size == len(g.slots) {
		return
	}
	slots := g.slots
	g.slots = make([]ngram, size)
	memory.Populate(g.slots, 0)
	mask := uint32(size - 1)
	for i := range slots {
		p := slots[i].parts.Load()
		if p == 0 {
			continue
		}
		at := parts(p).hash() & mask
		for g.slots[at].parts.Load() != 0 {
			at = (at + 1) & mask
		}
		g.slots[at].parts.Store(p)
		g.slots[at].number.Store(slots[i].number.Load())
	}
}

// findAll finds n-grams. Their numbers take the place of their heads, since they are the
// heads of the next length. Of each stage it calls found; the slots of the next one have
// been asked for then.
func (g *ngrams) findAll(heads, words []int32, found func(from int, stage []int32)) {
	var slots [2][intern.Stage]uint32
	expect := func(from int) {
		to := min(from+intern.Stage, len(heads))
		if from < to {
			g.expect(heads[from:to], words[from:to], &slots[from/intern.Stage%2])
		}
	}
	expect(0)
	for from := 0; from < len(heads); from += intern.Stage {
		expect(from + intern.Stage)
		stage := heads[from:min(from+intern.Stage, len(heads))]
		g.find(stage, words[from:], &slots[from/intern.Stage%2])
		found(from, stage)
	}
}

// expect asks for the slots in which at most a stage of n-grams may stand.
func (g *ngrams) expect(heads, words []int32, slots *[intern.Stage]uint32) {
	mask := uint32(len(g.slots) - 1)
	for j, head := range heads {
		slots[j] = partsOf(head, words[j]).hash() & mask
	}
	memory.Prefetch(g.slots, slots[:len(heads)])
}

// find finds a stage of n-grams from these slots on.
func (g *ngrams) find(heads, words []int32, slots *[intern.Stage]uint32) {
	for j, i := range slots[:len(heads)] {
		p, s := partsOf(heads[j], words[j]), &g.slots[i]
		if number := s.number.Load(); number > 0 && parts(s.parts.Load()) == p {
			heads[j] = number - 1
		} else {
			heads[j] = g.number(i, p)
		}
	}
}

// number returns the number of an n-gram, which it gets if it is new, from the slot on
// that its hash says.
func (g *ngrams) number(at uint32, p parts) int32 {
	for mask := uint32(len(g.slots) - 1); ; at = (at + 1) & mask {
		s := &g.slots[at]
		if s.parts.Load() == 0 && s.parts.CompareAndSwap(0, uint64(p)) {
			number := g.known.Add(1)
			s.number.Store(number)
			return number - 1
		}
		if parts(s.parts.Load()) == p {
			for {
				if number := s.number.Load(); number > 0 {
					return number - 1
				}
				runtime.Gosched() // another learner is about to store it
			}
		}
	}
}

func (p parts) hash() uint32 { return uint32(intern.Hash(uint64(p>>32), uint64(uint32(p)))) }

// spell puts all words and n-grams into the index, under their numbers. From now on the
// learner looks terms up by their bytes, and shares them no more.
func (l *learner) spell() {
	if l.ngrams == nil {
		return
	}
	g := l.ngrams.ngrams
	l.ngrams = nil
	g.growing.Lock()
	defer g.growing.Unlock()
	g.naming.Lock()
	defer g.naming.Unlock()
	spellings := g.list()
	g.appendTo(l.index, spellings, numbered(len(spellings)))
}

// spell appends all words and n-grams to t, in the order of their words, and before that
// sends their numbers in this order. No more can be found.
func (g *ngrams) spell(t *intern.Table, ordered chan<- []int32) {
	spellings := g.list()
	g.slots = nil // which takes much memory
	order := g.order(spellings)
	ordered <- order
	g.appendTo(t, spellings, order)
}

// numbered returns the numbers from 0 to n-1.
func numbered(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

// A spelling says how a word or an n-gram is made: of its head and a blank, unless it is
// a word and head is -1; and of a word of the table. A head has a smaller number.
type spelling struct{ head, word int32 }

// list returns the spelling of each word and n-gram.
func (g *ngrams) list() []spelling {
	list := make([]spelling, g.known.Load())
	for w, i := range g.named {
		list[i] = spelling{-1, int32(w)}
	}
	for i := range g.slots {
		if s := &g.slots[i]; s.number.Load() > 0 {
			p := s.parts.Load()
			list[s.number.Load()-1] = spelling{int32(p>>32) - 1, list[uint32(p)].word}
		}
	}
	return list
}

// appendTo appends the bytes of words and n-grams to t, in some order.
func (g *ngrams) appendTo(t *intern.Table, spellings []spelling, order []int32) {
	var appendBytes func(b []byte, i int32) []byte
	appendBytes = func(b []byte, i int32) []byte {
		s := spellings[i]
		if s.head >= 0 {
			b = append(appendBytes(b, s.head), ' ')
		}
		return append(b, g.words.Bytes(int(s.word))...)
	}
	t.AppendAll(len(order), func(b []byte, at int) []byte {
		if at%intern.Stage == 0 { // parts begin there
			stage := order[at:min(at+intern.Stage, len(order))]
			memory.Prefetch(spellings, stage)
			var words [intern.Stage]int32
			for j, i := range stage {
				words[j] = spellings[i].word
			}
			g.words.Prefetch(words[:len(stage)])
		}
		return appendBytes(b, order[at])
	})
}

// order returns the numbers of words and n-grams in the order of their words. If all bytes
// of these are greater than a blank, it is that of their own bytes.
func (g *ngrams) order(spellings []spelling) []int32 {
	order := numbered(len(spellings))
	words := make([]int, g.words.Len())
	for w := range words {
		words[w] = w
	}
	g.words.Sort(words)
	ranks := make([]int32, len(words))      // of words, from 1
	places := make([]int32, len(spellings)) // of words and shorter n-grams
	for at, w := range words {
		ranks[w] = int32(at + 1)
		places[g.named[w]] = int32(at)
	}
	lengths := make([]int32, len(spellings))
	for i, s := range spellings {
		lengths[i] = 1
		if s.head >= 0 {
			lengths[i] += lengths[s.head]
		}
	}
	// Those of each length are sorted among those that are shorter, which are sorted: by
	// the last word, which those lack, and then by what comes before it.
	list, scratch := make([]uint64, 0, len(spellings)), []uint64(nil)
	for length := 2; length <= g.longest; length++ {
		list = list[:0]
		for i, s := range spellings {
			if int(lengths[i]) < length {
				list = append(list, uint64(i))
			} else if int(lengths[i]) == length {
				list = append(list, uint64(ranks[s.word])<<32|uint64(i))
			}
		}
		list, scratch = sortByUpper(list, scratch, len(words)+1)
		for part := range slices.Chunk(list, intern.Stage) {
			var numbers, heads [intern.Stage]uint32
			for j, v := range part {
				numbers[j] = uint32(v)
			}
			memory.Prefetch(spellings, numbers[:len(part)])
			for j, v := range part {
				heads[j] = uint32(v)
				if v>>32 > 0 {
					heads[j] = uint32(spellings[heads[j]].head)
				}
			}
			memory.Prefetch(places, heads[:len(part)])
			for j := range part {
				part[j] = uint64(places[heads[j]])<<32 | uint64(numbers[j])
			}
		}
		list, scratch = sortByUpper(list, scratch, len(list))
		for at, v := range list {
			places[uint32(v)] = int32(at)
		}
	}
	for i, at := range places {
		order[at] = int32(i)
	}
	return order
}
