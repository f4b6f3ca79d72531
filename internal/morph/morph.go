// Package morph cuts text into morphemes by a dictionary: of all ways to cut it into words
// that the dictionary has, or that consist of unknown characters, it takes the one of least
// cost, where each word and each pair of neighbours has a cost (Kudo, Yamamoto and
// Matsumoto 2004, the algorithm of MeCab).
//
// It finds what github.com/ikawaha/kagome/v2/tokenizer finds, with one exception:
// numbers and words in Latin, Greek or Cyrillic letters that the dictionary does
// not have stay whole, as in MeCab. Kagome may cut their last character off,
// and with the Korean dictionary it cuts: "th e", "5 0".
//
// Its time and memory are linear in the text, and it does not allocate. Kagome
// searches from each unknown character to the end of their run, which is quadratic,
// and makes an object of each candidate. BenchmarkEach compares the two on 2000 lines;
// the speeds are ratios:
//
//	                 Japanese   Korean   allocations
//	kagome           1          1        124,484 and 5,181
//	this tokenizer   2.5        2.4      25 and 17
package morph

import (
	"sync"
	"unicode/utf8"
)

// A Tokenizer cuts text into morphemes. It may be used by many goroutines at
// once.
type Tokenizer struct {
	dict     Dictionary
	nodes    []trieNode      // and one behind the last
	roots    [1 << 16]uint16 // by character: the child of the root, or 0
	words    []word          // by number
	unknown  []unknowns      // by category of character
	width    int             // of a row of connections
	lattices sync.Pool
}

// A trieNode says where a node's children and words begin. They end where those of the
// next node begin.
type trieNode struct{ child, word uint32 }

// A word has a kind and a cost, side by side since they are read together.
type word struct {
	kind uint16
	cost int16
}

// unknowns are the words that a run of characters of one category may be: n of the
// dictionary's words, from first on.
type unknowns struct {
	first, n               uint32
	invoke, group, shorter bool
}

// A Morpheme is Text[Start:End] of the text that was cut.
type Morpheme struct {
	Start, End int
	word       uint32
}

// Load returns a Tokenizer with the dictionary of a file that is part of the program, as
// [Dictionary.Write] wrote it. It panics if the file is broken.
func Load(file string) *Tokenizer {
	d, err := Read(file)
	if err != nil {
		panic(err)
	}
	return New(d)
}

// New returns a Tokenizer that reads d, and leaves it alone.
func New(d *Dictionary) *Tokenizer {
	t := &Tokenizer{dict: *d, nodes: make([]trieNode, len(d.Chars)+1), words: make([]word, len(d.Kinds)), width: d.width()}
	next := trieNode{child: 1} // behind the root
	for i := range d.Chars {
		t.nodes[i] = next
		next.child += uint32(d.Children[i])
		next.word += uint32(d.Words[i])
	}
	t.nodes[len(d.Chars)] = next
	for i := uint16(1); uint32(i) < t.nodes[1].child; i++ {
		t.roots[d.Chars[i]] = i
	}
	for i := range t.words {
		t.words[i] = word{d.Kinds[i], d.Costs[i]}
	}
	t.dict.Children, t.dict.Words, t.dict.Kinds, t.dict.Costs = nil, nil, nil, nil // nodes and words have them
	first := next.word
	for category, traits := range d.Traits {
		n := uint32(d.Unknown[category])
		t.unknown = append(t.unknown, unknowns{first, n, traits&Invoke != 0, traits&Group != 0, traits&Shorter != 0})
		first += n
	}
	t.lattices.New = func() any { return new(lattice) }
	return t
}

// Each calls f for each morpheme of text that holds a letter or a number, in
// order. Control characters and bytes that are not UTF-8 separate.
func (t *Tokenizer) Each(text []byte, f func(Morpheme)) {
	l := t.lattices.Get().(*lattice)
	defer t.lattices.Put(l)
	for start, end := nextPiece(text, 0); start < end; start, end = nextPiece(text, end) {
		for _, n := range l.cut(t, text[start:end]) {
			m := Morpheme{start + int(n.start), start + int(n.end), n.word}
			if holdsWord(text[m.Start:m.End]) {
				f(m)
			}
		}
	}
}

// Class returns m's part of speech, as the dictionary has it.
func (t *Tokenizer) Class(m Morpheme) string {
	return t.dict.ClassNames[t.dict.Classes[t.words[m.word].kind]]
}

// Form returns what m is counted as, if that is not how it is spelled: its base form, or
// what it is contracted of.
func (t *Tokenizer) Form(m Morpheme) (form string, ok bool) {
	i := t.dict.Forms[m.word]
	if i == 0 {
		return "", false
	}
	return t.dict.FormNames[i-1], true
}

// A lattice holds the candidates of one piece of text.
type lattice struct {
	nodes []node
	ends  []int32 // by byte of the piece: the last node that ends there, or none
	path  []node  // the cheapest, from the last word to the first and then turned around
}

// A node is a candidate: a word from start to end, at the end of the cheapest
// way to reach it.
type node struct {
	start, end int32
	word       uint32
	cost       int32  // of the whole way
	prev       int32  // the node before it on that way
	sibling    int32  // the node before it that ends where it ends, or none
	right      uint16 // its right context, on which the cost of the next word depends
}

