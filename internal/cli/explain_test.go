package cli

import (
	"testing"

	"bayes"
)

// Log-odds are written so that something of them is left.
func TestShares(t *testing.T) {
	for _, tc := range []struct {
		prior, absent, term float64
		want                string // of term
	}{
		{0, 0, 0, "+0.0000"},
		{0, 0, 0.5, "+0.5000"},
		{-2, 0, 1e-6, "+0.0000"},
		{0, -2, 1e-6, "+0.0000"},
		{0, 0, -1.234e-6, "-1.23e-06"},
	} {
		ex := &bayes.Explanation{Prior: tc.prior, Absent: tc.absent, Features: []bayes.Contribution{{LogOdds: tc.term}}}
		if got := shares(ex)(tc.term); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}
