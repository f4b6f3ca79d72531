package nearest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bayes/internal/parallel"

	"gonum.org/v1/gonum/mat"
)

// drawLatent returns texts of some topics, each with thirty terms of its own, of which a text has eight, beside four of all; and how many terms there are.
func drawLatent(n, topics int, random *rand.Rand) (texts [][]Entry, terms int) {
	terms = 30*topics + 200
	for i := range n {
		counts := make(map[int32]float64)
		for range 8 {
			counts[int32(i%topics*30+random.IntN(30))]++
		}
		for range 4 {
			counts[int32(30*topics+random.IntN(200))]++
		}
		var list []Entry
		for t := range int32(terms) {
			if counts[t] > 0 {
				list = append(list, Entry{t, counts[t]})
			}
		}
		texts = append(texts, list)
	}
	return texts, terms
}

// latentOf returns the vectors of a sample, and what its texts are about.
func latentOf(t *testing.T, texts [][]Entry, terms int, sample []int) (*Vectors, Latent) {
	t.Helper()
	pool := parallel.NewPool(t.Context())
	v := NewVectors(pool, texts, terms, sample)
	l := v.Latent(pool)
	if err := pool.Wait(); err != nil {
		t.Fatal(err)
	}
	return v, l
}

func every(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// exact returns the cosines of the vectors of all texts in the directions of the largest singular values.
func exact(v *Vectors, terms, directions int) func(i, j int) float64 {
	a := mat.NewDense(len(v.sample), terms, nil)
	for i, list := range v.terms {
		for _, e := range list {
			if w := v.weight(e); w > 0 {
				a.Set(i, int(e.ID), w/v.Lengths[i])
			}
		}
	}
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	values := svd.Values(nil)
	var u mat.Dense
	svd.UTo(&u)
	return func(i, j int) float64 {
		var ij, ii, jj float64
		for d := range min(directions, len(values)) {
			x, y := u.At(i, d)*values[d], u.At(j, d)*values[d]
			ij, ii, jj = ij+x*y, ii+x*x, jj+y*y
		}
		return ij / math.Sqrt(ii*jj)
	}
}

// Few texts are about what they say, and of many the first directions are kept, as a singular value decomposition has them, but for the last, which are of topics by chance.
func TestLatent(t *testing.T) {
	for _, c := range []struct {
		texts, topics int
		most, mean    float64 // by how much a cosine may be wrong
	}{{40, 5, 1e-9, 1e-9}, {1, 1, 0, 0}, {600, 40, .4, .05}} {
		texts, terms := drawLatent(c.texts, c.topics, rand.New(rand.NewPCG(1, 2)))
		v, l := latentOf(t, texts, terms, every(c.texts))
		want := exact(v, terms, latentDirections)
		var sum, pairs float64
		for i := range texts {
			for j := range i {
				wrong := math.Abs(l.Cosine(i, j) - want(i, j))
				if !(wrong <= c.most) {
					t.Errorf("%d texts: %d and %d have %v, want %v", c.texts, i, j, l.Cosine(i, j), want(i, j))
				}
				sum, pairs = sum+wrong, pairs+1
			}
		}
		if !(sum <= c.mean*pairs) {
			t.Errorf("%d texts: cosines are wrong by %v in the mean", c.texts, sum/pairs)
		}
	}
}

// Texts that share no term are near if others have the terms of both.
func TestLatentTellsTopics(t *testing.T) {
	texts, terms := drawLatent(1200, 20, rand.New(rand.NewPCG(3, 4)))
	v, l := latentOf(t, texts, terms, every(len(texts)))
	var same, others, pairs float64
	sums := make([]float64, len(texts))
	for j := range 20 {
		v.add(j, sums)
		for i, words := range sums {
			if sums[i] = 0; words > 0 || i == j {
				continue
			}
			if i%20 == j%20 {
				same, pairs = same+l.Cosine(i, j), pairs+1
			} else {
				others += l.Cosine(i, j)
			}
		}
	}
	if others /= 20*1200 - pairs; pairs < 20 || !(same/pairs >= .5) || !(math.Abs(others) <= .1) {
		t.Errorf("%v pairs of a topic that share no term have %v, those of two %v", pairs, same/pairs, others)
	}
}

// What says nothing is near nothing: texts without a term of weight, and a sample of none; and texts that are all the same.
func TestLatentOfNothing(t *testing.T) {
	texts, terms := drawLatent(120, 3, rand.New(rand.NewPCG(5, 6)))
	texts[7], texts[9] = nil, []Entry{{int32(terms), 1}} // of which one text has the only term
	texts[8] = nil                                       // and values whose squares are 0
	for _, e := range texts[11] {
		texts[8] = append(texts[8], Entry{e.ID, 1e-200})
	}
	_, l := latentOf(t, texts, terms+1, every(len(texts)))
	for i := range texts {
		for j, want := range map[int]float64{i: 1, 7: 0, 8: 0, 9: 0} {
			if i >= 7 && i <= 9 {
				want = 0
			}
			if got := l.Cosine(i, j); !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%d and %d: %v, want %v", i, j, got, want)
			}
		}
	}
	for i := range texts {
		texts[i] = texts[i%20+20]
	}
	_, l = latentOf(t, texts, terms+1, every(len(texts)))
	if a, b := l.Cosine(0, 20), l.Cosine(0, 1); !(math.Abs(a-1) <= 1e-9) || !(b < .9) {
		t.Errorf("the same text %v, another %v", a, b)
	}
	if _, l = latentOf(t, texts, terms+1, nil); len(l) != 0 {
		t.Errorf("%d texts of none", len(l))
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	pool := parallel.NewPool(ctx)
	NewVectors(pool, texts, terms+1, every(len(texts))).Latent(pool)
	if pool.Wait() == nil {
		t.Error("no error of a pool that was stopped")
	}
}

// Of more topics than there are directions some are left out, and their texts are near none, rather than near what is as little of them.
func TestLatentLeavesOut(t *testing.T) {
	var texts [][]Entry
	random := rand.New(rand.NewPCG(7, 8))
	for i := range 60 * 20 {
		var list []Entry
		for n, at := range random.Perm(12)[:6] {
			list = append(list, Entry{int32(i%60*12 + at), float64(1 + n%2)})
		}
		texts = append(texts, list)
	}
	const pairs = 30 // of texts that share terms with each other alone
	for i := range 2 * pairs {
		texts = append(texts, []Entry{{int32(720 + i/2*2), 1}, {int32(721 + i/2*2), 1}})
	}
	_, l := latentOf(t, texts, 720+2*pairs, every(len(texts)))
	for i := 1200; i < len(texts); i++ {
		for j := range 1200 {
			if got := l.Cosine(i, j); !(math.Abs(got) <= .01) {
				t.Fatalf("%d and %d, which nothing connects, have %v", i, j, got)
			}
		}
	}
}
