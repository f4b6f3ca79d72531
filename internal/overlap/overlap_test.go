package overlap_test

import (
	"math"
	"reflect"
	"testing"

	"bayes/internal/overlap"
)

func TestCut(t *testing.T) {
	inf := math.Inf(1)
	got := overlap.Cut(9, []overlap.Cover{{1, 5, 1}, {3, 8, 2}, {4, 4, 9}, {7, 10, 9}, {6, 8, inf}, {7, 8, -inf}})
	want := []overlap.Piece{{0, 1, 0}, {1, 3, 1}, {3, 5, 3}, {5, 6, 2}, {6, 7, inf}, {7, 8, 0}, {8, 9, 0}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := overlap.Cut(0, nil); got != nil {
		t.Error(got)
	}
}
