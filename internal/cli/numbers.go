package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bayes/answer"
)

// Count returns n with its thousands set apart.
func Count[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns a number and what is counted.
func plural[N int | int64](n N, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return Count(n) + " " + noun + "es"
	}
	return Count(n) + " " + noun + "s"
}

// featureCount returns how many features there are, by the word for those of k.
func featureCount(n int, k answer.Known) string { return plural(n, answer.FeatureWord(k)) }

// number returns a number in its shortest form of six digits at most.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }

// probability returns p as people and programs both read it.
func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// logarithm returns v with six decimals.
func logarithm(v float64) string { return fmt.Sprintf("%.6f", v) }

// signed returns v with its sign and four decimals.
func signed(v float64) string { return fmt.Sprintf("%+.4f", v) }

// signedLike returns the function that writes each of some log-odds: signed, unless
// four decimals would leave nothing of them, as of normalised weights.
func signedLike(all []float64) func(v float64) string {
	largest := 0.0
	for _, v := range all {
		largest = max(largest, math.Abs(v))
	}
	if 0 < largest && largest < 0.01 {
		return func(v float64) string { return fmt.Sprintf("%+.2e", v) }
	}
	return signed
}
