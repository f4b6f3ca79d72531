package bayes

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"bayes/internal/doubledouble"
	"bayes/internal/specgrammar"
)

// A Prior gives the probability of each class before the document is seen. The priors are
// [EmpiricalPrior], [UniformPrior] and [GivenPrior].
type Prior interface {
	// String returns the prior in the form read by [ParsePrior].
	String() string

	logPrior(s *statistics) ([]float64, error)
}

var (
	_ Prior = EmpiricalPrior{}
	_ Prior = UniformPrior{}
	_ Prior = GivenPrior(nil)
)

// EmpiricalPrior is the share of each class in the examples' weight:
//
//	P(c) = N(c) / Σ N
//
// Where a document may have several labels, the sum is over all examples, and the probabilities of the
// labels do not sum to one.
type EmpiricalPrior struct{}

func (EmpiricalPrior) String() string { return "empirical" }

func (EmpiricalPrior) logPrior(s *statistics) ([]float64, error) {
	var total doubledouble.Sum
	for _, w := range s.whole().weight {
		total.Add(w)
	}
	prior := make([]float64, len(s.weight))
	for k, w := range s.weight {
		prior[k] = math.Log(w) - math.Log(total.Float())
	}
	return prior, nil
}

// UniformPrior gives every class the same probability: the most probable class is then that of
// maximum likelihood. Where a document may have several labels, it is one half of each.
type UniformPrior struct{}

func (UniformPrior) String() string { return "uniform" }

func (UniformPrior) logPrior(s *statistics) ([]float64, error) {
	prior := make([]float64, len(s.classes))
	n := len(prior)
	if s.sets != nil {
		n = 2
	}
	for k := range prior {
		prior[k] = -math.Log(float64(n))
	}
	return prior, nil
}

// GivenPrior is a prior known from elsewhere: a probability for each class, by label. They must
// sum to one.
type GivenPrior map[string]float64

func (g GivenPrior) String() string { return specgrammar.JoinShares(g) }

func (g GivenPrior) logPrior(s *statistics) ([]float64, error) {
	if err := specgrammar.CheckDistribution(g); err != nil {
		return nil, err
	}
	if s.sets != nil {
		return nil, errors.New("the shares of several labels a document do not sum to 1: want empirical or uniform")
	}
	for _, label := range slices.Sorted(maps.Keys(g)) {
		if _, ok := slices.BinarySearch(s.classes, label); !ok {
			return nil, fmt.Errorf("%q is none of the classes %q", label, s.classes)
		}
	}
	prior := make([]float64, len(s.classes))
	for k, label := range s.classes {
		p, ok := g[label]
		if !ok {
			return nil, fmt.Errorf("nothing is said of class %q", label)
		}
		prior[k] = math.Log(p)
	}
	return prior, nil
}

// ParsePrior returns the prior that s describes: "empirical", "uniform" or "ham=0.8,spam=0.2".
// Labels with a space, a comma, an equals sign or a quotation mark are quoted as in Go.
func ParsePrior(s string) (Prior, error) {
	switch s {
	case "empirical":
		return EmpiricalPrior{}, nil
	case "uniform":
		return UniformPrior{}, nil
	}
	shares, err := specgrammar.ParseShares(s)
	if err != nil {
		return nil, fmt.Errorf("bayes: prior %.100q: %w (want empirical, uniform or LABEL=P,LABEL=P)", s, err)
	}
	g := GivenPrior(shares)
	if err := specgrammar.CheckDistribution(g); err != nil {
		return nil, fmt.Errorf("bayes: prior %.100q: %w", s, err)
	}
	return g, nil
}

func orEmpirical(p Prior) Prior { return cmp.Or[Prior](p, EmpiricalPrior{}) }
