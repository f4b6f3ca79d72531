package text

// joinNGrams appends the n-grams of the words that b holds, from the shortest length
// to the longest.
func (b *Buffer) joinNGrams(shortest, longest int) {
	words := len(b.tokens)
	for n := max(2, shortest); n <= longest; n++ {
		for i := 0; i+n <= words; i++ {
			b.join(b.tokens[i : i+n])
		}
	}
	if shortest > 1 {
		b.first = words
	}
}

// join appends the n-gram of words. If exactly one space separates them, as in most
// text, the n-gram is a piece of the text and nothing is copied.
func (b *Buffer) join(words []token) {
	start, end := words[0].start, words[len(words)-1].end
	if b.contiguous(words) {
		b.add(start, end, start, end)
		return
	}
	lo := len(b.text)
	for i, w := range words {
		if i > 0 {
			b.text = append(b.text, ' ')
		}
		b.text = append(b.text, b.text[w.lo:w.hi]...)
	}
	b.add(lo, len(b.text), start, end)
}

// contiguous reports whether the words are pieces of the text, with one space
// between neighbours.
func (b *Buffer) contiguous(words []token) bool {
	for i, w := range words {
		if w.lo != w.start || w.hi != w.end {
			return false
		}
		if i == 0 {
			continue
		}
		if end := words[i-1].end; w.start != end+1 || b.text[end] != ' ' {
			return false
		}
	}
	return true
}
