package density

import (
	"math"
	"testing"

	"bayes/internal/intervals"
)

// A density is the mean of normal curves, and integrates to one.
func TestKernels(t *testing.T) {
	values := []intervals.Value{{V: 1, Weight: []float64{2, 0, 0}}, {V: 3, Weight: []float64{1, 1, 0}}, {V: 7, Weight: []float64{1, 0, 0}}}
	kernels := Kernels(values, []float64{4, 1, 0})
	width := (7. - 1) / 2 // the range over the root of the weight
	for _, v := range []float64{-5, 1, 2.5, 40} {
		var want float64
		for _, p := range values {
			d := (v - p.V) / width
			want += p.Weight[0] / 4 * math.Exp(-d*d/2) / (width * math.Sqrt(2*math.Pi))
		}
		if got := kernels[0].Log(v); math.Abs(got-math.Log(want)) > 1e-12*math.Abs(got) {
			t.Errorf("at %v: %v, want %v", v, got, math.Log(want))
		}
	}
	for k := range 2 {
		var sum float64
		for v := -60.; v < 80; v += 0.01 {
			sum += 0.01 * math.Exp(kernels[k].Log(v))
		}
		if math.Abs(sum-1) > 1e-3 {
			t.Errorf("class %d: the density integrates to %v", k, sum)
		}
	}
	if got := kernels[2].Log(1); got != 0 {
		t.Errorf("a class without values has %v", got)
	}
	if far := kernels[1].Log(1e6); math.IsInf(far, 0) {
		t.Errorf("far away: %v", far)
	}
}
