package bayes

import "bayes/feature"

// SetPartRows sets how many rows are encoded at a time, and returns how many were.
func SetPartRows(n int) (before int) {
	before, partRows = partRows, n
	return before
}

// SetTolerance sets how far corrections may be off the best ones, and returns what it was.
func SetTolerance(v float64) (before float64) {
	before, tolerance = tolerance, v
	return before
}

// Scores returns how much each feature of c's main text tells of the class, by
// feature. The error is [ErrEmpty] or [ErrNegative].
func Scores(c *Counts, score feature.Score) (map[string]float64, error) {
	blocks, err := collect(c)
	if err != nil {
		return nil, err
	}
	s := blocks[0]
	scores := make(map[string]float64)
	for _, i := range s.existing() {
		scores[string(s.index.Bytes(i))] = score.Of(s.observed(i, score.OfPresence()), s.weight)
	}
	return scores, nil
}
