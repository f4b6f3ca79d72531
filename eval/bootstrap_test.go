package eval

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// confused returns a Tally with a confusion matrix.
func confused(matrix [][]int64) *Tally {
	t := new(Tally)
	for i, row := range matrix {
		for j, n := range row {
			proba := make([]float64, len(row))
			proba[j] = 1
			for range n {
				t.Observe(prediction(proba), strconv.Itoa(i))
			}
		}
	}
	return t
}

// Intervals are those of NumPy from a hundred times as many draws. The quantile of
// 40,000 draws strays by less than 0.01 (of F1 with four documents, 0.03), and
// the accuracy's is that of the binomial distribution to one document.
func TestBootstrap(t *testing.T) {
	for _, tc := range readCurves(t).Bootstrap {
		tally := confused(tc.Confusion)
		got := tally.Bootstrap(&BootstrapOptions{Draws: 40000, Seed: 1})
		check := func(name string, got Interval, want [2]float64, within float64) {
			t.Helper()
			if math.Abs(got.Low-want[0]) > within || math.Abs(got.High-want[1]) > within {
				t.Errorf("%v: %s %v, want %v", tc.Confusion, name, got, want)
			}
			if got.Value < got.Low || got.Value > got.High {
				t.Errorf("%v: %s is not in its interval: %v", tc.Confusion, name, got)
			}
		}
		check("accuracy", got.Accuracy, tc.Accuracy, .01)
		check("accuracy", got.Accuracy, tc.AccuracyExact, 1.001/float64(tally.Documents()))
		check("balanced accuracy", got.BalancedAccuracy, tc.BalancedAccuracy, .01)
		check("macro F1", got.MacroF1, tc.MacroF1, .01)
		check("weighted F1", got.WeightedF1, tc.WeightedF1, .01)
		for k, interval := range got.F1 {
			check("F1 of "+strconv.Itoa(k), interval, tc.F1[k], .03)
			if interval.Value != tally.Classes()[k].F1 {
				t.Errorf("F1 of class %d is %v", k, interval.Value)
			}
		}
		if got.MacroF1.Value != tally.MacroF1() || got.BalancedAccuracy.Value != tally.BalancedAccuracy() || got.WeightedF1.Value != tally.WeightedF1() {
			t.Errorf("%+v are not the metrics", got)
		}
	}
}

// Equal seeds give equal intervals, others others, and a wider level contains a
// narrower one.
func TestBootstrapOptions(t *testing.T) {
	tally := confused([][]int64{{40, 9}, {7, 30}})
	if a, b := tally.Bootstrap(nil), tally.Bootstrap(&BootstrapOptions{Draws: 2000, Level: .95}); !reflect.DeepEqual(a, b) {
		t.Errorf("the zero options give %v and %v", a, b)
	}
	wide, narrow := tally.Bootstrap(&BootstrapOptions{Level: .99}), tally.Bootstrap(&BootstrapOptions{Level: .5})
	if wide.MacroF1.Low >= narrow.MacroF1.Low || wide.MacroF1.High <= narrow.MacroF1.High {
		t.Errorf("99 %% interval %v, 50 %% interval %v", wide.MacroF1, narrow.MacroF1)
	}
	if other := tally.Bootstrap(&BootstrapOptions{Draws: 200, Seed: 2}); reflect.DeepEqual(other, tally.Bootstrap(&BootstrapOptions{Draws: 200, Seed: 3})) {
		t.Error("the seed does not matter")
	}
	_, low, high := tally.Accuracy()
	if got := tally.Bootstrap(nil).Accuracy; math.Abs(got.Low-low) > .03 || math.Abs(got.High-high) > .03 {
		t.Errorf("bootstrap %v, Wilson %v to %v", got, low, high)
	}
	empty := new(Tally).Bootstrap(nil)
	if empty.Accuracy != (Interval{}) || empty.MacroF1 != (Interval{}) || empty.F1 == nil || len(empty.F1) != 0 {
		t.Errorf("intervals of nothing: %+v", empty)
	}
	all := confused([][]int64{{12}}).Bootstrap(nil)
	if one := (Interval{1, 1, 1}); all.Accuracy != one || all.MacroF1 != one {
		t.Errorf("intervals where all is right: %+v", all)
	}
}

// Drawn cells have as many documents together.
func TestResample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := make([]cell, rapid.IntRange(1, 9).Draw(t, "cells"))
		var n int64
		for i := range from {
			from[i].n = rapid.Int64Range(1, 30).Draw(t, "n")
			n += from[i].n
		}
		to := slices.Clone(from)
		resample(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), to, from)
		for _, c := range to {
			if n -= c.n; c.n < 0 {
				t.Fatalf("%v drawn from %v", to, from)
			}
		}
		if n != 0 {
			t.Fatalf("%v drawn from %v", to, from)
		}
	})
}

// Which classes are asked of changes nothing of the others.
func TestBootstrapOfSome(t *testing.T) {
	tally := confused([][]int64{{5, 1, 0}, {2, 7, 0}, {0, 0, 0}})
	all, some := tally.Bootstrap(nil), tally.Bootstrap(&BootstrapOptions{F1: func(label string) bool { return label == tally.Labels()[1] }})
	want := all
	want.F1 = []Interval{{}, all.F1[1], {}}
	if !reflect.DeepEqual(some, want) || all.F1[0] == (Interval{}) {
		t.Errorf("%+v, want %+v", some, want)
	}
}

// Draws are as frequent as the binomial distribution says: no count of 20,000 is
// more than five standard deviations off.
func TestBinomial(t *testing.T) {
	const draws = 20000
	rng := rand.New(rand.NewPCG(1, 0))
	for _, tc := range []struct {
		n int64
		p float64
	}{{1, .5}, {5, .02}, {10, .3}, {40, .97}, {1000, .5}, {100000, 1e-5}} {
		seen := make(map[int64]int)
		var sum float64
		for range draws {
			k := binomial(rng, tc.n, tc.p)
			if k < 0 || k > tc.n {
				t.Fatalf("%d of %d", k, tc.n)
			}
			seen[k]++
			sum += float64(k)
		}
		mean, sd := float64(tc.n)*tc.p, math.Sqrt(float64(tc.n)*tc.p*(1-tc.p))
		if math.Abs(sum/draws-mean) > 5*sd/math.Sqrt(draws) {
			t.Errorf("n %d, p %v: mean %v", tc.n, tc.p, sum/draws)
		}
		for k := range min(tc.n, 2000) + 1 {
			p := binomialP(tc.n, k, tc.p)
			if off := math.Abs(float64(seen[k]) - draws*p); off > 5*math.Sqrt(draws*p)+1 {
				t.Errorf("n %d, p %v: %d came %d times, want %.1f", tc.n, tc.p, k, seen[k], draws*p)
			}
		}
	}
	for _, tc := range [][2]float64{{0, .5}, {7, 0}, {7, 1}} {
		if got, want := binomial(rng, int64(tc[0]), tc[1]), int64(tc[0]*tc[1]); got != want {
			t.Errorf("%v: %d", tc, got)
		}
	}
}
