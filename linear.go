package bayes

import "math"

// A likelihood is the fitted form of an event model.
type likelihood interface {
	// add adds ln P(x|c) to joint for each class c, and returns how many of
	// x's features the likelihood knows.
	add(joint []float64, x *features) (known int)

	// weigh returns what the feature f adds to the score of each class, and
	// whether f is known.
	weigh(f term) (weights []float64, number int, ok bool)

	// weight returns what one occurrence of feature i adds to class k.
	weight(i, k int) float64

	// rest returns what the features that x lacks add to each class; nil where
	// absence means nothing.
	rest(x *features) []float64

	// presence reports whether a feature's value matters only as present or
	// absent.
	presence() bool

	// factor returns how the weight of feature i in class k comes about.
	factor(i, k int) Factor
}

// linear is a log-likelihood of the form
//
//	ln P(x|c) = bias(c) + Σ v(f) · weight(f, c)
//
// over the features f of the document x.
type linear struct {
	*sums
	weights []float64 // by feature, then by class
	ratio   func(i, k int) Factor
}

func newLinear(s *sums, ratio func(i, k int) Factor) *linear {
	return &linear{sums: s, weights: make([]float64, len(s.rows)*len(s.classes)), ratio: ratio}
}

// row returns the weights of feature i.
func (l *linear) row(i int) []float64 {
	n := len(l.classes)
	return l.weights[i*n : i*n+n : i*n+n]
}

func (l *linear) add(joint []float64, x *features) (known int) {
	for _, f := range x.terms {
		i, ok := l.lookup(f)
		if !ok {
			continue
		}
		known++
		for k, w := range l.row(i) {
			joint[k] += f.value * w
		}
	}
	return known
}

func (l *linear) weigh(f term) ([]float64, int, bool) {
	i, ok := l.lookup(f)
	if !ok {
		return nil, 0, false
	}
	weights := make([]float64, len(l.classes))
	for k, w := range l.row(i) {
		weights[k] = f.value * w
	}
	return weights, i, true
}

func (l *linear) rest(*features) []float64 { return nil }

func (l *linear) weight(i, k int) float64 { return l.row(i)[k] }

func (l *linear) presence() bool { return false }

func (l *linear) factor(i, k int) Factor { return l.ratio(i, k) }

// logRatio returns ln(a/b) of ln a and ln b, and -Inf where a is zero, whatever
// b is.
func logRatio(logA, logB float64) float64 {
	if !(logA > math.Inf(-1)) { // zero, or below it by a rounding error
		return math.Inf(-1)
	}
	return logA - logB
}

// logs remembers the logarithm it was asked for last.
type logs struct {
	known    bool
	arg, log float64
}

func (l *logs) of(v float64) float64 {
	if !l.known || v != l.arg {
		l.known, l.arg, l.log = true, v, math.Log(v)
	}
	return l.log
}
