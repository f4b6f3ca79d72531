package report

import (
	"math"
	"strconv"

	"bayes"
	"bayes/answer"
)

// figure returns v with four decimals, and a dash where it is not a number.
func figure(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return infinite(v, strconv.FormatFloat(v, 'f', 4, 64))
}

// signed returns v with its sign and three significant digits.
func signed(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'g', 3, 64)
	switch {
	case math.IsNaN(v):
		return "–"
	case v < 0:
		s = "−" + s
	case v > 0:
		s = "+" + s
	}
	return infinite(v, s)
}

func infinite(v float64, finite string) string {
	switch {
	case math.IsInf(v, 1):
		return "+∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	return finite
}

// percent returns a share of 1 as a percentage, as a number without its sign.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }

// number returns a sum of counts as briefly as it can be said.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// digits returns a mean or a deviation with four digits, or all that stand before the point.
func digits(v float64) string {
	if a := math.Abs(v); a >= 1000 && a < 1e9 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// count returns n with its thousands marked off.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns n with the form of a noun that goes with it.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// probability returns p with up to six digits.
func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// featureLabel returns the name of a feature, and of a number also its value.
func featureLabel(f bayes.Contribution) string {
	if _, _, ok := answer.Spreads(f); ok {
		return f.Name() + " = " + number(f.Value)
	}
	return f.Name()
}
