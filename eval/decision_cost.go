package eval

import (
	"math"

	"bayes/internal/decision"
)

// Cost returns what the answers of t cost, the mean of the documents: those of costs, by true class and answer, and where nothing is
// answered those of reject, by true class, as [bayes.Calibrated] has them. The interval is that of the normal
// distribution, of 95 %.
func (t *Tally) Cost(costs map[[2]string]float64, reject map[string]float64) Interval {
	s := decision.Settings{Costs: costs, Reject: reject}
	var sum, squares float64
	for _, r := range t.rows {
		v := s.Cost(t.labels[r.truth], t.labels[r.best], !r.unsure)
		sum += v
		squares += v * v
	}
	n := float64(len(t.rows))
	mean := ratio(sum, n)
	half := 1.96 * math.Sqrt(max(0, ratio(squares, n)-mean*mean)/max(1, n-1))
	return Interval{mean, mean - half, mean + half}
}
