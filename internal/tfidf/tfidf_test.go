package tfidf

import (
	"math"
	"testing"
)

// Numbers that are kept are those of the formula.
func TestDampened(t *testing.T) {
	for _, v := range []float64{-2, 0, 0.5, 1, 1.5, 2, 3, 63, 63.5, 64, 65, 1e150} {
		want := v
		if v > 1 {
			want = 1 + math.Log(v)
		}
		if got := Dampened(v); got != want {
			t.Errorf("of %v: %v, want %v", v, got, want)
		}
	}
}

// Words and subwords have a length of their own, which is one once they are divided; zeros stay zeros.
func TestLengths(t *testing.T) {
	l := Lengths{Weight: 0.5}
	if l.Divide(0, 1) != 0 {
		t.Error("nothing has a length")
	}
	for _, idf := range []float64{3, 4} {
		if word, subword := l.Add(1, idf), l.Add(0.5, -2*idf); word != idf || subword != 2*idf {
			t.Errorf("with an idf of %v: %v and %v", idf, word, subword)
		}
	}
	if l.Divide(3, 1) != 0.6 || l.Divide(8, -1) != 0.8 {
		t.Errorf("%+v", l)
	}
}
