package eval

import (
	"errors"
	"fmt"
)

// McNemar is how two classifiers differ on the same documents.
type McNemar struct {
	OnlyFirst  int64   // documents that only the first has right
	OnlySecond int64   // and only the second
	P          float64 // the exact two-sided p-value, in [0,1]; 0 if below 1e-308
}

// CompareTallies tests whether two classifiers are equally often right (McNemar 1947).
// first and second hold their predictions of the same documents in the same order.
// Documents that both have right or both have wrong do not tell. Of the n others, each
// would be the first's with probability 1/2, so that
//
//	P = min(1, 2 · Σ_{i ≤ k} C(n,i) / 2ⁿ),  k = min(OnlyFirst, OnlySecond).
//
// It is an error if the true labels are not the same.
func CompareTallies(first, second *Tally) (McNemar, error) {
	if len(first.rows) != len(second.rows) {
		return McNemar{}, fmt.Errorf("predictions of %d and of %d documents", len(first.rows), len(second.rows))
	}
	var right [2][]bool
	for i, a := range first.rows {
		b := second.rows[i]
		if first.labels[a.truth] != second.labels[b.truth] {
			return McNemar{}, errors.New("predictions of different documents")
		}
		right[0], right[1] = append(right[0], a.truth == a.best), append(right[1], b.truth == b.best)
	}
	return CompareRight(right[0], right[1])
}

// CompareRight is [CompareTallies] where all that is known of two classifiers is whether they are right, by document: where
// documents have several labels, whether all labels are. It is an error if these are not as many documents.
func CompareRight(first, second []bool) (m McNemar, err error) {
	if len(first) != len(second) {
		return m, fmt.Errorf("predictions of %d and of %d documents", len(first), len(second))
	}
	for i, right := range first {
		switch {
		case right == second[i]:
		case right:
			m.OnlyFirst++
		default:
			m.OnlySecond++
		}
	}
	m.P = evenOdds(m.OnlyFirst, m.OnlySecond)
	return m, nil
}

// evenOdds returns the exact two-sided p-value of a against b in a+b tosses of a
// fair coin. The binomial coefficients are taken relative to the largest of them,
// so that none is too large.
func evenOdds(a, b int64) float64 {
	n, k := a+b, min(a, b)
	var all, tail float64
	coefficient := 1.0 // C(n,i) / C(n,⌊n/2⌋)
	for i := n / 2; i >= 0 && coefficient > 0; i-- {
		all += 2 * coefficient // C(n,i) and C(n,n-i), unless they are the same
		if 2*i == n {
			all--
		}
		if i <= k {
			tail += coefficient
		}
		coefficient *= float64(i) / float64(n-i+1)
	}
	return min(1, 2*tail/all)
}
