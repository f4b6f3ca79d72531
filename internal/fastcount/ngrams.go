package fastcount

import (
	"bytes"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
	"bayes/text"
)

// A dictionary numbers words and the n-grams that are made of them. Two numbers identify an
// n-gram: that of the n-gram without its last word (its head), and that of its last word.
// So one slot of 16 bytes is read to find it, where otherwise its bytes would be made,
// hashed and compared. Its bytes are made at the end.
//
// It is for n-grams whose parts are terms, and for words without spaces: otherwise n-grams
// of different parts could have the same bytes.
//
// Counters that work at the same time share a dictionary. An n-gram then takes memory
// once, and has one number, so that what Counters counted is added without a look-up. They
// wait for each other only while the slots grow, and to number a word that one of them
// meets for the first time.
type dictionary struct {
	shortest, longest int // lengths of n-grams that are terms

	known    atomic.Int32 // how many words and n-grams there are
	reserved atomic.Int64 // how many n-grams may come of the texts that are being counted

	growing sync.RWMutex // held for writing while slots is replaced
	slots   []slot       // a power of two, at most 3/4 used

	naming sync.Mutex   // for what follows
	words  intern.Table // of all Counters
	named  []int32      // the number of each of them
}

// A slot is zero, or holds an n-gram's parts and, at once or a little later, its number
// plus 1.
type slot struct {
	parts  atomic.Uint64
	number atomic.Int32
}

// parts are the number of an n-gram's head plus 1 and, in the lower 32 bits, that of its
// last word.
type parts uint64

func partsOf(head, word int32) parts { return parts(head+1)<<32 | parts(word) }

func (p parts) hash() uint32 { return uint32(intern.Hash(uint64(p>>32), uint64(uint32(p)))) }

// newDictionary returns nil unless all terms of an analyzer are words or n-grams whose parts
// are terms too.
func newDictionary(a *text.Analyzer) *dictionary {
	shortest, longest := a.Lengths()
	if longest == 1 || shortest > 2 || a.Subwords != [2]int{} {
		return nil
	}
	return &dictionary{shortest: shortest, longest: longest, slots: make([]slot, 1<<10)}
}

// An ngramReader finds the n-grams of texts for one Counter. It has an index of its own of
// the words that it has met, so that it need not wait for others.
type ngramReader struct {
	*dictionary
	own     intern.Table
	numbers []int32 // of each word of own in the dictionary
	heads   []int32 // of each n-gram of the text
}

// readNGrams finds the terms of a text: its words, if they are terms, then its n-grams,
// length by length. It reports false, and has found nothing, if a word has a space.
func (c *Counter) readNGrams(text string) bool {
	r := c.ngrams
	c.Analyzer.AnalyzeWords(&c.buf, text)
	n := c.buf.Len()
	c.line = slices.Grow(c.line[:0], n)[:n]
	for from := 0; from < n; from += intern.Batch {
		c.lookUp(&r.own, from, c.line[from:min(n, from+intern.Batch)])
	}
	if !r.numberWords() {
		return false
	}
	for i, w := range c.line {
		c.line[i] = r.numbers[w]
	}
	c.begin(n, r.longest-r.shortest+1)
	if r.shortest == 1 {
		for words := range slices.Chunk(c.line, intern.Batch) {
			c.prefetch(words)
			c.tally(words)
		}
	}
	// heads[i] is at first the word at i; once the n-grams of a length are found, it is the
	// n-gram that begins at i, which is the head of a longer one.
	r.heads = append(r.heads[:0], c.line...)
	const most = 1 << 12 // n-grams that room is made for at a time
	for length := 2; length <= r.longest; length++ {
		for from := 0; from <= n-length; from += most {
			heads := r.heads[from:min(n-length+1, from+most)]
			words := c.line[from+length-1:]
			r.reserve(len(heads))
			r.lookUpAll(heads, words, func(from int, batch []int32) {
				if length >= r.shortest {
					c.prefetch(batch)
					c.tally(batchBefore(heads, from))
				}
			})
			if length >= r.shortest {
				c.tally(lastBatch(heads))
			}
			r.release(len(heads))
		}
	}
	return true
}

// numberWords numbers the words that the Counter has met for the first time. It reports
// false if one of them has a space.
func (r *ngramReader) numberWords() bool {
	if len(r.numbers) == r.own.Len() {
		return true
	}
	r.naming.Lock()
	defer r.naming.Unlock()
	for w := len(r.numbers); w < r.own.Len(); w++ {
		word := r.own.Bytes(w)
		if bytes.IndexByte(word, ' ') >= 0 {
			return false
		}
		i := r.words.Insert(r.own.Key(w), word)
		if i == len(r.named) {
			r.named = append(r.named, r.known.Add(1)-1)
		}
		r.numbers = append(r.numbers, r.named[i])
	}
	return true
}

