package bayes

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bayes/text"

	"pgregory.net/rapid"
)

// Counters that learn examples, plain ones and others, together count what Counts.Learn
// does, whatever the n-grams.
func TestCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &text.Analyzer{NGrams: rapid.SampledFrom([][2]int{{1, 1}, {1, 2}, {2, 2}, {1, 3}, {3, 3}}).Draw(t, "lengths")}
		s := &Space{Analyzer: a, Binary: rapid.Bool().Draw(t, "binary"), SubwordWeight: rapid.SampledFrom([]float64{0, 1, 0.5}).Draw(t, "subword weight")}
		if rapid.IntRange(0, 3).Draw(t, "subwords") == 0 {
			a.Subwords = [2]int{2, 3}
		}
		want := NewCounts(s)
		counters := make([]*counter, rapid.IntRange(1, 3).Draw(t, "counters"))
		for i := range counters {
			counters[i] = newCounter(NewCounts(s))
			counters[i].shareNGrams(counters[0])
		}
		for range rapid.IntRange(0, 8).Draw(t, "examples") {
			ex := Example{
				Label:  rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label"),
				Text:   rapid.StringMatching(`([ab]{1,2} ){0,6}`).Draw(t, "text"),
				Weight: rapid.SampledFrom([]float64{0, 1, 1, 2}).Draw(t, "weight"),
			}
			rapid.SampledFrom(counters).Draw(t, "counter").learnAll([]Example{ex})
			want.Learn(ex)
		}
		got, err := mergeCounters(counters)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Equal(want) {
			t.Fatal("the counters count otherwise than Counts.Learn")
		}
		for _, f := range []string{"a", "ab b", "a a a"} { // found by their bytes
			for _, k := range want.Classes() {
				if got.At(k, f) != want.At(k, f) {
					t.Fatalf("%s of %s: %v, want %v", f, k, got.At(k, f), want.At(k, f))
				}
			}
		}
	})
}

// Workers that share n-grams, and make room for more of them while others look theirs up,
// count what one does, and put them in order; also where some go on by bytes, as they do from an example on that
// is not plain.
func TestCountSharesNGrams(t *testing.T) {
	for _, plain := range []bool{true, false} {
		r := rand.New(rand.NewPCG(1, 2))
		var examples []Example
		for i := range 1500 {
			words := make([]string, r.IntN(80))
			if i%300 == 0 {
				words = make([]string, 6000) // of which more n-grams come than there is room for
			}
			for j := range words {
				words[j] = fmt.Sprint("w", r.IntN(1+r.IntN(300)))
			}
			ex := Example{Label: fmt.Sprint(r.IntN(5)), Text: strings.Join(words, " ")}
			if !plain && i%500 == 250 {
				ex.Weight = 2
			}
			examples = append(examples, ex)
		}
		s := &Space{Analyzer: &text.Analyzer{NGrams: [2]int{1, 3}}}
		want := NewCounts(s)
		for _, ex := range examples {
			want.Learn(ex)
		}
		for _, workers := range []int{1, 2, 8} {
			got, err := Count(t.Context(), s, func(yield func(Example, error) bool) {
				for _, ex := range examples {
					if !yield(ex, nil) {
						return
					}
				}
			}, &CountOptions{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(want) {
				t.Errorf("plain %v: %d workers count otherwise than Counts.Learn", plain, workers)
			}
			index := &got.blocks[0].table.Index
			for i := 1; plain && i < index.Len(); i++ {
				if bytes.Compare(index.Bytes(i-1), index.Bytes(i)) >= 0 {
					t.Fatalf("%d workers: %q stands before %q", workers, index.Bytes(i-1), index.Bytes(i))
				}
			}
		}
	}
}

// Count tells how many features there are as it goes on, by the fast counter and without it.
func TestCountTellsFeatures(t *testing.T) {
	for _, s := range []*Space{nil, {Norm: "l2"}, {Analyzer: &text.Analyzer{NGrams: [2]int{1, 2}}}} {
		for _, workers := range []int{1, 2} {
			var told []int
			c, err := Count(t.Context(), s, func(yield func(Example, error) bool) {
				for i := range 5000 {
					if !yield(Example{Label: "a", Text: fmt.Sprintf("common word%d", i)}, nil) {
						return
					}
				}
			}, &CountOptions{Workers: workers, Features: func(n int) { told = append(told, n) }})
			if err != nil {
				t.Fatal(err)
			}
			if last := told[len(told)-1]; workers == 1 && last != c.Len() || last > c.Len() {
				t.Errorf("%v, %d workers: told of %d features at last, of %d", s, workers, last, c.Len())
			}
			if !slices.IsSorted(told) || len(told) < 5 {
				t.Errorf("%v, %d workers: told of %d features", s, workers, told)
			}
		}
	}
}
