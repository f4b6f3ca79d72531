package bayes

import (
	"cmp"
	"fmt"
	"math"

	"bayes/internal/bags"
	"bayes/internal/sparse"
)

var _ EventModel = Gaussian{}

// Gaussian models each number as normally distributed in each class, with the
// class's weighted mean μ and variance σ² as estimated by maximum likelihood:
//
//	ln P(x|c) = -½ ln(2π·σ²) - (x - μ)² / 2σ²
//
// To each variance is added VarSmoothing times the largest variance that a
// number has over all examples, so that a constant number divides nothing by
// zero. A number that a document lacks says nothing: its factor is left out.
type Gaussian struct {
	Prior        Prior   // nil means EmpiricalPrior
	VarSmoothing float64 // zero means 1e-9; to add nothing, see NoVarSmoothing

	// Shared says that the numbers of a class have one variance in common, the
	// mean squared distance of all of them from their means.
	Shared bool
}

// NoVarSmoothing is a [Gaussian]'s VarSmoothing that adds nothing.
const NoVarSmoothing = -1

func parseGaussian(o *options) EventModel {
	m := Gaussian{Prior: o.prior(), Shared: o.Flag("shared")}
	o.UpTo("var-smoothing", maxNumber, func(v float64) { m.VarSmoothing = cmp.Or(v, NoVarSmoothing) })
	return m
}

func (m Gaussian) String() string {
	shared := ""
	if m.Shared {
		shared = " shared"
	}
	return fmt.Sprintf("gaussian%s var-smoothing=%s prior=%v", shared, formatFloat(m.smoothing()), orEmpirical(m.Prior))
}

func (m Gaussian) smoothing() float64 {
	switch m.VarSmoothing {
	case 0:
		return 1e-9
	case NoVarSmoothing:
		return 0
	}
	return m.VarSmoothing
}

func (m Gaussian) prior() Prior { return m.Prior }

func (m Gaussian) models(kind attrKind) bool { return kind == numberAttr }

func (m Gaussian) fit(blocks []*statistics) ([]likelihood, error) {
	if v := m.smoothing(); !(v >= 0 && v <= maxNumber) {
		return nil, fmt.Errorf("gaussian: the variance smoothing must be a number from 0 up to 1e150, not %v", v)
	}
	// The same is added to each variance, so it is of the scale of the number that varies most.
	epsilon := m.smoothing() * largestVariance(blocks)
	if math.IsInf(epsilon, 0) || math.IsNaN(epsilon) {
		return nil, fmt.Errorf("gaussian: %v times the largest variance is beyond the largest number", m.smoothing())
	}
	epsilon = cmp.Or(epsilon, leastVariance)
	var fitted []*gaussian
	for _, s := range blocks {
		// Mean and variance of each class, from the sums of the values and of their squares.
		g := &gaussian{mean: make([]float64, len(s.classes)), variance: make([]float64, len(s.classes))}
		g.numeric = numeric{s, g.density}
		for k, n := range s.numbers {
			mean, squares := n.Spread(s.weight[k])
			g.mean[k], g.variance[k] = mean, squares/s.weight[k]+epsilon
		}
		fitted = append(fitted, g)
	}
	if m.Shared {
		share(fitted, epsilon)
	}
	var all []likelihood
	for _, g := range fitted {
		all = append(all, g)
	}
	return all, nil
}

// leastVariance stands for zero where no number varies at all.
const leastVariance = 1e-300

// largestVariance returns the largest variance that a number has over all
// examples, whatever their class and weight.
func largestVariance(blocks []*statistics) float64 {
	var largest float64
	for _, s := range blocks {
		var all sparse.Numbers
		var n int64
		for k := range s.numbers {
			all.Add(s.numbers[k], +1)
			n += s.examples[k]
		}
		_, squares := all.PlainSpread(n)
		largest = math.Max(largest, squares/math.Max(1, float64(n)))
	}
	return largest
}

// share gives each class one variance over all numbers.
func share(fitted []*gaussian, epsilon float64) {
	for k := range fitted[0].mean {
		var squares, weight float64
		for _, g := range fitted {
			if w := g.weight[k]; w > 0 {
				squares += (g.variance[k] - epsilon) * w
				weight += w
			}
		}
		for _, g := range fitted {
			g.variance[k] = squares/weight + epsilon
		}
	}
}

// gaussian is the fitted form of [Gaussian] for one number.
type gaussian struct {
	numeric
	mean, variance []float64
}

func (g *gaussian) parameters() (mean, variance []float64) { return g.mean, g.variance }

// density returns the logarithm of the density of v in class k. A class that
// never had the number says nothing of it.
func (g *gaussian) density(v float64, k int) float64 {
	if g.weight[k] <= 0 {
		return 0
	}
	d := v - g.mean[k]
	return -0.5*math.Log(2*math.Pi*g.variance[k]) - 0.5*d*d/g.variance[k]
}

func (g *gaussian) factors(f bags.Term) (list []Factor) {
	for k, mean := range g.mean {
		list = append(list, Factor{Number: true, Value: f.Value, Mean: mean, Variance: g.variance[k]})
	}
	return list
}
