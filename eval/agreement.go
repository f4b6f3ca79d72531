package eval

import "math"

// Matthews returns the correlation of truth and prediction, in [-1,1]: with s
// documents, c of them right, t of each class and p predicted as each,
//
//	(c·s - Σ p·t) / √((s² - Σ p²)(s² - Σ t²))
//
// (Gorodkin 2004, which is Matthews 1975 for two classes).
func (t *Tally) Matthews() float64 {
	a := t.agreement()
	return ratio(a.right*a.all-a.product, math.Sqrt((a.all*a.all-a.predicted)*(a.all*a.all-a.actual)))
}

// Kappa returns the agreement beyond chance, at most 1 (Cohen 1960): (o-e)/(1-e)
// with o the accuracy and e the one expected of independent labels.
func (t *Tally) Kappa() float64 {
	a := t.agreement()
	return ratio(a.right*a.all-a.product, a.all*a.all-a.product)
}

// agreement holds the sums that both coefficients rest on.
type agreement struct{ all, right, product, predicted, actual float64 }

func (t *Tally) agreement() agreement {
	a := agreement{all: float64(len(t.rows))}
	for _, o := range t.outcomes() {
		p, n := float64(o.predicted), float64(o.actual)
		a.right += float64(o.both)
		a.product += p * n
		a.predicted += p * p
		a.actual += n * n
	}
	return a
}
