package svm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The best factor has no more loss than others, and is found again when the scores are stretched.
func TestBestFactor(t *testing.T) {
	for _, classes := range []int{2, 3} {
		r := rand.New(rand.NewPCG(5, uint64(classes)))
		p, scores := &Problem{Classes: classes}, []float32{}
		for range 3000 {
			class := r.IntN(classes)
			p.Class = append(p.Class, int32(class))
			for k := range classes {
				v := r.NormFloat64()
				if k == class {
					v++
				}
				scores = append(scores, float32(v))
			}
		}
		best := BestFactor(p, scores, 1e-4, 100)
		for _, times := range []float64{0.5, 0.8, 1.25, 2} {
			if p.baseLoss(scores, best*times) < p.baseLoss(scores, best) {
				t.Errorf("%d classes: %v times the factor %v has less loss", classes, times, best)
			}
		}
		for i := range scores {
			scores[i] *= 10
		}
		if again := BestFactor(p, scores, 1e-4, 100) * 10; math.Abs(again-best) > 0.02*best {
			t.Errorf("%d classes: factor %v of scores ten times as large, want a tenth of %v", classes, again/10, best)
		}
	}
}

// Offsets are those of the machines.
func TestOffsets(t *testing.T) {
	if got := Offsets([]float32{1, 4, -2, 2}, 2, 0.5); len(got) != 2 || got[0] != 1.5 || got[1] != 2 {
		t.Errorf("two classes: %v", got)
	}
	if got := Offsets([]float32{1, 4, -2}, 3, 2); len(got) != 3 || got[0] != 2 || got[1] != 8 || got[2] != -4 {
		t.Errorf("three classes: %v", got)
	}
}
