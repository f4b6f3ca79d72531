package calibration

import (
	"math"
	"testing"
)

func TestLogOdds(t *testing.T) {
	for _, tc := range []struct {
		logP []float64
		want float64
	}{
		{[]float64{math.Log(0.25), math.Log(0.75)}, math.Log(3)},
		{[]float64{math.Log(0.5), math.Log(0.25), math.Log(0.25)}, 0},
		{[]float64{-1000, 0}, 1000}, // where 1-P is no longer a float64
		{[]float64{0}, math.Inf(1)},
		{[]float64{0, math.Inf(-1)}, math.Inf(1)},
	} {
		if got := LogOdds(tc.logP); got != tc.want && math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", tc.logP, got, tc.want)
		}
	}
}
