package vecmath

import (
	"cmp"
	"math"
	"slices"
)

// Top returns the n numbers of the highest score, which it sorts to the front; of equal ones the first. Scores
// that differ by rounding only are equal, so that a choice does not depend on the order in which counts were
// added up.
func Top(numbers []int, n int, score func(i int) float64) []int {
	scores := make(map[int]float64, len(numbers))
	for _, i := range numbers {
		scores[i] = coarse(score(i))
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return numbers[:min(n, len(numbers))]
}

// coarse rounds v to 32 binary digits, about nine decimal ones.
func coarse(v float64) float64 {
	const drop = 1 << 21 // of the 53
	return math.Float64frombits((math.Float64bits(v) + drop/2) &^ (drop - 1))
}
