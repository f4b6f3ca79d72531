package eval

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// observed draws a Tally of up to 20 predictions over up to 4 classes.
func observed(t *rapid.T, name string) *Tally {
	tally := new(Tally)
	for range rapid.IntRange(0, 20).Draw(t, name) {
		proba := make([]float64, rapid.IntRange(1, 4).Draw(t, "classes"))
		for k := range proba {
			proba[k] = float64(rapid.IntRange(0, 8).Draw(t, "p")) / 8
		}
		tally.Observe(prediction(proba), strconv.Itoa(rapid.IntRange(0, 4).Draw(t, "label")))
	}
	return tally
}

// sumOf returns a new Tally to which each of tallies was added.
func sumOf(tallies ...*Tally) *Tally {
	sum := new(Tally)
	for _, t := range tallies {
		sum.Add(t)
	}
	return sum
}

// exact returns what is made of whole numbers alone, and the areas, which are
// made of them in an order that the scores fix.
func exact(t *Tally) []any {
	p, low, high := t.Accuracy()
	auc, ok := t.ROCAUC()
	all := []any{
		t.Documents(), t.Labels(), t.Confusion(), t.Classes(), p, low, high, t.BalancedAccuracy(),
		t.MacroF1(), t.MicroF1(), t.WeightedF1(), t.Matthews(), t.Kappa(), auc, ok,
	}
	for _, label := range t.Labels() {
		all = append(all, t.ROC(label), t.AveragePrecision(label))
	}
	return all
}

// a + b = b + a and (a + b) + c = a + (b + c), to the bit; b stays as it was.
func TestAddLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := observed(t, "a"), observed(t, "b"), observed(t, "c")
		before := exact(b)
		want := exact(sumOf(a, b, c))
		for name, got := range map[string]*Tally{
			"c + b + a":   sumOf(c, b, a),
			"b + a + c":   sumOf(b, a, c),
			"a + (b + c)": sumOf(a, sumOf(b, c)),
		} {
			if !reflect.DeepEqual(exact(got), want) {
				t.Fatalf("%s is %v, a + b + c is %v", name, exact(got), want)
			}
		}
		if !reflect.DeepEqual(exact(b), before) {
			t.Fatalf("b was %v, and is %v after it was added", before, exact(b))
		}
	})
}

// a + 0 = a, and a Tally can be added to itself.
func TestAddZeroAndSelf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := observed(t, "a")
		twice, same := exact(sumOf(a, a)), exact(sumOf(a, new(Tally)))
		if !reflect.DeepEqual(same, exact(a)) {
			t.Fatalf("a + 0 is %v, a is %v", same, exact(a))
		}
		a.Add(a)
		if !reflect.DeepEqual(exact(a), twice) {
			t.Fatalf("a added to itself is %v, a + a is %v", exact(a), twice)
		}
	})
}

// 0 ≤ low ≤ accuracy ≤ high ≤ 1, where all or none are right too: without care,
// none of one gives a low of -4.6e-17.
func TestAccuracyInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		right, wrong := rapid.IntRange(0, 60).Draw(t, "right"), rapid.IntRange(0, 60).Draw(t, "wrong")
		var tally Tally
		for range right {
			tally.Observe(prediction([]float64{.9, .1}), "0")
		}
		for range wrong {
			tally.Observe(prediction([]float64{.9, .1}), "1")
		}
		if p, low, high := tally.Accuracy(); !(0 <= low && low <= p && p <= high && high <= 1) {
			t.Fatalf("%d right, %d wrong: %v in [%v, %v]", right, wrong, p, low, high)
		}
	})
}

// The area under the curve is the share of pairs, one document of the class and
// one of the others, that are ranked rightly, ties half counted.
func TestAreaIsShareOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := observed(t, "a")
		for label, k := range a.index {
			var right, pairs float64
			for _, r := range a.rows {
				for _, s := range a.rows {
					if int(r.truth) != k || int(s.truth) == k {
						continue
					}
					pairs++
					if p, q := a.p(r, k), a.p(s, k); p > q {
						right++
					} else if p == q {
						right += .5
					}
				}
			}
			if got := area(a.ROC(label)); math.Abs(got-ratio(right, pairs)) > 1e-12 {
				t.Fatalf("the area of %s is %v, want %v of %v pairs", label, got, right, pairs)
			}
		}
	})
}

// A share, whatever it is, cuts the rows in two without loss.
func TestSplitIsPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 50).Draw(t, "n")
		share := rapid.SampledFrom([]float64{-1, 0, .01, .2, 1. / 3, .999, 1, 2, math.Inf(1), math.NaN()}).Draw(t, "share")
		train, test := SKLearnSplit(n, share, rapid.Uint32().Draw(t, "seed"))
		rows := slices.Sorted(slices.Values(slices.Concat(train, test)))
		for i := range n {
			if len(rows) != n || rows[i] != i {
				t.Fatalf("%d rows at %v: train %v, test %v", n, share, train, test)
			}
		}
	})
}

// What scikit-learn refuses to stratify is refused.
func TestStratifiedErrors(t *testing.T) {
	for _, tc := range []struct {
		name   string
		labels []string
		share  float64
	}{
		{"no rows", nil, .5},
		{"a class of one row", []string{"a", "a", "b"}, .5},
		{"fewer rows to test with than classes", []string{"a", "a", "b", "b"}, .2},
		{"fewer rows to train on than classes", []string{"a", "a", "b", "b"}, .7},
		{"a share that is no number", []string{"a", "a"}, math.NaN()},
		{"a share below zero", []string{"a", "a"}, -1},
		{"a share above one", []string{"a", "a"}, 2},
	} {
		if _, _, err := SKLearnStratifiedSplit(tc.labels, tc.share, 1); err == nil {
			t.Errorf("%s: split all the same", tc.name)
		}
	}
}
