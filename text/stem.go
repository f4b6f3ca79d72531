package text

// A Stemmer reduces words to stems: "running" to "run".
type Stemmer interface {
	Stem(word string) string
	String() string // its name in [Parse]
}

// Limits: how many stems a Buffer remembers, and how many bytes a word may have that is
// stemmed or has subwords. No language's words are longer.
const (
	maxStems = 1 << 15
	maxWord  = 128
)

// stem makes t count as its stem. Most words of a text have been seen before:
// their stems are remembered.
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

// rememberStems begins to remember the stems of a stemmer, or goes on.
func (b *Buffer) rememberStems(stemmer Stemmer) {
	if name := stemmer.String(); b.stems == nil || b.stemmer != name {
		b.stems, b.stemmer = make(map[string]string), name
	}
}
