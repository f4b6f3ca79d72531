package intervals

import (
	"math"
	"slices"
	"testing"
)

// of returns values 0, 1, 2 and so on, one example each, of the classes that the letters of s name.
func of(s string) (values []Value) {
	for i, letter := range s {
		weight := make([]float64, 3)
		weight[letter-'a'] = 1
		values = append(values, Value{float64(i), weight})
	}
	return values
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		classes string
		want    []float64
	}{
		{"", nil}, {"a", nil}, {"aaaa", nil},
		{"aaaabbbb", []float64{3.5}},
		{"aaaaabbbbbccccc", []float64{4.5, 9.5}},
		{"ab", []float64{0.5}}, // gain 1, and the price is (log₂ 1 + log₂ 7 - 2)/2 = 0.40
		{"abababab", nil},
	} {
		if got := Cut(of(c.classes)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.classes, got, c.want)
		}
	}
}

// A cut is above the value before it, however near the next one is.
func TestMiddle(t *testing.T) {
	b := math.Nextafter(1, 2)
	for _, v := range [][3]float64{{1, b, b}, {1, 2, 1.5}, {-math.MaxFloat64, math.MaxFloat64, 0}} {
		if got := Middle(v[0], v[1]); got != v[2] {
			t.Errorf("between %v and %v: %v, want %v", v[0], v[1], got, v[2])
		}
	}
}
