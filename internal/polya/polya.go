// Package polya fits the Dirichlet-multinomial distribution, also called Pólya's:
// the Dirichlet prior under which the counts that were seen are most probable.
//
// With n_ij the count of feature j in row i, n_i the sum of row i, and A = Σ α_j,
// the evidence is
//
//	ln L = Σ_i [ lnΓ(A) - lnΓ(A + n_i) + Σ_j ( lnΓ(α_j + n_ij) - lnΓ(α_j) ) ]
//
// up to the multinomial coefficients, which do not depend on α (Minka 2000,
// Estimating a Dirichlet distribution).
package polya

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Count says how many rows have a number.
type Count struct{ N, Rows float64 }

// Data are the counts, by feature. Rows where a feature is zero need no Count.
type Data struct {
	Features [][]Count
	Lengths  []Count // the sums of the rows
}

// The parameters stay between these bounds, since the evidence may go on rising
// for ever: towards zero if each row has a single feature, towards infinity if
// the rows are as alike as draws from one multinomial.
const (
	least = 1e-10
	most  = 1e10
)

// logGammaRise returns lnΓ(a + n) - lnΓ(a).
func logGammaRise(a, n float64) float64 {
	x, _ := math.Lgamma(a + n)
	y, _ := math.Lgamma(a)
	return x - y
}

// LogEvidence returns ln L of parameters, one a feature.
func (d *Data) LogEvidence(alpha []float64) float64 {
	var sum, total float64
	for j, counts := range d.Features {
		total += alpha[j]
		for _, c := range counts {
			sum += c.Rows * logGammaRise(alpha[j], c.N)
		}
	}
	for _, c := range d.Lengths {
		sum -= c.Rows * logGammaRise(total, c.N)
	}
	return sum
}

// rise returns Σ rows · (Ψ(a+n) - Ψ(a)), and its derivative by a.
func rise(counts []Count, a float64) (value, slope float64) {
	if len(counts) == 0 {
		return 0, 0
	}
	psi, trigamma := mathext.Digamma(a), mathext.Zeta(2, a)
	for _, c := range counts {
		value += c.Rows * (mathext.Digamma(a+c.N) - psi)
		slope += c.Rows * (mathext.Zeta(2, a+c.N) - trigamma)
	}
	return value, slope
}

// Symmetric returns the one parameter for all features that maximises the
// evidence, and the evidence. It halves an interval of ln α until nothing is
// left of it, by the sign of the derivative.
func (d *Data) Symmetric() (alpha, logEvidence float64) {
	v := float64(len(d.Features))
	rises := func(a float64) bool {
		var sum float64
		for _, counts := range d.Features {
			value, _ := rise(counts, a)
			sum += value
		}
		lengths, _ := rise(d.Lengths, v*a)
		return sum > v*lengths
	}
	low, high := math.Log(least), math.Log(most)
	for range 60 {
		if mid := (low + high) / 2; rises(math.Exp(mid)) {
			low = mid
		} else {
			high = mid
		}
	}
	alpha = math.Exp((low + high) / 2)
	return alpha, d.LogEvidence(filled(len(d.Features), alpha))
}

func filled(n int, v float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// Maximize returns the parameters, one a feature, that maximise the evidence,
// and the evidence. It takes Newton's step, whose Hessian is a diagonal plus a
// constant, where that raises the evidence, and Minka's fixed point, which always
// does, where not:
//
//	α_j ← α_j · Σ_i (Ψ(n_ij + α_j) - Ψ(α_j)) / Σ_i (Ψ(n_i + A) - Ψ(A))
func (d *Data) Maximize() (alpha []float64, logEvidence float64) {
	start, logEvidence := d.Symmetric()
	alpha = filled(len(d.Features), start)
	next := make([]float64, len(alpha))
	const steps, tolerance = 1000, 1e-13
	for range steps {
		d.newton(next, alpha)
		reached := d.evidenceOf(next)
		if !(reached > logEvidence) {
			d.fixedPoint(next, alpha)
			if reached = d.evidenceOf(next); !(reached > logEvidence) {
				break
			}
		}
		gain := reached - logEvidence
		alpha, next, logEvidence = next, alpha, reached
		if gain < tolerance*math.Abs(logEvidence) {
			break
		}
	}
	return alpha, logEvidence
}

// evidenceOf is LogEvidence, and NaN outside of the bounds.
func (d *Data) evidenceOf(alpha []float64) float64 {
	for _, a := range alpha {
		if !(a >= least && a <= most) {
			return math.NaN()
		}
	}
	return d.LogEvidence(alpha)
}

func total(alpha []float64) float64 {
	var sum float64
	for _, a := range alpha {
		sum += a
	}
	return sum
}

// fixedPoint puts the next step of Minka's iteration into next.
func (d *Data) fixedPoint(next, alpha []float64) {
	below, _ := rise(d.Lengths, total(alpha))
	for j, a := range alpha {
		above, _ := rise(d.Features[j], a)
		next[j] = min(max(a*above/below, least), most)
	}
}

// newton puts Newton's next step into next: with gradient g, the diagonal q of
// the Hessian and its constant z,
//
//	α ← α - (g - b)/q,  b = Σ(g/q) / (1/z + Σ 1/q).
func (d *Data) newton(next, alpha []float64) {
	lengths, slope := rise(d.Lengths, total(alpha))
	z := -slope
	gradient, diagonal := make([]float64, len(alpha)), make([]float64, len(alpha))
	var above, below float64
	for j, a := range alpha {
		value, slope := rise(d.Features[j], a)
		gradient[j], diagonal[j] = value-lengths, slope
		if slope != 0 {
			above += gradient[j] / slope
			below += 1 / slope
		}
	}
	b := above / (1/z + below)
	for j, a := range alpha {
		next[j] = least // of a feature that no row has
		if diagonal[j] != 0 {
			next[j] = a - (gradient[j]-b)/diagonal[j]
		}
	}
}
