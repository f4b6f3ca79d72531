package bayes

import (
	"bytes"
	"slices"

	"bayes/internal/intern"
	"bayes/text"
)

// ngrams are the n-grams of words that a learner knows, by their parts: the n-gram that
// is one word shorter, and the last word. A word is looked up by its bytes, mostly in
// the caches; of an n-gram, which mostly is not there, a single slot is read. Its bytes
// are made in the end.
//
// They are for n-grams whose parts are terms or words, and for words without spaces: so
// n-grams of other parts have other bytes.
type ngrams struct {
	shortest, longest int

	words intern.Table
	terms []numbered // of each word, if words are terms
	line  []int32    // the words of the text
	heads []int32    // of each n-gram of the text

	slots []ngram // a power of two of them, at most 3/4 used
	used  int     // how many slots are used
	known int     // how many terms there are, words or n-grams
}

// An ngram is a slot.
type ngram struct {
	parts
	numbered
}

// parts are what an n-gram is made of: its head, the number of a term or ^ that of a
// word, and its last word. A word that is a term has only a head.
type parts struct{ head, word int32 }

const noWord = -1

// numbered is the number of a term plus one, or zero for none, and where the term stood
// in the document that had it last.
type numbered struct {
	term int32
	last uint32
}

// newNGrams returns nil if the terms of a are no n-grams, or have parts that are neither
// terms nor words.
func newNGrams(a *text.Analyzer) *ngrams {
	shortest, longest := a.Lengths()
	if longest == 1 || shortest > 2 {
		return nil
	}
	return &ngrams{shortest: shortest, longest: longest, slots: make([]ngram, 1<<10)}
}

// findNGrams finds the terms of a text as find does: its words, if they are terms, then
// its n-grams, length by length. It reports whether it could: not if a word has a space.
func (l *learner) findNGrams(text string) bool {
	g := l.ngrams
	l.analyzer.AnalyzeWords(&l.buf, text)
	n, known := l.buf.Len(), g.words.Len()
	g.line, g.heads = slices.Grow(g.line[:0], n)[:n], slices.Grow(g.heads[:0], n)[:n]
	for from := 0; from < n; from += intern.Stage {
		l.number(&g.words, from, g.line[from:min(n, from+intern.Stage)])
	}
	for w := known; w < g.words.Len(); w++ {
		if bytes.IndexByte(g.words.Bytes(w), ' ') >= 0 {
			return false
		}
	}
	l.terms = slices.Grow(l.terms[:0], n*(g.longest-g.shortest+1))
	for i, w := range g.line {
		g.heads[i] = ^w
	}
	if g.shortest == 1 {
		l.noteWords()
	}
	for length := 2; length <= g.longest; length++ {
		for from := 0; from <= n-length; from += intern.Stage {
			heads := g.heads[from:min(n-length+1, from+intern.Stage)]
			l.noteNGrams(heads, g.line[from+length-1:][:len(heads)])
		}
	}
	return true
}

// noteWords notes that the words of the text occur.
func (l *learner) noteWords() {
	g := l.ngrams
	g.terms = lengthened(g.terms, g.words.Len())
	for _, w := range g.line {
		t := &g.terms[w]
		if t.term == 0 {
			g.known++
			t.term = int32(g.known)
		}
		l.terms.add(t.term-1, &t.last)
	}
}

// noteNGrams notes that n-grams of the text occur, at most a stage of them. Their numbers
// take the place of their heads, since they are the heads of the next length.
func (l *learner) noteNGrams(heads, words []int32) {
	g := l.ngrams
	if 4*(g.used+intern.Stage) > 3*len(g.slots) {
		g.grow()
	}
	guesses := l.numbers[:len(heads)]
	g.guess(heads, words, guesses)
	for j, i := range guesses {
		if i < 0 {
			i = g.slot(parts{heads[j], words[j]})
		}
		s := &g.slots[i]
		if s.term == 0 {
			g.used++
			g.known++
			*s = ngram{parts{heads[j], words[j]}, numbered{term: int32(g.known)}}
		}
		heads[j] = s.term - 1
		l.terms.add(s.term-1, &s.last)
	}
}

// guess sets guesses to the slots that n-grams probably have, or to -1. It reads the
// slots in a loop so short that the processor asks for all of them at once.
func (g *ngrams) guess(heads, words, guesses []int32) {
	mask := uint32(len(g.slots) - 1)
	for j, head := range heads {
		guesses[j] = int32(parts{head, words[j]}.hash() & mask)
	}
	g.touch(guesses)
	for j, i := range guesses {
		if s := &g.slots[i]; s.parts != (parts{heads[j], words[j]}) || s.term == 0 {
			guesses[j] = -1
		}
	}
}

//go:noinline
func (g *ngrams) touch(slots []int32) (all int32) {
	for _, i := range slots {
		all |= g.slots[i].term
	}
	return all
}

// slot returns the slot that has p, or may get it.
func (g *ngrams) slot(p parts) int32 {
	mask := uint32(len(g.slots) - 1)
	for i := p.hash(); ; i++ {
		if s := &g.slots[i&mask]; s.term == 0 || s.parts == p {
			return int32(i & mask)
		}
	}
}

func (p parts) hash() uint32 {
	return uint32(intern.Hash(uint64(uint32(p.head)), uint64(uint32(p.word))))
}

func (g *ngrams) grow() {
	slots := g.slots
	g.slots = make([]ngram, 2*len(slots))
	for _, s := range slots {
		if s.term > 0 {
			g.slots[g.slot(s.parts)] = s
		}
	}
}

// spell puts the terms into the index. From now on they are looked up by their bytes.
func (l *learner) spell() {
	g := l.ngrams
	if g == nil {
		return
	}
	terms := g.list()
	size, lengths := 0, make([]int32, len(terms))
	for i, p := range terms {
		if p.head < 0 {
			lengths[i] = int32(len(g.words.Bytes(int(^p.head))))
		} else {
			lengths[i] = lengths[p.head]
		}
		if p.word != noWord {
			lengths[i] += int32(1 + len(g.words.Bytes(int(p.word))))
		}
		size += int(lengths[i])
	}
	l.index.AppendAll(len(terms), size, func(b []byte, i int) []byte {
		p := terms[i]
		if p.head < 0 {
			b = append(b, g.words.Bytes(int(^p.head))...)
		} else {
			b = append(b, l.index.Bytes(int(p.head))...)
		}
		if p.word != noWord {
			b = append(append(b, ' '), g.words.Bytes(int(p.word))...)
		}
		return b
	})
	l.ngrams = nil
}

// list returns the parts of each term.
func (g *ngrams) list() []parts {
	list := make([]parts, g.known)
	for w, t := range g.terms {
		if t.term > 0 {
			list[t.term-1] = parts{^int32(w), noWord}
		}
	}
	for _, s := range g.slots {
		if s.term > 0 {
			list[s.term-1] = s.parts
		}
	}
	return list
}
