package weightfile

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawRows returns Rows of some terms, and their weights by term, then by class.
func drawRows(t *rapid.T, classes, terms int, scaled bool) (r *Rows, weights []float64) {
	gain := rapid.Float64Range(-3, 12)
	bias, scale := make([]float64, classes), []float64(nil)
	for k := range bias {
		bias[k] = -rapid.Float64Range(0, 15).Draw(t, "bias")
	}
	if scaled {
		for range bias {
			scale = append(scale, rapid.Float64Range(1e-5, 1).Draw(t, "scale"))
		}
	}
	r = NewRows(bias, scale, 0)
	for range terms {
		var cells []Cell
		for _, k := range rapid.SliceOfNDistinct(rapid.IntRange(0, classes-1), 0, min(classes, 4), rapid.ID[int]).Draw(t, "classes") {
			cells = append(cells, Cell{k, gain.Draw(t, "gain")})
		}
		if classes < 300 && rapid.IntRange(0, 9).Draw(t, "all") == 0 {
			for k := range classes {
				cells = append(cells, Cell{k, gain.Draw(t, "gain")})
			}
		}
		unseen := gain.Draw(t, "unseen")
		row := len(weights)
		for k := range classes {
			weights = append(weights, r.scale[k]*unseen+bias[k])
		}
		for _, c := range cells {
			weights[row+c.Class] += c.Gain
		}
		if kept, err := r.Add(cells, unseen); !kept || err != nil {
			t.Fatal(kept, err)
		}
	}
	return r, weights
}

// Gains and weights of all classes are the same scores: float32 to their precision, and bytes to
// half a step.
func TestGains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.SampledFrom([]int{1, 2, 3, 20, 255, 256, 257, 1000, 65537}).Draw(t, "classes")
		terms := rapid.IntRange(0, 12).Draw(t, "terms")
		bits := rapid.SampledFrom([]int{8, 32}).Draw(t, "bits")
		r, weights := drawRows(t, classes, terms, classes < 300 && rapid.Bool().Draw(t, "scaled"))
		x := New(classes, terms)
		b := r.appendGains(nil, bits)
		if err := x.setGains(b); err != nil {
			t.Fatal(err)
		}
		if err := x.CheckWeights(); err != nil {
			t.Fatal(err)
		}
		if dense := r.appendWeights(nil, bits); r.sparse(bits) != (len(b) < len(dense)) {
			t.Fatalf("%d bytes of gains and %d of weights: sparse %v", len(b), len(dense), r.sparse(bits))
		}
		sums := make([]float64, classes)
		for i := range terms {
			clear(sums)
			x.AddEach(sums, 2, 2*x.AddRow(sums, i, 2))
			for k, got := range sums {
				want, within := 2*weights[i*classes+k], 1e-5
				if bits == 8 {
					within += x.step[k] + r.scale[k]*x.step[classes]
				}
				if math.Abs(got-want) > within {
					t.Fatalf("term %d in class %d: %v, want %v", i, k, got, want)
				}
			}
		}
	})
}

// Terms differ by their largest weight less their least one, though few weights are looked at.
func TestDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, terms := rapid.IntRange(1, 8).Draw(t, "classes"), 5
		r, weights := drawRows(t, classes, terms, rapid.Bool().Draw(t, "scaled"))
		for i := range terms {
			row := weights[i*classes:][:classes]
			spread := slices.Max(row) - slices.Min(row)
			for _, most := range []float64{0, spread - 1e-9, spread + 1e-9, 30} {
				if got := r.differ(r.of(i), r.unseen[i], most); got != (spread > most) && math.Abs(spread-most) > 1e-10 {
					t.Fatalf("%v by more than %v: %v", row, most, got)
				}
			}
		}
	})
}

// someGains returns rows of three terms of nine classes: with two cells, none, and nine.
func someGains(bits int) (b []byte, classes int) {
	r := NewRows(make([]float64, 9), nil, 0)
	r.Add([]Cell{{1, 2}, {7, 3}}, .5)
	r.Add(nil, 1)
	var all []Cell
	for k := range 9 {
		all = append(all, Cell{k, float64(k)})
	}
	r.Add(all, 2)
	return r.appendGains(nil, bits), 9
}

// What is not in order is found by who looks at it all.
func TestGainsLaws(t *testing.T) {
	whole, classes := someGains(32)
	rows := 2 + 16*classes + 4
	nan := func(b []byte) { binary.LittleEndian.PutUint32(b, math.Float32bits(float32(math.NaN()))) }
	for _, tc := range []struct {
		want   string
		change func(b []byte) []byte
	}{
		{"a weight is not finite", func(b []byte) []byte { nan(b[rows:]); return b }},
		{"a weight is not finite", func(b []byte) []byte { nan(b[rows+5:]); return b }},
		{"a weight is not finite", func(b []byte) []byte { nan(b[len(b)-12:]); return b }},
		{"the classes of term 0 do not rise", func(b []byte) []byte { b[rows+4] = 7; return b }},
		{"the classes of term 0 do not rise", func(b []byte) []byte { b[rows+9] = 9; return b }},
		{"the row of term 0 is cut", func(b []byte) []byte { b[rows-3]--; return b }},
		{"the row of term 1 is out of bounds", func(b []byte) []byte { b[rows-2] = 0; return b }},
		{"the row of term 2 is out of bounds", func(b []byte) []byte { b[rows-1] = 255; return b }},
		{"bytes are left over", func(b []byte) []byte { return append(b, 0) }},
		{"a number is not finite", func(b []byte) []byte { b[9], b[8] = 0x7f, 0xf0; return b }},
		{"bytes", func(b []byte) []byte { return b[:rows] }},
		{"bytes", func(b []byte) []byte { return b[:100] }},
		{"bytes", func(b []byte) []byte { b[1] = 9; return b }},
		{"bytes", func(b []byte) []byte { b[0] = 16; return b }},
		{"bytes", func(b []byte) []byte { return nil }},
	} {
		x := New(classes, 3)
		err := x.setGains(tc.change(slices.Clone(whole)))
		if err == nil {
			err = x.CheckWeights()
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	if err := New(classes, 1<<61).setGains(whole); err == nil {
		t.Error("more terms than there are bytes")
	}
	if err := New(1<<40, 3).setGains(whole); err == nil {
		t.Error("more classes than there are bytes")
	}
}

// Whatever the bytes are, no row is out of bounds.
func FuzzGains(f *testing.F) {
	for _, bits := range []int{8, 32} {
		b, classes := someGains(bits)
		f.Add(b, classes, 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, classes, terms int) {
		if classes < 1 || classes > 1<<17 || terms < 0 {
			return
		}
		x := New(classes, terms)
		if x.setGains(b) != nil {
			return
		}
		whole := x.CheckWeights() == nil
		sums := make([]float64, classes)
		numbers := []uint32{0, uint32(terms), 1 << 31, math.MaxUint32}
		x.gains.prefetch(numbers)
		for i := range min(terms, 100) {
			x.AddEach(sums, 1, x.AddRow(sums, i, 1))
			x.gains.prefetch([]uint32{uint32(i)})
			if _, size := x.gains.row(i); whole && size == 0 {
				t.Fatalf("term %d has no row", i)
			}
		}
	})
}
