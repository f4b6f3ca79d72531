package text

// A Stemmer reduces words to stems: "running" to "run".
type Stemmer interface {
	Stem(word string) string
	String() string // its name in [Parse]
}

const (
	// maxStems is how many stems a Buffer remembers.
	maxStems = 1 << 15

	// maxWord is how many bytes a word may have that is stemmed or has subwords. No
	// language has longer words.
	maxWord = 128
)

// stem makes its stem the term of t. It remembers the stems of words, since
// most words come again.
func (b *Buffer) stem(t *token, stemmer Stemmer) {
	term := b.text[t.lo:t.hi]
	if len(term) > maxWord {
		return
	}
	stem, ok := b.stems[string(term)]
	if !ok {
		if len(b.stems) >= maxStems {
			clear(b.stems)
		}
		word := string(term)
		stem = stemmer.Stem(word)
		b.stems[word] = stem
	}
	if stem != string(term) {
		b.replace(t, stem)
	}
}

// rememberStems forgets the stems of another stemmer.
func (b *Buffer) rememberStems(stemmer Stemmer) {
	if name := stemmer.String(); b.stems == nil || b.stemmer != name {
		b.stems, b.stemmer = make(map[string]string), name
	}
}