// reserve makes room for n further n-grams. The slots stay in place until release.
func (d *dictionary) reserve(n int) {
	reserved := d.reserved.Add(int64(n))
	d.growing.RLock()
	for 4*(int64(d.known.Load())+reserved) > 3*int64(len(d.slots)) {
		d.growing.RUnlock()
		d.grow(reserved)
		d.growing.RLock()
	}
}

// release ends a reserve: the n n-grams have been found or added.
func (d *dictionary) release(n int) {
	d.growing.RUnlock()
	d.reserved.Add(-int64(n))
}

func (d *dictionary) grow(reserved int64) {
	d.growing.Lock()
	defer d.growing.Unlock()
	// Another Counter may have made room meanwhile.
	size := len(d.slots)
	for 4*(int64(d.known.Load())+reserved) > 3*int64(size) {
		size *= 2
	}
	if size == len(d.slots) {
		return
	}
	slots := d.slots
	d.slots = make([]slot, size)
	prefetch.Populate(d.slots, 0)
	mask := uint32(size - 1)
	for i := range slots {
		p := slots[i].parts.Load()
		if p == 0 {
			continue
		}
		at := parts(p).hash() & mask
		for d.slots[at].parts.Load() != 0 {
			at = (at + 1) & mask
		}
		d.slots[at].parts.Store(p)
		d.slots[at].number.Store(slots[i].number.Load())
	}
}

// lookUpAll replaces heads by the numbers of n-grams, each made of a head and a word. It
// calls found for each batch of them, when the slots of the next batch have been prefetched.
func (d *dictionary) lookUpAll(heads, words []int32, found func(from int, batch []int32)) {
	var slots [2][intern.Batch]uint32
	prefetch := func(from int) {
		to := min(from+intern.Batch, len(heads))
		if from < to {
			d.prefetch(heads[from:to], words[from:to], &slots[from/intern.Batch%2])
		}
	}
	prefetch(0)
	for from := 0; from < len(heads); from += intern.Batch {
		prefetch(from + intern.Batch)
		batch := heads[from:min(from+intern.Batch, len(heads))]
		d.lookUp(batch, words[from:], &slots[from/intern.Batch%2])
		found(from, batch)
	}
}

// prefetch fetches the slots where a batch of n-grams may be, and notes which these are.
func (d *dictionary) prefetch(heads, words []int32, slots *[intern.Batch]uint32) {
	mask := uint32(len(d.slots) - 1)
	for j, head := range heads {
		slots[j] = partsOf(head, words[j]).hash() & mask
	}
	prefetch.Elements(d.slots, slots[:len(heads)])
}

// lookUp replaces a batch of heads by the numbers of n-grams, given their first slots.
func (d *dictionary) lookUp(heads, words []int32, slots *[intern.Batch]uint32) {
	for j, i := range slots[:len(heads)] {
		p, s := partsOf(heads[j], words[j]), &d.slots[i]
		if number := s.number.Load(); number > 0 && parts(s.parts.Load()) == p {
			heads[j] = number - 1
		} else {
			heads[j] = d.numberOf(i, p)
		}
	}
}

// numberOf returns the number of an n-gram, which gets one if it is new. It searches from
// the n-gram's first slot on. An empty slot is taken by one compare-and-swap; the number
// follows, and other Counters that find the slot meanwhile wait for it.
func (d *dictionary) numberOf(at uint32, p parts) int32 {
	for mask := uint32(len(d.slots) - 1); ; at = (at + 1) & mask {
		s := &d.slots[at]
		if s.parts.Load() == 0 && s.parts.CompareAndSwap(0, uint64(p)) {
			number := d.known.Add(1)
			s.number.Store(number)
			return number - 1
		}
		if parts(s.parts.Load()) == p {
			for {
				if number := s.number.Load(); number > 0 {
					return number - 1
				}
				runtime.Gosched()
			}
		}
	}
}

// Materialise gives all terms their names in the table. From then on the Counter looks
// terms up by their bytes, and shares them no more, and others may add to the table.
func (c *Counter) Materialise() {
	if c.ngrams == nil {
		return
	}
	d := c.ngrams.dictionary
	c.ngrams = nil
	d.growing.Lock()
	defer d.growing.Unlock()
	d.naming.Lock()
	defer d.naming.Unlock()
	made := d.list()
	d.appendTo(&c.table.Index, made, identity(len(made)))
}

