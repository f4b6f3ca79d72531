package nearest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bayes/internal/parallel"
)

const topicTerms = 1000

// drawTopics returns texts of as many topics, one after the other, of so many words of their own and of so many that all may have.
func drawTopics(n, topics, own, common int) [][]Entry {
	random, texts := rand.New(rand.NewPCG(3, 4)), make([][]Entry, n)
	for i := range texts {
		counts := make([]float64, topicTerms)
		for range own {
			counts[i%topics*50+random.IntN(50)]++
		}
		for range common {
			counts[50*topics+random.IntN(topicTerms-50*topics)]++
		}
		for id, count := range counts {
			if count > 0 {
				texts[i] = append(texts[i], Entry{int32(id), count})
			}
		}
	}
	return texts
}

// Cosines are those of texts projected on the directions of the largest singular values, where these are apart from the others, as they are where texts have topics.
func TestLatent(t *testing.T) {
	const n, topics = 280, 12
	texts := drawTopics(n, topics, 100, 0)
	sample := make([]int, n-40) // twelve directions
	for i := range sample {
		sample[i] = n - 1 - i
	}
	pool := parallel.NewPool(t.Context())
	v := NewVectors(pool, texts, topicTerms, sample)
	l := NewLatent(pool, v)

	x := mat.NewDense(len(sample), topicTerms, nil)
	for k, i := range sample {
		for _, e := range texts[i] {
			x.Set(k, int(e.ID), v.weight(e)/v.Lengths[i])
		}
	}
	var products mat.SymDense
	products.SymOuterK(1, x)
	var eigen mat.EigenSym
	if !eigen.Factorize(&products, true) {
		t.Fatal("no eigenvalues")
	}
	var u mat.Dense
	eigen.VectorsTo(&u)
	values := eigen.Values(nil) // of the cosines of all, rising: squares of singular values
	least := len(sample) - topics
	if values[least] < 9*values[least-1] {
		t.Fatalf("eigenvalues are %v", values[least-2:])
	}
	projected := func(k int) []float64 {
		row := slices.Clone(u.RawRowView(k)[least:])
		for c := range row {
			row[c] *= math.Sqrt(values[least+c])
		}
		return row
	}
	worst := 0.0
	for a := range sample {
		for b := range sample {
			var dot, first, second float64
			p, q := projected(a), projected(b)
			for c := range p {
				dot, first, second = dot+p[c]*q[c], first+p[c]*p[c], second+q[c]*q[c]
			}
			worst = max(worst, math.Abs(l.Cosine(a, b)-dot/math.Sqrt(first*second)))
		}
	}
	if worst > 0.01 {
		t.Errorf("a cosine is off by %v", worst)
	}
}

// Texts of one topic are near to each other, and those of two are not. What has no words is near to nothing, and the cosines do not depend on the number of cores.
func TestLatentTellsTopics(t *testing.T) {
	const n, topics = 1200, 5
	texts, sample := drawTopics(n, topics, 12, 12), make([]int, n)
	for i := range sample {
		sample[i] = i
	}
	texts[7] = nil
	cosines := func(workers int) (list []float64) {
		pool := parallel.NewPoolOf(t.Context(), workers)
		l := NewLatent(pool, NewVectors(pool, texts, topicTerms, sample))
		for b := range 20 {
			list = append(list, l.Cosine(0, b), l.Cosine(b, 7))
		}
		return list
	}
	list := cosines(1)
	if other := cosines(3); !slices.Equal(list, other) {
		t.Errorf("%v, and by three cores %v", list, other)
	}
	for b := range 20 {
		if cosine := list[2*b]; math.Abs(list[0]-1) > 1e-12 || b != 7 && b%topics == 0 != (cosine > 0.3) {
			t.Errorf("text %d of topic %d is at %v of one of topic 0", b, b%topics, cosine)
		}
		if list[2*b+1] != 0 {
			t.Errorf("text %d is at %v of one without words", b, list[2*b+1])
		}
	}
}

// Of a few texts there are no directions, and nothing is told.
func TestLatentOfFew(t *testing.T) {
	for _, n := range []int{0, 1, 39, 40} {
		texts, sample := drawTexts(n), make([]int, n)
		for i := range sample {
			sample[i] = i
		}
		pool := parallel.NewPool(t.Context())
		l := NewLatent(pool, NewVectors(pool, texts, drawnTerms, sample))
		if few := n < 2*latentTexts; few != (l == nil) {
			t.Error(fmt.Sprint(n, " texts: ", l))
		}
	}
}

// The nearest texts are those that cosines and lengths say, nearest first, without the text itself and those that have no words.
func TestLatentNearest(t *testing.T) {
	const n = 300
	texts, sample := drawTopics(n, 5, 12, 12), make([]int, n)
	for i := range sample {
		sample[i] = i
	}
	texts[7] = nil
	pool := parallel.NewPool(t.Context())
	v := NewVectors(pool, texts, topicTerms, sample)
	l := NewLatent(pool, v)
	for j := range n {
		most := 1 + j%60
		var want []Neighbour
		for i := range n {
			length := v.Lengths[i]
			if near := l.Cosine(i, j) * length / math.Sqrt(length*length+20*20); i != j && near > 0 {
				want = append(want, Neighbour{int32(i), near})
			}
		}
		slices.SortStableFunc(want, func(a, b Neighbour) int { return cmp.Compare(b.Near, a.Near) })
		want = want[:min(len(want), most)]
		got := l.To(j, most)
		if len(got) != len(want) || j == 7 && len(got) > 0 {
			t.Fatalf("text %d has %d neighbours, want %d", j, len(got), len(want))
		}
		for at := range got {
			if got[at].Text != want[at].Text || math.Abs(got[at].Near-want[at].Near) > 1e-12 {
				t.Fatalf("text %d has %v, want %v", j, got[at], want[at])
			}
		}
	}
}