const none = -1

// cut returns the words on the cheapest way through piece, valid UTF-8 without
// NUL. They are valid until the next call.
func (l *lattice) cut(t *Tokenizer, piece []byte) []node {
	// Before the text is one node, which costs nothing.
	l.nodes, l.path = l.nodes[:0], l.path[:0]
	l.ends = l.ends[:0]
	for range len(piece) + 1 {
		l.ends = append(l.ends, none)
	}
	l.nodes = append(l.nodes, node{prev: none, sibling: none}) // the beginning
	l.ends[0] = 0
	run := 0 // where the last run of one category ends
	for i := 0; i < len(piece); {
		r, size := utf8.DecodeRune(piece[i:])
		category := t.category(r)
		if run <= i {
			run = t.endOfRun(piece, i+size, category)
		}
		// Only words that begin where another one ends are candidates.
		if l.ends[i] != none {
			found := l.addKnown(t, piece, i)
			if !found || t.unknown[category].invoke {
				l.addUnknown(t, piece, i, i+size, run, category)
			}
		}
		i += size
	}
	return l.best(t, int32(len(piece)))
}

// category returns the category of a character.
func (t *Tokenizer) category(r rune) uint8 {
	if int(r) >= len(t.dict.Categories) {
		r = 0
	}
	return t.dict.Categories[r]
}

// endOfRun returns where the characters of a category end, from i on.
func (t *Tokenizer) endOfRun(piece []byte, i int, category uint8) int {
	for i < len(piece) {
		r, size := utf8.DecodeRune(piece[i:])
		if t.category(r) != category {
			break
		}
		i += size
	}
	return i
}

// addKnown adds the words of the dictionary that begin at i, by walking down
// its trie, and reports whether there are any.
func (l *lattice) addKnown(t *Tokenizer, piece []byte, i int) (found bool) {
	at := uint32(0)
	for end := i; end < len(piece); {
		r, size := utf8.DecodeRune(piece[end:])
		end += size
		if at = t.child(at, r); at == 0 {
			break
		}
		for w := t.nodes[at].word; w < t.nodes[at+1].word; w++ {
			found = true
			l.add(t, node{start: int32(i), end: int32(end), word: w})
		}
	}
	return found
}

// child returns the child of a node by a character, or 0.
func (t *Tokenizer) child(of uint32, r rune) uint32 {
	if r >= 1<<16 {
		return 0
	}
	c := uint16(r)
	if of == 0 {
		return uint32(t.roots[c])
	}
	first, end := t.nodes[of].child, t.nodes[of+1].child
	for first < end {
		middle := (first + end) / 2
		switch at := t.dict.Chars[middle]; {
		case at < c:
			first = middle + 1
		case at > c:
			end = middle
		default:
			return middle
		}
	}
	return 0
}

// addUnknown adds the words that the dictionary does not have: the character from i to
// next, or the run of its category from i on, perhaps also without its last
// character.
func (l *lattice) addUnknown(t *Tokenizer, piece []byte, i, next, run int, category uint8) {
	words := t.unknown[category]
	end, shorter := next, i
	if words.group {
		end = run
	}
	if words.shorter {
		_, last := utf8.DecodeLastRune(piece[i:end])
		shorter = end - last
	}
	for w := words.first; w < words.first+words.n; w++ {
		if shorter > i {
			l.add(t, node{start: int32(i), end: int32(shorter), word: w})
		}
		l.add(t, node{start: int32(i), end: int32(end), word: w})
	}
}

// add adds n at the end of the cheapest way to it.
func (l *lattice) add(t *Tokenizer, n node) {
	w := t.words[n.word]
	n.prev, n.cost = l.cheapest(t, n.start, t.dict.Lefts[w.kind])
	n.cost += int32(w.cost)
	n.right = t.dict.Rights[w.kind]
	n.sibling = l.ends[n.end]
	l.ends[n.end] = int32(len(l.nodes))
	l.nodes = append(l.nodes, n)
}

// cheapest returns the last node of the cheapest way to a word that begins at start and
// has the left context left, and the cost of that way. Of ways of equal cost it takes
// the one that was found first.
func (l *lattice) cheapest(t *Tokenizer, start int32, left uint16) (prev, cost int32) {
	row := t.dict.Connections[t.width*int(left) : t.width*(int(left)+1)]
	prev = none
	for k := l.ends[start]; k != none; k = l.nodes[k].sibling {
		n := &l.nodes[k]
		if c := n.cost + int32(row[n.right]); prev == none || c <= cost {
			prev, cost = k, c
		}
	}
	return prev, cost
}

// best returns the words on the cheapest way to end.
func (l *lattice) best(t *Tokenizer, end int32) []node {
	last, _ := l.cheapest(t, end, 0)
	for k := last; k > 0; k = l.nodes[k].prev {
		l.path = append(l.path, l.nodes[k])
	}
	for i, j := 0, len(l.path)-1; i < j; i, j = i+1, j-1 {
		l.path[i], l.path[j] = l.path[j], l.path[i]
	}
	return l.path
}
