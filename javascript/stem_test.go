package javascript_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"bayes/text"
	"bayes/text/snowball"
)

// TestStems compares the stems of all words of a corpus in English, and of words that are put together of what the
// stemmer looks at.
func TestStems(t *testing.T) {
	seen := make(map[string]bool)
	var b strings.Builder
	add := func(word string) {
		if !seen[word] {
			seen[word] = true
			b.WriteString(word + "\t" + snowball.English.Stem(word) + "\n")
		}
	}
	a := new(text.Analyzer)
	for _, s := range column(t, "20news/test.csv")[:2000] {
		for token := range a.Tokens(strings.ToValidUTF8(s, "\ufffd")) {
			add(token.Term)
		}
	}
	parts := strings.Fields("' 's y Y a e i o u b c d f g h k l m n r s t w x z 𝒜 ß gener commun arsen bb ll tt ss sses ies ied us ed eed ing edly eedly ingly at bl iz tional enci anci abli entli izer ization " +
		"ational ation ator alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi fulli lessli li alize icate iciti ical ful ness ative al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion skies early inning succeed")
	r := rand.New(rand.NewPCG(1, 2))
	for range 60000 {
		word := ""
		for range 1 + r.IntN(5) {
			word += parts[r.IntN(len(parts))]
		}
		add(word)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "stems.tsv"), []byte(b.String()))
	node(t, "test/stem.test.js", "JAVASCRIPT_FOLDER="+dir)
}
