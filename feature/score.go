package feature

import (
	"fmt"
	"math"
)

// A Score measures how much a feature tells about the class. The scores are
// [ChiSquare] and [MutualInformation].
type Score interface {
	// String returns the name of the score, as [ParseScore] reads it.
	String() string

	// OfPresence reports whether the score is of the examples that have the feature. If
	// not, it is of the sums of the feature's values.
	OfPresence() bool

	// Of returns the score of a feature that was observed so often in each class, of classes
	// of these weights: as many examples, if all weigh 1. Larger is better.
	Of(observed, weights []float64) float64
}

var (
	_ Score = ChiSquare{}
	_ Score = MutualInformation{}
)

// ChiSquare measures how far the counts O of a feature are from those expected
// if it were independent of the class, E = N(c)/N · Σ O:
//
//	χ² = Σ (O - E)² / E
//
// By default O is the sum of the feature's values in each class, as in
// scikit-learn's chi2.
type ChiSquare struct {
	Presence bool // O is the weight of the examples that have the feature
	Absence  bool // and there is a further term for those that lack it: Introduction to Information Retrieval, 13.5.2
}

// String returns chi2, chi2-presence or chi2-documents.
func (x ChiSquare) String() string {
	switch {
	case x.Absence:
		return "chi2-documents"
	case x.Presence:
		return "chi2-presence"
	}
	return "chi2"
}

// OfPresence implements [Score].
func (x ChiSquare) OfPresence() bool { return x.Presence || x.Absence }

// Of implements [Score].
func (x ChiSquare) Of(observed, weights []float64) float64 {
	total, all := sum(observed), sum(weights)
	var chi float64
	for k, o := range observed {
		share := weights[k] / all
		chi += squareOver(o-share*total, share*total)
		if x.Absence {
			chi += squareOver((weights[k]-o)-share*(all-total), share*(all-total))
		}
	}
	return chi
}

// squareOver returns d²/e, and zero where nothing is expected.
func squareOver(d, e float64) float64 {
	if e <= 0 {
		return 0
	}
	return d * d / e
}

// MutualInformation measures, in nats, how much the presence or absence of a
// feature tells about the class:
//
//	I = Σ P(t,c) · ln( P(t,c) / (P(t)·P(c)) )
//
// over t present and absent and all classes c (Introduction to Information
// Retrieval, 13.5.1, where it is in bits).
type MutualInformation struct{}

// String returns mi.
func (MutualInformation) String() string { return "mi" }

// OfPresence implements [Score].
func (MutualInformation) OfPresence() bool { return true }

// Of implements [Score].
func (MutualInformation) Of(observed, weights []float64) float64 {
	total, all := sum(observed), sum(weights)
	var information float64
	add := func(joint, feature, class float64) {
		if joint > 0 {
			information += joint / all * math.Log(joint*all/(feature*class))
		}
	}
	// The examples of each class fall into those with the feature and those without. Each of
	// these cells adds P(t,c) ln(P(t,c) / (P(t)P(c))).
	for k, o := range observed {
		add(o, total, weights[k])
		add(weights[k]-o, all-total, weights[k])
	}
	return information
}

func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// ParseScore returns the score called name: chi2, chi2-presence, chi2-documents or mi.
func ParseScore(name string) (Score, error) {
	for _, s := range []Score{ChiSquare{}, ChiSquare{Presence: true}, ChiSquare{Absence: true}, MutualInformation{}} {
		if s.String() == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("unknown score %q: want chi2, chi2-presence, chi2-documents or mi", name)
}
