package eval

import (
	"fmt"
	"math"
	"slices"
)

// cleanOdds are, by bin of log-odds, how many doubts of a list whose labels are all right have these. The bins are from zero
// up, cleanBins of them, cleanStep wide.
type cleanOdds []float64

const cleanBins, cleanStep = 1 << 10, 1.0 / 32

// add adds doubts of some log-odds from zero up.
func (c cleanOdds) add(logOdds, doubts float64) {
	c[min(int(logOdds/cleanStep), cleanBins-1)] += doubts
}

// addDrawn adds an example whose label is drawn from what is said of it.
func (c cleanOdds) addDrawn(logP []float64) {
	best := slices.Max(logP)
	for k, v := range logP {
		if v < best {
			c.add(doubt(logP, k, slices.Index(logP, best)), math.Exp(v))
		}
	}
}

// cutoff returns the least log-odds at which at most a share of examples is expected to be as doubtful, if there are tail times as many
// as the probabilities say, and how many that are.
func (c cleanOdds) cutoff(share, tail float64, examples int) (logOdds, expected float64, err error) {
	if !(share >= 0 && share <= 1) {
		return 0, 0, fmt.Errorf("audit: a share of %v: want one from 0 to 1", share)
	}
	bin := cleanBins
	for bin > 0 && expected+tail*c[bin-1] <= share*float64(examples) {
		bin--
		expected += tail * c[bin]
	}
	return float64(bin) * cleanStep, expected, nil
}
