package cli

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Each class has its share of the rows to test with, rounded up or down, and all of them are
// the share of the file.
func TestSplitShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 4), strconv.Itoa), 2, 60).Draw(t, "labels")
		s := splitter{test: rapid.Float64Range(.01, .99).Draw(t, "share"), seed: rapid.Uint32().Draw(t, "seed"), stratify: true}
		inTest, err := s.choose(labels)
		if err != nil {
			t.Fatal(err)
		}
		all, tests := map[string]int{}, map[string]int{}
		for i, label := range labels {
			all[label]++
			if inTest[i] {
				tests[label]++
			}
		}
		n, of := 0, len(labels)
		for _, k := range tests {
			n += k
		}
		if want := int(s.test*float64(of) + .5); n != min(max(want, 1), of-1) {
			t.Fatalf("%d of %d rows, want %d", n, of, want)
		}
		for label, size := range all {
			if k := tests[label]; k < size*n/of || k > (size*n+of-1)/of {
				t.Fatalf("class %s: %d of %d rows, where %d of %d are taken of all", label, k, size, n, of)
			}
		}
		again, err := s.choose(labels)
		if err != nil || !slices.Equal(inTest, again) {
			t.Fatalf("a seed picks other rows: %v", err)
		}
	})
}
