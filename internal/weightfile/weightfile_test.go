package weightfile

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"bayes/internal/intern"

	"pgregory.net/rapid"
)

// table returns the bytes of the weights and the index of n terms of two classes.
func table(n, bits int) (weights, index []byte, terms [][]byte, rows []float64) {
	for i := range n {
		terms = append(terms, fmt.Appendf(nil, "term%d", i))
	}
	slices.SortFunc(terms, bytes.Compare)
	for i := range n {
		rows = append(rows, float64(i)/8, -float64(i)/8)
	}
	return appendWeights(nil, rows, 2, bits), AppendIndex(nil, terms), terms, rows
}

func TestTable(t *testing.T) {
	for _, bits := range []int{8, 32} {
		for _, n := range []int{0, 1, 2, 3, 100, 1000} {
			weights, index, terms, rows := table(n, bits)
			x := New(2, n)
			for _, err := range []error{x.setWeights(weights), x.SetIndex(index), x.CheckWeights(), x.CheckIndex()} {
				if err != nil {
					t.Fatalf("%d terms of %d bits: %v", n, bits, err)
				}
			}
			for i, term := range terms {
				number, ok := x.Find(Hash(term), term)
				if !ok || number != i {
					t.Fatalf("%q has number %d (%v), want %d", term, number, ok, i)
				}
				sums := []float64{1, 1}
				x.AddRow(sums, number, 2)
				step := float64(n) / 8 / 255
				for k := range sums {
					if want := 1 + 2*rows[2*i+k]; math.Abs(sums[k]-want) > float64(32/bits-1)*step {
						t.Errorf("%q of class %d: %v, want %v", term, k, sums[k], want)
					}
				}
			}
			if _, ok := x.Find(Hash([]byte("none")), []byte("none")); ok {
				t.Error("a term is there that is not")
			}
		}
	}
}

// Whatever the bytes are, a search ends, and no row is out of bounds.
func TestDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "terms")
		bits := rapid.SampledFrom([]int{8, 32}).Draw(t, "bits")
		weights, index, terms, _ := table(n, bits)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			for _, b := range [][]byte{weights[1:], index[8:]} {
				b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		x := New(2, n)
		if x.setWeights(weights) != nil || x.SetIndex(index) != nil {
			return
		}
		x.CheckWeights()
		x.CheckIndex()
		var hashes []uint64
		for _, term := range append(terms, []byte("none"), nil)[:min(n+2, intern.Batch)] {
			hashes = append(hashes, Hash(term))
			if number, ok := x.Find(Hash(term), term); ok {
				x.AddRow(make([]float64, 2), number, 1)
			}
		}
		x.Prefetch(hashes)
	})
}

// Sizes that do not fit are refused, and numbers that are none.
func TestSizes(t *testing.T) {
	weights, index, _, _ := table(3, 8)
	gains, classes := someGains(32)
	for what, err := range map[string]error{
		"too few weights":     New(2, 3).setWeights(weights[:len(weights)-1]),
		"weights of no size":  New(2, 3).setWeights(nil),
		"more terms":          New(2, 1<<61).SetIndex(index),
		"fewer than no terms": New(2, -1).SetIndex(index),
		"gains of fewer":      New(classes, -1).setGains(gains),
		"no slots":            New(2, 3).SetIndex(make([]byte, 64)),
		"a short index":       New(2, 3).SetIndex(index[:7]),
		"a step that is none": New(2, 3).setWeights(append(append([]byte{8}, AppendFloats(nil, []float64{0, 0, math.NaN(), 1})...), make([]byte, 6)...)),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
