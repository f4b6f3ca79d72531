package sparse

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"bayes/internal/intern"
	"bayes/internal/tfidf"
)

// subwords is what a subword counts.
const subwords = 0.25

// Scores are the sums that the formula gives, over the lengths of words and of subwords, whether classes
// are few or many, and rows read for the first time or kept.
func TestScaled(t *testing.T) {
	for _, classes := range []int{1, 2, 3, fewClasses, fewClasses + 1, 40} {
		for _, rows := range []int{1, rowsOfPage + 1, 300 * rowsOfPage} {
			for _, trust := range []float64{0, 0.5} {
				w := someWeights(rows, classes)
				w.Gains = func(gains []float64, i int, row []Cell) float64 {
					for j := range row {
						gains[j] = row[j].Sum
					}
					return -float64(i%5 + 1)
				}
				plain := w
				w.Scaling = &Scaling{Subwords: subwords, Of: func(i int) float64 { return []float64{1.5, -2, 3}[i%3] }, Extra: func(weights []float64, i int) {
					for k := i % 3; k < classes; k += 1 + i%7 {
						weights[k] += float64(i % 11)
					}
				}}
				w.Trust(trust)
				g := NewGains(w)
				var wg sync.WaitGroup
				for seed := range uint64(4) {
					wg.Go(func() { checkScaled(t, g, &plain, trust, rand.New(rand.NewPCG(seed, 1))) })
				}
				wg.Wait()
			}
		}
	}
}

// checkScaled scores documents of random features.
func checkScaled(t *testing.T, g *Gains, plain *Weights, trust float64, rng *rand.Rand) {
	var b Batch
	for range 100 {
		want, lengths := make([]float64, g.classes), tfidf.Lengths{Weight: subwords}
		type value struct {
			row int
			v   float64
		}
		var values []value
		b.Sums.Reset(g.classes)
		for range 1 + rng.IntN(3) {
			n := 1 + rng.IntN(intern.Batch)
			for j := range n {
				b.Values[j], b.Numbers[j] = float64(rng.IntN(9))/2, int32(rng.IntN(g.Rows.Len()+1)-1)
				if i := int(b.Numbers[j]); i >= 0 {
					values = append(values, value{i, lengths.Add(b.Values[j], g.Scaling.Of(i))})
				}
			}
			g.Add(nil, &b, n)
		}
		size := 1.0
		for _, f := range values {
			x, weights := lengths.Divide(f.v, g.Scaling.Of(f.row)), make([]float64, g.classes)
			plain.addTo(weights, f.row, trust, -float64(f.row%5+1))
			g.Scaling.Extra(weights, f.row)
			for k := range want {
				want[k] += x * weights[k]
				size += math.Abs(x * weights[k])
			}
		}
		scores := make([]float64, g.classes)
		b.Sums.AddTo(scores, g.AddEach)
		for k := range scores {
			if !b.Sums.Finite() || math.Abs(scores[k]-want[k]) > 1e-14*size {
				t.Errorf("%d rows, trust %v: class %d of %d has %v, want %v", g.Rows.Len(), trust, k, g.classes, scores[k], want[k])
				return
			}
		}
	}
}
