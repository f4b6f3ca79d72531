package nearest

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bayes/internal/parallel"
)

const drawnTerms = 200

// drawTexts returns texts of words, of which few are in many.
func drawTexts(n int) [][]Entry {
	random, texts := rand.New(rand.NewPCG(1, 2)), make([][]Entry, n)
	for i := range texts {
		counts := make(map[int32]float64)
		for range 30 {
			counts[int32(drawnTerms*math.Pow(random.Float64(), 3))]++
		}
		for _, id := range slices.Sorted(maps.Keys(counts)) {
			texts[i] = append(texts[i], Entry{id, counts[id]})
		}
	}
	return texts
}

// The nearest texts, of those in the sample, are those that the definition says, also of a text that is not in it, and of one none of whose words weighs anything.
func TestNearest(t *testing.T) {
	const n = 260
	texts := drawTexts(n)
	texts[3] = nil
	for _, size := range []int{200, 30, 2, 1, 0} {
		sample := make([]int, size)
		for i := range sample {
			sample[i] = n - 1 - i
		}
		v := NewVectors(parallel.NewPool(t.Context()), texts, drawnTerms, sample)
		weights := definedWeights(texts, sample)
		sums := make([]float64, size)
		for j := range n {
			most := 1 + j%60
			var want []float64
			for _, i := range sample {
				if near := definedNear(weights[i], weights[j]); i != j && near > 0 {
					want = append(want, near)
				}
			}
			slices.Sort(want)
			slices.Reverse(want)
			want = want[:min(len(want), most)]
			got := v.To(j, most, sums)
			if len(got) != len(want) {
				t.Fatalf("sample of %d: text %d has %d neighbours, want %d", size, j, len(got), len(want))
			}
			for at, of := range got {
				if defined := definedNear(weights[sample[of.Text]], weights[j]); math.Abs(of.Near-want[at]) > 1e-12 || math.Abs(of.Near-defined) > 1e-12 {
					t.Fatalf("sample of %d: text %d has text %d at %v, want %v; the definition has %v", size, j, sample[of.Text], of.Near, want[at], defined)
				}
			}
			if slices.ContainsFunc(sums, func(v float64) bool { return v != 0 }) {
				t.Fatal("sums are not 0 afterwards")
			}
		}
	}
}

// definedWeights returns the weights of terms, by text.
func definedWeights(texts [][]Entry, sample []int) []map[int32]float64 {
	have := make(map[int32]float64)
	for _, i := range sample {
		for _, e := range texts[i] {
			have[e.ID]++
		}
	}
	weights, all := make([]map[int32]float64, len(texts)), float64(len(sample))
	for i, terms := range texts {
		weights[i] = make(map[int32]float64)
		for _, e := range terms {
			if n := have[e.ID]; n > 1 && n <= max(10, all/10) && n < all {
				weights[i][e.ID] = math.Log(1+e.Value) * math.Log(all/n)
			}
		}
	}
	return weights
}

// definedNear returns how near a text is to another, by their weights: the cosine times what the length of the first takes away.
func definedNear(i, j map[int32]float64) float64 {
	var product, a, b float64
	for t, w := range i {
		product += w * j[t]
		a += w * w
	}
	for _, w := range j {
		b += w * w
	}
	if product == 0 {
		return 0
	}
	return product / math.Sqrt(b) / math.Hypot(math.Sqrt(a), ShortLength)
}

// Of the neighbours of each text those remain that have it among their own.
func TestMutual(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	lists, before := make([][]Neighbour, 60), make([][]Neighbour, 60)
	for n := range lists {
		for _, other := range random.Perm(len(lists))[:15] {
			if other != n {
				lists[n] = append(lists[n], Neighbour{int32(other), random.Float64()})
			}
		}
		before[n] = slices.Clone(lists[n])
	}
	Mutual(lists)
	dropped := 0
	for n, list := range before {
		var want []Neighbour
		for _, near := range list {
			if slices.ContainsFunc(before[near.Text], func(x Neighbour) bool { return int(x.Text) == n }) {
				want = append(want, near)
			}
		}
		if !slices.Equal(lists[n], want) {
			t.Errorf("%d: %v, want %v", n, lists[n], want)
		}
		dropped += len(list) - len(want)
	}
	if dropped < 60 {
		t.Errorf("%d are dropped", dropped)
	}
}

// Another measure leaves out what it has nothing above 0 for, and hears of texts that share no term, too.
func TestToBy(t *testing.T) {
	texts, terms := drawLatent(90, 6, rand.New(rand.NewPCG(9, 1)))
	var sample []int
	for i := 89; i >= 10; i-- {
		sample = append(sample, i)
	}
	v := NewVectors(parallel.NewPool(t.Context()), texts, terms, sample)
	sums := make([]float64, len(sample))
	measure := func(i int, cosine, _ float64) float64 { return cosine + float64(i%5-1)/100 }
	without := 0
	for j := range texts {
		cosines := make([]float64, len(sample))
		for _, x := range v.To(j, len(sample), sums) {
			cosines[x.Text] = x.Near
		}
		var want []Neighbour
		for i, cosine := range cosines {
			if near := measure(i, cosine, 0); sample[i] != j && near > 0 {
				want = append(want, Neighbour{int32(i), near})
			}
		}
		slices.SortStableFunc(want, func(a, b Neighbour) int { return cmp.Compare(b.Near, a.Near) })
		for _, x := range want[:20] {
			if cosines[x.Text] == 0 {
				without++
			}
		}
		if got := v.ToBy(j, 20, sums, measure); !slices.Equal(got, want[:20]) {
			t.Fatalf("text %d: %v, want %v", j, got, want[:20])
		}
		if slices.ContainsFunc(sums, func(v float64) bool { return v != 0 }) {
			t.Fatal("sums are not 0 afterwards")
		}
	}
	if without == 0 {
		t.Error("no text that shares no term is near")
	}
}
