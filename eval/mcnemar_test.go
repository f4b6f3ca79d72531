package eval

import (
	"math"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// p-values are statsmodels' mcnemar(exact=True).
func TestEvenOdds(t *testing.T) {
	for _, tc := range readCurves(t).McNemar {
		for _, got := range []float64{evenOdds(tc.First, tc.Second), evenOdds(tc.Second, tc.First)} {
			if math.Abs(got-tc.P) > 1e-10*tc.P {
				t.Errorf("%d against %d: p %v, want %v", tc.First, tc.Second, got, tc.P)
			}
		}
	}
	if p := evenOdds(2_000_000, 0); p != 0 {
		t.Errorf("2⁻²⁰⁰⁰⁰⁰⁰ is %v", p)
	}
}

// The p-value is in [0,1], falls as the difference grows, and is the binomial
// sum of its formula.
func TestEvenOddsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int64Range(0, 60).Draw(t, "a")
		b := rapid.Int64Range(0, 60).Draw(t, "b")
		want := 0.0
		for i := int64(0); i <= min(a, b); i++ {
			want += 2 * math.Exp(logFactorial(a+b)-logFactorial(i)-logFactorial(a+b-i)-float64(a+b)*math.Ln2)
		}
		if got := evenOdds(a, b); math.Abs(got-min(1, want)) > 1e-12 || got > 1 || got < 0 {
			t.Fatalf("%d against %d: %v, want %v", a, b, got, want)
		}
		if a >= b && a+b > 0 && evenOdds(a+1, b) > evenOdds(a, b) {
			t.Fatalf("%d against %d is less of a difference than %d against %d", a+1, b, a, b)
		}
	})
}

func TestCompareTallies(t *testing.T) {
	right := prediction([]float64{.9, .1})
	wrong := prediction([]float64{.1, .9})
	tally := func(list ...bayes.Prediction) *Tally {
		t := new(Tally)
		for _, p := range list {
			t.Observe(p, "0")
		}
		return t
	}
	a, b := tally(right, right, wrong, wrong, right), tally(wrong, right, wrong, right, wrong)
	got, err := CompareTallies(a, b)
	if want := (McNemar{2, 1, 1}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if m, err := CompareTallies(a, a); err != nil || m != (McNemar{0, 0, 1}) {
		t.Errorf("of itself: %+v, %v", m, err)
	}
	if _, err := CompareTallies(a, tally(right)); err == nil {
		t.Error("5 predictions and 1 are compared")
	}
	other := new(Tally)
	for range 5 {
		other.Observe(right, "1")
	}
	if _, err := CompareTallies(a, other); err == nil {
		t.Error("predictions of other documents are compared")
	}
	if _, err := CompareRight([]bool{true}, nil); err == nil {
		t.Error("one document and none are compared")
	}
}
