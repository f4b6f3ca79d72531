package sparse

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"bayes/internal/intern"
)

// Scores are the sums that the formula gives, whether classes are few or many, rows are read for the
// first time or were kept, and whoever reads them at the same time: run it with -race.
func TestGains(t *testing.T) {
	for _, classes := range []int{1, 2, 3, fewClasses, fewClasses + 1, 40} {
		for _, rows := range []int{1, rowsOfPage + 1, 300 * rowsOfPage} { // the last is read in full once much of it was
			w := someWeights(rows, classes)
			for _, infinite := range []bool{false, true} {
				unseen := func(i int) float64 {
					if infinite && i%3 == 0 && classes <= fewClasses { // where classes are many, the caller adds those
						return math.Inf(-1)
					}
					return -float64(i%5 + 1)
				}
				w.Gains = func(gains []float64, i int, row []Cell) float64 {
					for j := range row {
						gains[j] = row[j].Sum
					}
					return unseen(i)
				}
				checkGains(t, w, unseen)
			}
		}
	}
}

// someWeights returns weights of random cells, without what sets gains.
func someWeights(rows, classes int) Weights {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(classes)))
	list := make([][]Cell, rows)
	for i := range list {
		for k := range classes {
			if rng.IntN(3) == 0 {
				list[i] = append(list[i], Cell{Class: int32(k), Moments: Moments{Sum: float64(1 + rng.IntN(9))}})
			}
		}
	}
	r := RowsOf(list)
	w := Weights{Rows: &r, Position: rng.Perm(classes)}
	for k := range classes {
		w.Bias, w.Scale = append(w.Bias, -float64(k)), append(w.Scale, float64(1+k%2))
	}
	return w
}

// checkGains has many goroutines score random features.
func checkGains(t *testing.T, w Weights, unseen func(i int) float64) {
	g := NewGains(w)
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			b := new(Batch)
			for range 200 {
				n := 1 + rng.IntN(intern.Batch)
				scores, want := make([]float64, len(w.Bias)), make([]float64, len(w.Bias))
				for j := range n {
					b.Values[j], b.Numbers[j] = float64(1+rng.IntN(3)), int32(rng.IntN(w.Rows.Len()+1)-1)
					if b.Numbers[j] >= 0 {
						w.addTo(want, int(b.Numbers[j]), b.Values[j], unseen(int(b.Numbers[j])))
					}
				}
				sum, rest := g.Add(scores, b, n)
				for k := range scores {
					if scores[k] += sum*w.Bias[k] + rest*w.Scale[k]; scores[k] != want[k] { // all are small whole numbers
						t.Errorf("%d rows, %d classes: class %d has %v, want %v", w.Rows.Len(), len(w.Bias), k, scores[k], want[k])
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if many := 256 * rowsOfPage; len(w.Bias) <= fewClasses && (g.flat.Load() != nil) != (w.Rows.Len() > many) {
		t.Errorf("%d rows of %d classes are one list: %v", w.Rows.Len(), len(w.Bias), g.flat.Load() != nil)
	}
}

// addTo adds what a feature adds by the formula.
func (w *Weights) addTo(scores []float64, i int, value, unseen float64) {
	gains := make(map[int]float64)
	for _, c := range w.Rows.At(i) {
		gains[w.Position[c.Class]] = c.Sum
	}
	for k := range scores {
		gain, ok := gains[k]
		if ok {
			scores[k] += value * (w.Scale[k]*Finite(unseen) + w.Bias[k] + gain)
		} else {
			scores[k] += value * (w.Scale[k]*unseen + w.Bias[k])
		}
	}
}
