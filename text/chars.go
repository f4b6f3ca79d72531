package text

var (
	_ Segmenter = Chars{}
	_ Segmenter = CharWords{}
)

// Chars cuts text into overlapping pieces of Min to Max characters, across word
// boundaries, as scikit-learn's analyzer "char" does: two or more characters of
// white space in a row count as one space. A Min below 1 means 1, a Max below
// Min means Min, and lengths end at 16; so Chars{} is Chars{1, 1}.
type Chars struct{ Min, Max int }

func (c Chars) String() string { return "chars=" + rangeString(lengths(c.Min, c.Max)) }

func (c Chars) Segment(b *Buffer) {
	b.beginCopy()
	t := b.Text()
	for i := 0; i < len(t); {
		blank, size := blankAt(t, i)
		if !blank {
			b.copyChar(i, size)
			i += size
			continue
		}
		// A run of white space: a single character is kept, more become one space.
		start, n := i, 0
		for i < len(t) {
			if blank, size = blankAt(t, i); !blank {
				break
			}
			i += size
			n++
		}
		if n == 1 {
			b.copyChar(start, i-start)
		} else {
			b.copySpace(start, i)
		}
	}
	b.addGrams(lengths(c.Min, c.Max))
}

// CharWords cuts each word, with a space put on either side of it, into
// overlapping pieces of Min to Max characters, as scikit-learn's analyzer
// "char_wb" does. A word shorter than a piece is a piece of its own, once. Min
// and Max are read as those of [Chars].
type CharWords struct{ Min, Max int }

func (c CharWords) String() string { return "char-words=" + rangeString(lengths(c.Min, c.Max)) }

func (c CharWords) Segment(b *Buffer) {
	shortest, longest := lengths(c.Min, c.Max)
	for i := 0; i < b.size; {
		if blank, size := blankAt(b.Text(), i); blank {
			i += size
			continue
		}
		// Copy the word with a space on either side, then cut the copy.
		b.beginCopy()
		b.copySpace(i, i)
		for i < b.size {
			blank, size := blankAt(b.Text(), i)
			if blank {
				break
			}
			b.copyChar(i, size)
			i += size
		}
		b.copySpace(i, i)
		for n := shortest; n <= longest; n++ {
			// A word that is no longer than a piece is the last one.
			if n >= len(b.chars) {
				b.addGram(0, len(b.chars))
				break
			}
			b.addGrams(n, n)
		}
	}
}

// blankAt reports whether the character at i is white space, and returns its size.
func blankAt(t []byte, i int) (blank bool, size int) {
	if c := t[i]; c < 0x80 {
		return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f, 1
	}
	c, size := decode(basic(), t[i:])
	return c == space, size
}

// beginCopy begins a run of characters behind the text.
func (b *Buffer) beginCopy() { b.chars = b.chars[:0] }

// copyChar appends the character of the text at i to the run.
func (b *Buffer) copyChar(i, size int) {
	b.chars = append(b.chars, char{len(b.text), i, i + size})
	b.text = append(b.text, b.text[i:i+size]...)
}

// copySpace appends a space to the run, for text[start:end].
func (b *Buffer) copySpace(start, end int) {
	b.chars = append(b.chars, char{len(b.text), start, end})
	b.text = append(b.text, ' ')
}

// addGrams adds the pieces of the run, from the shortest length to the longest.
func (b *Buffer) addGrams(shortest, longest int) {
	for n := shortest; n <= longest; n++ {
		for i := 0; i+n <= len(b.chars); i++ {
			b.addGram(i, i+n)
		}
	}
}

// addGram adds the piece of the run from character i up to, and without, character j.
func (b *Buffer) addGram(i, j int) {
	end := len(b.text)
	if j < len(b.chars) {
		end = b.chars[j].at
	}
	b.add(b.chars[i].at, end, b.chars[i].start, b.chars[j-1].end)
}
