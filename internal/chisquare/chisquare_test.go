package chisquare_test

import (
	"math"
	"testing"

	"bayes/internal/chisquare"

	"gonum.org/v1/gonum/stat/distuv"
)

// The tails are gonum's where those have digits, and go on where they have none.
func TestLogTails(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 16, 17, 100, 1000, 5000} {
		d := distuv.Gamma{Alpha: float64(n), Beta: 1}
		for _, r := range []float64{0, 1e-3, 0.1, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 2, 10, 1000} {
			x := r * float64(n)
			below, above := chisquare.LogTails(x, n)
			if got := math.Exp(below) + math.Exp(above); math.Abs(got-1) > 1e-14 {
				t.Errorf("%d, %v: tails sum to %v", n, x, got)
			}
			if want := d.CDF(x); math.Abs(math.Exp(below)-want) > 1e-11 {
				t.Errorf("%d, %v: %v, want %v", n, x, math.Exp(below), want)
			}
		}
	}
	if below, above := chisquare.LogTails(1e4, 1); below != 0 || above != -1e4 {
		t.Error(below, above)
	}
	// P(X <= 2x) is near x^n/n! for a small x.
	if below, _ := chisquare.LogTails(1e-10, 20); math.Abs(below-(20*math.Log(1e-10)-42.335616460753485)) > 1e-9 {
		t.Error(below)
	}
	if below, above := chisquare.LogTails(math.Inf(1), 3); below != 0 || !math.IsInf(above, -1) {
		t.Error(below, above)
	}
	if got := chisquare.LogSum(math.Inf(-1), math.Inf(-1)); !math.IsInf(got, -1) {
		t.Error(got)
	}
	if got := chisquare.LogSum(math.Log(2), math.Log(3)); math.Abs(got-math.Log(5)) > 1e-15 {
		t.Error(got)
	}
}
