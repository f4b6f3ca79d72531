package text

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNGram bounds the lengths of n-grams, so that a description read from a file cannot
// make a text very much longer.
const maxNGram = 16

// lengths returns the range that low and high mean: a shortest length below 1
// is 1, a longest below the shortest is the shortest, and none exceeds
// maxNGram. So every Analyzer has a description that [Parse] reads.
func lengths(low, high int) (shortest, longest int) {
	shortest = min(max(low, 1), maxNGram)
	return shortest, min(max(high, shortest), maxNGram)
}

// rangeString is the inverse of [parseRange].
func rangeString(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d-%d", low, high)
}

// parseRange reads "2" or "1-2".
func parseRange(s string) (r [2]int, err error) {
	low, high, two := strings.Cut(s, "-")
	if !two {
		high = low
	}
	r[0], err = strconv.Atoi(low)
	if err == nil {
		r[1], err = strconv.Atoi(high)
	}
	if err != nil || r[0] < 1 || r[1] < r[0] || r[1] > maxNGram {
		return r, fmt.Errorf("lengths %q: want a length such as 2 or 1-2, at most %d", s, maxNGram)
	}
	return r, nil
}
