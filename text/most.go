package text

// MostTerms returns how many terms a can find in n bytes of text at most, so that a program
// can tell what memory to have ready. Of a Segmenter that is not of this package it takes
// each byte for a word.
func (a *Analyzer) MostTerms(n int) int {
	lengths := func(least, most int) int { return max(1, most-least+1) }
	count := n
	switch s := a.segmenter().(type) {
	case Words, SKLearn, Whitespace: // something stands between two words of one byte
		count = n/2 + 1
	case Chars:
		count *= lengths(s.Min, s.Max)
	case CharWords: // a word of one byte has a space on either side
		count *= 2 * lengths(s.Min, s.Max)
	}
	count *= lengths(a.NGrams[0], a.NGrams[1])
	if a.Subwords != [2]int{} {
		count += 2 * n * lengths(a.Subwords[0], a.Subwords[1])
	}
	return count
}
