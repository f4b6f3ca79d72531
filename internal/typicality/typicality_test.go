package typicality

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type point struct{ X, Y float64 }

// A table gives the p-value of its definition, or more where it has no point of that rank, and at the rate
// that it is for the very decision.
func TestTableIsConservative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })), 1, 300).Draw(t, "scores")
		known := rapid.SampledFrom([]float64{0.5, 0.9, 0.95, 0.99}).Draw(t, "known")
		table := New[point](map[string][]float64{"a": slices.Clone(scores)}, 1-known)
		if err := table.Check(); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			a := rapid.OneOf(rapid.SampledFrom(scores), rapid.Float64Range(-4, 4)).Draw(t, "score")
			least := 1.0
			for _, v := range scores {
				if v <= a {
					least++
				}
			}
			exact, got := least/float64(len(scores)+1), table.P("a", a)
			if got < exact*(1-1e-6) || got > 1 {
				t.Fatalf("%v of %v: a p-value of %v, and it is %v", a, scores, got, exact)
			}
			// Scores are rounded by less than 1e-5.
			if b := a + math.Abs(a)*2e-5; Foreign(exact, known) && !Foreign(table.P("a", a-math.Abs(a)*2e-5), known) && !slices.ContainsFunc(scores, func(v float64) bool { return v >= a && v <= b }) {
				t.Fatalf("%v of %v has a p-value of %v, and is not foreign at %v", a, scores, exact, known)
			}
		}
	})
}

// Of documents like those held out, no more than the rate are foreign, in each class.
func TestRateHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{18, 19, 25, 400} {
		const times, each = 400, 50
		foreign := 0
		for range times {
			held := make([]float64, n)
			for i := range held {
				held[i] = rng.NormFloat64()
			}
			table := New[point](map[string][]float64{"a": held}, 1-0.95)
			for range each {
				if Foreign(table.P("a", rng.NormFloat64()), 0.95) {
					foreign++
				}
			}
		}
		rate := float64(foreign) / (times * each)
		want := math.Floor(float64(n+1)*0.05+1e-9) / float64(n+1)
		sd := math.Sqrt(want*(1-want)/float64(n)/times + want*(1-want)/times/each)
		if math.Abs(rate-want) > 5*sd {
			t.Errorf("of %d held out: %v are foreign, want %v ± %v", n, rate, want, sd)
		}
	}
}

// Small classes are pooled, and a class that nothing was given has their table.
func TestPool(t *testing.T) {
	scores := map[string][]float64{}
	for i := range 19 {
		scores["many"] = append(scores["many"], float64(i))
		scores[fmt.Sprint(i%10)] = append(scores[fmt.Sprint(i%10)], 100+float64(i))
	}
	table := New[point](scores, 1-0.95)
	if len(table) != 2 || table.P("many", -1) != 0.05 || table.P("many", 50) != 1 || table.P("3", 50) != 0.05 || table.P("new", 50) != 0.05 {
		t.Errorf("%v", table)
	}
	if few := New[point](map[string][]float64{"a": {1, 2}}, 1-0.95); Foreign(few.P("a", -100), 0.95) {
		t.Errorf("two documents show that one is foreign: %v", few)
	}
}

func TestWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := Table[point](rapid.MapOfN(rapid.String(), rapid.Custom(func(t *rapid.T) []point {
			return []point{{rapid.Float64Range(-1e3, 0).Draw(t, "x"), 0.25}, {rapid.Float64Range(1, 1e3).Draw(t, "x"), 0.5}}
		}), 0, 4).Draw(t, "table"))
		again := make(Table[point])
		for _, word := range table.Words() {
			if err := again.Add(word); err != nil {
				t.Fatalf("%q: %v", word, err)
			}
		}
		if !reflect.DeepEqual(again, table) {
			t.Fatalf("%v came back as %v", table, again)
		}
	})
	for _, word := range []string{"", "a", "a=", "a=1", "a=1:x", `"a=1:2`, "b=1:0.5"} {
		if err := (Table[point]{"b": nil}).Add(word); err == nil {
			t.Errorf("%q is a word", word)
		}
	}
}

func TestEvidence(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		scores []float64
		length float64
		known  int
		others int
		want   Evidence
	}{
		{[]float64{-10, -14, -12}, 2, 3, 1, Evidence{1.5, 0.25}},
		{[]float64{-10, -14}, 0, 0, 0, Evidence{4, 1}},
		{[]float64{-10}, 2, 2, 0, Evidence{0, 0}},
		{[]float64{-10, -inf}, 2, 2, 0, Evidence{farthest / 2, 0}},
		{[]float64{-inf, -inf}, 2, 2, 0, Evidence{0, 0}},
	} {
		if got := Of(c.scores, 0, c.length, c.known, c.others); got != c.want {
			t.Errorf("%v: %v, want %v", c.scores, got, c.want)
		}
	}
	held := []Evidence{{1, 0.1}, {3, 0.3}, {5, 0.2}}
	if w, want := Weight(held), math.Sqrt(8/0.02)/2; math.Abs(w-want) > 1e-9 {
		t.Errorf("weight %v, want %v", w, want)
	}
	if w := Weight(held[:1]); w != 1 {
		t.Errorf("weight %v of what does not vary", w)
	}
}
