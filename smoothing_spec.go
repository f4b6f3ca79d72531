package bayes

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bayes/internal/specgrammar"
)

// ParseSmoothing returns the smoothing that s describes: a number from 0 up; a
// number and the exceptions from it, such as "1,free=2,win=0.5"; or "evidence",
// "evidence-terms" or "evidence-documents".
func ParseSmoothing(s string) (Smoothing, error) {
	for _, e := range []Evidence{{}, {PerTerm: true}, {Documents: true}} {
		if s == e.String() {
			return e, nil
		}
	}
	// What is not a name is a number, and behind a comma what differs from it.
	number, rest, exceptions := strings.Cut(s, ",")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil, fmt.Errorf("bayes: smoothing %.100q is no number", number)
	}
	if err := checkAlpha(v); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	if !exceptions {
		return Additive(v), nil
	}
	alpha, err := specgrammar.ParseShares(rest)
	if err != nil {
		return nil, fmt.Errorf("bayes: smoothing: %w", err)
	}
	for _, f := range slices.Sorted(maps.Keys(alpha)) {
		if err := checkAlpha(alpha[f]); err != nil {
			return nil, fmt.Errorf("bayes: feature %q: %w", f, err)
		}
	}
	return PerFeature{Alpha: alpha, Else: v}, nil
}
