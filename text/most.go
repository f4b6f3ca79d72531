package text

// MostTerms returns how many terms a can find in n bytes of text at most, so that a program
// can tell what memory to have ready. With a Segmenter of another package it takes each
// byte for a word.
func (a *Analyzer) MostTerms(n int) int {
	// n bytes have at most words words, of length bytes together.
	lengths := func(least, most int) int { return max(1, most-least+1) }
	words, length := n, n
	switch s := a.segmenter().(type) {
	case Words, SKLearn, Whitespace: // something stands between two words of one byte
		words = n/2 + 1
	case Chars:
		words *= lengths(s.Min, s.Max)
		length = words * max(1, s.Max)
	case CharWords: // k words have at most n-k+1 bytes, and a space on either side each; k is at most (n+1)/2
		words = (3*n + 3) / 2 * lengths(s.Min, s.Max)
		length = words * max(1, s.Max)
	}
	count := words * lengths(a.NGrams[0], a.NGrams[1])
	if a.Subwords != [2]int{} {
		count += (length + 2*words) * lengths(a.Subwords[0], a.Subwords[1])
	}
	return count
}
