// Package dirichlet fits the Dirichlet-multinomial distribution, also called Pólya's:
// the Dirichlet prior under which the counts that were seen are most probable.
//
// With n_ij the count of feature j in row i, n_i the sum of row i, and A = Σ α_j,
// the evidence is
//
//	ln L = Σ_i [ lnΓ(A) - lnΓ(A + n_i) + Σ_j ( lnΓ(α_j + n_ij) - lnΓ(α_j) ) ]
//
// up to the multinomial coefficients, which do not depend on α (Minka 2000,
// Estimating a Dirichlet distribution).
package dirichlet

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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

// grouped are Data in which features with the same counts, which have the same
// parameter at the optimum, stand once. Of words, most share their counts with
// many others.
type grouped struct {
	features [][]Count
	times    []float64 // how many features each stands for
	lengths  []Count
	group    []int // of each feature of the Data
}

func (d *Data) grouped() *grouped {
	g := &grouped{lengths: together(d.Lengths), group: make([]int, len(d.Features))}
	known := make(map[string]int)
	var key []byte
	for j, counts := range d.Features {
		counts = together(counts)
		key = key[:0]
		for _, c := range counts {
			key = fmt.Appendf(key, "%v:%v ", c.N, c.Rows)
		}
		i, ok := known[string(key)]
		if !ok {
			i = len(g.features)
			known[string(key)] = i
			g.features = append(g.features, counts)
			g.times = append(g.times, 0)
		}
		g.times[i]++
		g.group[j] = i
	}
	return g
}

// together returns counts with each number once, rising.
func together(counts []Count) []Count {
	sorted := slices.Clone(counts)
	slices.SortFunc(sorted, func(a, b Count) int { return cmp.Compare(a.N, b.N) })
	var out []Count
	for _, c := range sorted {
		if n := len(out); n > 0 && out[n-1].N == c.N {
			out[n-1].Rows += c.Rows
		} else {
			out = append(out, c)
		}
	}
	return out
}

// LogEvidence returns ln L of parameters, one a feature.
func (d *Data) LogEvidence(alpha []float64) float64 {
	g := &grouped{features: d.Features, times: filled(len(d.Features), 1), lengths: d.Lengths}
	return g.logEvidence(alpha)
}

func (g *grouped) logEvidence(alpha []float64) float64 {
	var sum float64
	for j, counts := range g.features {
		for _, c := range counts {
			sum += g.times[j] * c.Rows * logGammaRise(alpha[j], c.N)
		}
	}
	all := g.total(alpha)
	for _, c := range g.lengths {
		sum -= c.Rows * logGammaRise(all, c.N)
	}
	return sum
}

// total returns A.
func (g *grouped) total(alpha []float64) float64 {
	var sum float64
	for j, a := range alpha {
		sum += g.times[j] * a
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
	var all []Count
	for _, counts := range d.Features {
		all = append(all, counts...)
	}
	all = together(all)
	lengths, v := together(d.Lengths), float64(len(d.Features))
	low, high := math.Log(least), math.Log(most)
	for range 60 {
		mid := (low + high) / 2
		above, _ := rise(all, math.Exp(mid))
		below, _ := rise(lengths, v*math.Exp(mid))
		if above > v*below {
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
	start, _ := d.Symmetric()
	g := d.grouped()
	now, next := filled(len(g.features), start), make([]float64, len(g.features))
	logEvidence = g.logEvidence(now)
	const steps, tolerance = 1000, 1e-13
	for range steps {
		g.newton(next, now)
		reached := g.evidenceWithin(next)
		if !(reached > logEvidence) {
			g.fixedPoint(next, now)
			if reached = g.evidenceWithin(next); !(reached > logEvidence) {
				break
			}
		}
		gain := reached - logEvidence
		now, next, logEvidence = next, now, reached
		if gain < tolerance*math.Abs(logEvidence) {
			break
		}
	}
	alpha = make([]float64, len(d.Features))
	for j, i := range g.group {
		alpha[j] = now[i]
	}
	return alpha, logEvidence
}

// evidenceWithin is logEvidence, and NaN outside of the bounds.
func (g *grouped) evidenceWithin(alpha []float64) float64 {
	for _, a := range alpha {
		if !(a >= least && a <= most) {
			return math.NaN()
		}
	}
	return g.logEvidence(alpha)
}

// fixedPoint puts the next step of Minka's iteration into next.
func (g *grouped) fixedPoint(next, alpha []float64) {
	below, _ := rise(g.lengths, g.total(alpha))
	for j, a := range alpha {
		above, _ := rise(g.features[j], a)
		next[j] = min(max(a*above/below, least), most)
	}
}

// newton puts Newton's next step into next: with gradient g, the diagonal q of
// the Hessian and its constant z,
//
//	α ← α - (g - b)/q,  b = Σ(g/q) / (1/z + Σ 1/q).
func (g *grouped) newton(next, alpha []float64) {
	lengths, slope := rise(g.lengths, g.total(alpha))
	z := -slope
	gradient, diagonal := make([]float64, len(alpha)), make([]float64, len(alpha))
	var above, below float64
	for j, a := range alpha {
		value, slope := rise(g.features[j], a)
		gradient[j], diagonal[j] = value-lengths, slope
		if slope != 0 {
			above += g.times[j] * gradient[j] / slope
			below += g.times[j] / slope
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
