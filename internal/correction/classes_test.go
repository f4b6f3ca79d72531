package correction

import (
	"math"
	"slices"
	"testing"
)

// Scores are added where the classes stand; newer ones have the mean, and classes that are gone nothing.
func TestClasses(t *testing.T) {
	for _, tt := range []struct {
		known, classes []string
		weights        []float32
		want           []float64
		bias, biases   []float64
	}{
		{[]string{"a", "b"}, []string{"a", "b"}, []float32{2}, []float64{-3, 3}, []float64{4}, []float64{-2, 2}},
		{[]string{"a", "c"}, []string{"b", "c"}, []float32{2}, []float64{0, 3}, []float64{4}, []float64{0, 2}},
		{[]string{"a", "b", "c"}, []string{"a", "b", "c"}, []float32{1, 2, 6}, []float64{3, 6, 18}, []float64{1, 2, 6}, []float64{1, 2, 6}},
		{[]string{"a", "b", "d"}, []string{"b", "c", "d", "e"}, []float32{1, 2, 6}, []float64{6, 9, 18, 9}, []float64{1, 2, 6}, []float64{2, 3, 6, 3}},
		{[]string{"a", "b"}, []string{"a", "b"}, nil, []float64{0, 0}, []float64{0}, []float64{0, 0}},
		{[]string{"a", "b", "c"}, []string{"d", "e"}, nil, []float64{0, 0}, []float64{0, 0, 3}, []float64{1, 1}},
	} {
		c := &Data{Classes: tt.known, Bias: tt.bias}
		scores := make([]float64, len(tt.classes))
		c.Among(tt.classes).Add(scores, tt.weights, 3)
		if !slices.Equal(scores, tt.want) || !slices.Equal(c.Biases(tt.classes), tt.biases) {
			t.Errorf("%v among %v: %v and biases of %v, want %v and %v", tt.known, tt.classes, scores, c.Biases(tt.classes), tt.want, tt.biases)
		}
	}
}

// With a trust all is multiplied by it. Without one naive Bayes says of newer classes alone how far they
// are from the mean of the others, unless that is infinite.
func TestDistrust(t *testing.T) {
	inf := math.Inf(-1)
	for _, tt := range []struct {
		trust, newer float64
		scores, want []float64
	}{
		{2, 0, []float64{1, inf, 3}, []float64{2, inf, 6}},
		{0, 0, []float64{1, inf, 3}, []float64{0, 0, 0}},
		{0, 0.5, []float64{1, 8, 3}, []float64{0, 3, 0}},
		{0, 0.5, []float64{1, inf, 3}, []float64{0, 0, 0}},
		{0, 0.5, []float64{inf, 1, 3}, []float64{0, 0, 0}},
	} {
		c := (&Data{Classes: []string{"a", "c"}, Trust: tt.trust}).Among([]string{"a", "b", "c"})
		c.TrustInNewer = tt.newer
		c.Distrust(tt.scores)
		if !slices.Equal(tt.scores, tt.want) {
			t.Errorf("with a trust of %v and of %v in newer classes: %v, want %v", tt.trust, tt.newer, tt.scores, tt.want)
		}
	}
}

// The nearest multiple is that of least squares, of features by their importance, less their means.
func TestNearest(t *testing.T) {
	c := (&Data{Classes: []string{"a", "b", "d"}}).Among([]string{"a", "b", "c", "d"})
	var n Nearest
	if n.Factor() != 0 {
		t.Error("of nothing there is a factor")
	}
	n.Add(c, []float64{1, 0, 9, -1}, []float32{5, 3, 1}, 3)
	n.Add(c, []float64{math.Inf(-1), 0, 9, -1}, []float32{9, 9, 1}, 7)
	if got := n.Factor(); math.Abs(got-2) > 1e-12 {
		t.Errorf("%v, want 2", got)
	}
	n.Add(c, []float64{11, 10, 9, 9}, []float32{-5, -3, -1}, 30)
	if got := n.Factor(); got != 0 {
		t.Errorf("%v, want none", got)
	}
}

// A number has an interval for each row, and Some yields a value of each.
func TestSome(t *testing.T) {
	for _, cuts := range [][]float64{nil, {0}, {-1, 2, 2.5}} {
		b := &Block{Kind: 'n', Width: 1, Cuts: cuts, Weights: make([]float32, len(cuts)+1)}
		n := 0
		for i, v := range b.Some {
			if i != n || IntervalOf(cuts, v) != i {
				t.Errorf("cuts %v: %v is yielded for interval %d", cuts, v, i)
			}
			n++
		}
		if n != len(cuts)+1 {
			t.Errorf("cuts %v: %d values", cuts, n)
		}
	}
	for range (*Block)(nil).Some {
		t.Error("no block has a value")
	}
	n := 0
	for range (&Block{Kind: 't', Width: 2, Weights: make([]float32, 2*100_000)}).Some {
		n++
	}
	if n < 1<<13 || n > 1<<14 {
		t.Errorf("of 100,000 features %d are yielded", n)
	}
}
