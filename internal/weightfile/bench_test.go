package weightfile

import (
	"math/rand/v2"
	"testing"

	"bayes/internal/intern"
)

// BenchmarkFind looks up half a million terms in random order and adds their weights, 20 to a
// document, in a map that reading the file would have to build, and in the bytes of the file.
func BenchmarkFind(b *testing.B) {
	const n, document = 500_000, 20
	weights, index, terms, rows := table(n, 32)
	t := New(2, n)
	if err := t.setWeights(weights); err != nil {
		b.Fatal(err)
	}
	if err := t.SetIndex(index); err != nil {
		b.Fatal(err)
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(n)
	sums := make([]float64, 2)
	b.Run("map", func(b *testing.B) {
		numbers := make(map[string]int32, n)
		for i, term := range terms {
			numbers[string(term)] = int32(i)
		}
		for b.Loop() {
			for _, i := range order {
				number := numbers[string(terms[i])]
				for k, w := range rows[2*number : 2*number+2] {
					sums[k] += w
				}
			}
		}
	})
	b.Run("file", func(b *testing.B) {
		var hashes [intern.Batch]uint64
		for b.Loop() {
			for at := 0; at < n; at += document {
				list := order[at : at+document]
				for j, i := range list {
					hashes[j] = Hash(terms[i])
				}
				t.Prefetch(hashes[:len(list)])
				for j, i := range list {
					number, _ := t.Find(hashes[j], terms[i])
					t.AddRow(sums, number, 1)
				}
			}
		}
	})
}