// materialise appends all words and n-grams to index, in the order of their words, and
// before that sends their numbers in this order. It ends the use of the dictionary.
func (d *dictionary) materialise(index *intern.Table, ordered chan<- []int32) {
	made := d.list()
	d.slots = nil // to free much memory
	order := d.order(made)
	ordered <- order
	d.appendTo(index, made, order)
}

// identity returns the numbers from 0 to n-1.
func identity(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

// madeOf says what a word or n-gram is made of: a word of the dictionary's table and, unless
// head is -1, an n-gram before it, whose number is smaller.
type madeOf struct{ head, word int32 }

// list returns what each word and n-gram is made of.
func (d *dictionary) list() []madeOf {
	list := make([]madeOf, d.known.Load())
	for w, i := range d.named {
		list[i] = madeOf{-1, int32(w)}
	}
	for i := range d.slots {
		if s := &d.slots[i]; s.number.Load() > 0 {
			p := s.parts.Load()
			list[s.number.Load()-1] = madeOf{int32(p>>32) - 1, list[uint32(p)].word}
		}
	}
	return list
}

// appendTo appends the bytes of words and n-grams to index, in an order.
func (d *dictionary) appendTo(index *intern.Table, made []madeOf, order []int32) {
	var appendBytes func(b []byte, i int32) []byte
	appendBytes = func(b []byte, i int32) []byte {
		m := made[i]
		if m.head >= 0 {
			b = append(appendBytes(b, m.head), ' ')
		}
		return append(b, d.words.Bytes(int(m.word))...)
	}
	index.AppendAll(len(order), func(b []byte, at int) []byte {
		if at%intern.Batch == 0 { // AppendAll's parts begin at such numbers
			batch := order[at:min(at+intern.Batch, len(order))]
			prefetch.Elements(made, batch)
			var words [intern.Batch]int32
			for j, i := range batch {
				words[j] = made[i].word
			}
			d.words.Prefetch(words[:len(batch)])
		}
		return appendBytes(b, order[at])
	})
}

// order returns the numbers of words and n-grams in the order of their words. If all bytes
// of words are greater than a space, that is the order of the n-grams' own bytes.
//
// It sorts the words, and then length by length the n-grams up to that length, twice: by the
// last word, which shorter ones lack and so come first; and then, keeping that order among
// equals, by the place of what is before the last word, which is known already.
func (d *dictionary) order(made []madeOf) []int32 {
	order := identity(len(made))
	// The words, and their places among themselves.
	words := make([]int, d.words.Len())
	for w := range words {
		words[w] = w
	}
	d.words.Sort(words)
	ranks := make([]int32, len(words)) // of words, from 1
	places := make([]int32, len(made)) // of words and shorter n-grams
	for at, w := range words {
		ranks[w] = int32(at + 1)
		places[d.named[w]] = int32(at)
	}
	lengths := make([]int32, len(made))
	for i, m := range made {
		lengths[i] = 1
		if m.head >= 0 {
			lengths[i] += lengths[m.head]
		}
	}
	// Length by length. Elements of list have what to sort by in their upper halves, and the
	// number of a word or an n-gram in their lower ones.
	list, scratch := make([]uint64, 0, len(made)), []uint64(nil)
	for length := 2; length <= d.longest; length++ {
		list = list[:0]
		for i, m := range made {
			if int(lengths[i]) < length {
				list = append(list, uint64(i))
			} else if int(lengths[i]) == length {
				list = append(list, uint64(ranks[m.word])<<32|uint64(i))
			}
		}
		list, scratch = sortByUpper(list, scratch, len(words)+1)
		d.byHead(list, made, places)
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

// byHead replaces the upper half of each element of list by a place: that of the n-gram
// itself if it is sorted already, which an upper half of zero says, else that of its head.
func (d *dictionary) byHead(list []uint64, made []madeOf, places []int32) {
	for part := range slices.Chunk(list, intern.Batch) {
		var numbers, heads [intern.Batch]uint32
		for j, v := range part {
			numbers[j] = uint32(v)
		}
		prefetch.Elements(made, numbers[:len(part)])
		for j, v := range part {
			heads[j] = uint32(v)
			if v>>32 > 0 {
				heads[j] = uint32(made[heads[j]].head)
			}
		}
		prefetch.Elements(places, heads[:len(part)])
		for j := range part {
			part[j] = uint64(places[heads[j]])<<32 | uint64(numbers[j])
		}
	}
}
