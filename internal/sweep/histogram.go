package sweep

import (
	"bayes/internal/doubledouble"
	"bayes/internal/sparse"
)

// A histogram says how often each count occurs. Most counts are small whole numbers, so a
// sum of logarithms over all of them takes few logarithms, and does not depend on their
// order.
type histogram struct {
	whole []float64 // how often, by count, of whole counts below maxWhole
	rest  []struct{ n, often float64 }
}

const maxWhole = 1 << 20

func newHistograms(n int) []histogram { return make([]histogram, n) }

func (h *histogram) add(n, often float64) {
	if i := int(n); n >= 0 && n < maxWhole && float64(i) == n {
		h.whole = sparse.Lengthen(h.whole, i+1)
		h.whole[i] += often
		return
	}
	h.rest = append(h.rest, struct{ n, often float64 }{n, often})
}

// sumLogs returns Σ often · ln(n + α) for each α.
func (h *histogram) sumLogs(g *group) []float64 {
	acc := make([]doubledouble.Sum, len(g.alphas))
	var logs []float64
	add := func(n, often float64) {
		logs = g.appendLogs(logs[:0], n, 1)
		for a, v := range logs {
			acc[a].Add(often * v)
		}
	}
	for n, often := range h.whole {
		if often != 0 {
			add(float64(n), often)
		}
	}
	for _, r := range h.rest {
		add(max(r.n, 0), r.often)
	}
	sums := make([]float64, len(acc))
	for a := range acc {
		sums[a] = acc[a].Float()
	}
	return sums
}
