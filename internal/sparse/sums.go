package sparse

import "bayes/internal/doubledouble"

// Sums returns, for each class, the sum of the weights of the features that exist, without a Scale; n is how
// many exist. The sums are taken with 32 digits: rows come in the order in which features were learned, and
// the weights must not depend on it.
func (w *Weights) Sums(n int, exists func(i int) bool) []float64 {
	var (
		unseen doubledouble.Sum
		sums   = make([]doubledouble.Sum, len(w.Bias))
		gains  = make([]float64, len(w.Bias))
		list   = make([]float64, len(w.Bias))
	)
	for i, row := range w.Rows.All() {
		if !exists(i) {
			continue
		}
		unseen.Add(w.Gains(gains, i, row))
		for j, c := range row {
			sums[w.Position[c.Class]].Add(gains[j])
		}
	}
	for k, b := range w.Bias {
		sums[k].Add(unseen.Float())
		sums[k].Add(float64(n) * b)
		list[k] = sums[k].Float()
	}
	return list
}
