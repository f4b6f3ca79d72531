package bayes

import (
	"cmp"
	"fmt"
	"slices"

	"bayes/internal/doubledouble"
	"bayes/internal/specgrammar"
	"bayes/internal/sweep"
)

// A Smoothing gives each feature pseudocounts: counts that are added to those of the
// examples where estimates are made, by sparse.Logs, by [Factor.P], and, for many smoothings at
// once, by package internal/sweep. The smoothings are [Additive], [PerFeature] and [Evidence].
type Smoothing interface {
	// String returns the smoothing in the form read by [ParseSmoothing].
	String() string

	pseudocounts(s *statistics) (pseudocounts, error)
}

var (
	_ Smoothing = Additive(0)
	_ Smoothing = PerFeature{}
)

// pseudocounts are added to what was counted of each feature, the same in every class.
type pseudocounts struct {
	each  float64
	of    []float64 // by feature; nil where it is each for all
	total float64   // over all features
}

func (p pseudocounts) at(i int) float64 {
	if p.of == nil {
		return p.each
	}
	return p.of[i]
}

// zero reports whether the pseudocount of some feature of s is 0.
func (p pseudocounts) zero(s *statistics) bool {
	if p.of == nil {
		return p.each == 0 && s.size > 0
	}
	return slices.ContainsFunc(s.existing(), func(i int) bool { return p.of[i] == 0 })
}

// Additive adds this number to the count of every feature in every class. Additive(1) is
// Laplace's rule, a smaller number Lidstone's, and Additive(0) is maximum
// likelihood: a feature never seen in a class then makes that class impossible. It
// is at most 1e150, so that sums over features are numbers.
type Additive float64

func (a Additive) String() string { return formatFloat(float64(a)) }

func (a Additive) pseudocounts(s *statistics) (pseudocounts, error) {
	if err := checkAlpha(float64(a)); err != nil {
		return pseudocounts{}, err
	}
	return pseudocounts{each: float64(a), total: float64(a) * float64(s.size)}, nil
}

func checkAlpha(a float64) error {
	if !(a >= 0 && a <= maxNumber) {
		return fmt.Errorf("smoothing must be a number from 0 up to 1e150, not %v", a)
	}
	return nil
}

// PerFeature gives each feature pseudocounts of its own. The estimate is the mode
// of the posterior under a Dirichlet prior whose parameters are one more than these.
type PerFeature struct {
	Alpha map[string]float64
	Else  float64 // of the features not in Alpha
}

// String returns the number of Else and then FEATURE=ALPHA for each feature of
// Alpha, sorted, with commas between.
func (p PerFeature) String() string {
	return formatFloat(p.Else) + "," + specgrammar.JoinShares(p.Alpha)
}

func (p PerFeature) pseudocounts(s *statistics) (pseudocounts, error) {
	of := make([]float64, s.rows.Len())
	var total doubledouble.Sum
	for i := range of {
		if !s.has(i) {
			continue
		}
		a, ok := p.Alpha[string(s.index.Bytes(i))]
		if !ok {
			a = p.Else
		}
		if err := checkAlpha(a); err != nil {
			return pseudocounts{}, fmt.Errorf("feature %q: %w", s.index.Bytes(i), err)
		}
		of[i] = a
		total.Add(a)
	}
	return pseudocounts{of: of, total: total.Float()}, nil
}

// orLaplace returns s, or what nil means.
func orLaplace(s Smoothing) Smoothing { return cmp.Or[Smoothing](s, Additive(1)) }

// additive returns the smoothing of an event model that may be gridded.
func additive(s Smoothing) (alpha float64, ok bool) {
	a, ok := orLaplace(s).(Additive)
	return float64(a), ok && a >= sweep.MinAlpha && a <= 1/sweep.MinAlpha
}
