package text

import (
	"slices"
	"sort"
)

// A Buffer holds the tokens of one text. It is reused from text to text, and
// then allocates nothing. The zero Buffer is ready to use; it is for one
// goroutine.
type Buffer struct {
	text     []byte // the normalised text, then terms that are no pieces of it
	size     int    // of the normalised text
	tokens   []token
	first    int               // Term(0) is tokens[first]: the tokens before it were only parts of n-grams
	steps    [][]shift         // where each step of normalising changed lengths
	chars    []char            // of the run that Chars and CharWords cut, or of the word whose subwords are cut
	subwords []token           // they follow all other tokens at the end
	words    []mask            // of the text, for Words
	stems    map[string]string // by word: see stem.go
	stemmer  string            // that made stems
}

// padding is how many bytes may be read behind the text: it is read 64 bytes at a time,
// and terms 16 bytes at a time.
const padding = 64

// A token is the term text[lo:hi], for what is at [start, end) of the normalised
// text. The two differ where a term is no piece of the text, such as a stem.
type token struct {
	lo, hi, start, end int
	negated            bool // see [Analyzer.Negation]
}

// A char is a character at text[at:], for what is at [start, end) of the normalised
// text.
type char struct{ at, start, end int }

// A shift maps positions of a step's output to its input: from position at on, those
// of the input are larger by delta.
type shift struct{ at, delta int }

func (b *Buffer) reset(s string) {
	b.text = append(slices.Grow(b.text[:0], len(s)+padding), s...)
	b.tokens, b.subwords, b.first, b.steps = b.tokens[:0], b.subwords[:0], 0, b.steps[:0]
}

// beginStep begins to record where a step of normalising changes lengths. It reuses
// the memory of earlier texts.
func (b *Buffer) beginStep() {
	if n := len(b.steps); n < cap(b.steps) {
		b.steps = b.steps[:n+1]
		b.steps[n] = b.steps[n][:0]
		return
	}
	b.steps = append(b.steps, nil)
}

// align records that byte at of the step's output comes from byte pos of its input.
// Positions must not decrease.
func (b *Buffer) align(at, pos int) {
	step := &b.steps[len(b.steps)-1]
	delta := 0
	if n := len(*step); n > 0 {
		delta = (*step)[n-1].delta
	}
	switch d := pos - at; {
	case d == delta:
	case len(*step) > 0 && (*step)[len(*step)-1].at == at:
		(*step)[len(*step)-1].delta = d
	default:
		*step = append(*step, shift{at, d})
	}
}

// Text returns the text to be cut: the original, normalised as the analyzer
// says. It must not be modified.
func (b *Buffer) Text() []byte { return b.text[:b.size] }

// Add appends the token Text()[start:end].
func (b *Buffer) Add(start, end int) { b.add(start, end, start, end) }

// add appends a token. It sets the fields one by one, which is twice as fast as
// appending a literal: the compiler builds that elsewhere and copies it.
func (b *Buffer) add(lo, hi, start, end int) {
	n := len(b.tokens)
	if n == cap(b.tokens) {
		b.tokens = slices.Grow(b.tokens, 1)
	}
	b.tokens = b.tokens[:n+1]
	t := &b.tokens[n]
	t.lo, t.hi, t.start, t.end, t.negated = lo, hi, start, end, false
}

// AddTerm appends a token for Text()[start:end] that is counted as term, such as a
// word's base form.
func (b *Buffer) AddTerm(term string, start, end int) {
	lo := len(b.text)
	b.text = append(b.text, term...)
	b.add(lo, len(b.text), start, end)
}

// replace makes the parts, joined, the term of t.
func (b *Buffer) replace(t *token, parts ...string) {
	t.lo = len(b.text)
	for _, p := range parts {
		b.text = append(b.text, p...)
	}
	t.hi = len(b.text)
}

// Len returns how many tokens there are.
func (b *Buffer) Len() int { return len(b.tokens) - b.first }

// Term returns what token i is counted as. It is valid until the next Analyze,
// and must not be modified, nor appended to: the Buffer owns the bytes behind it.
func (b *Buffer) Term(i int) []byte {
	t := &b.tokens[b.first+i]
	return b.text[t.lo:t.hi]
}

// Span returns the position of token i in the original text, in bytes.
func (b *Buffer) Span(i int) (start, end int) {
	t := &b.tokens[b.first+i]
	return b.original(t.start), b.original(t.end)
}

// original returns the position in the original text of a position in the normalised
// text: it goes through the steps from the last to the first.
func (b *Buffer) original(pos int) int {
	for i := len(b.steps) - 1; i >= 0; i-- {
		step := b.steps[i]
		if k := sort.Search(len(step), func(k int) bool { return step[k].at > pos }); k > 0 {
			pos += step[k-1].delta
		}
	}
	return pos
}
