package bayes

import (
	"math"

	"bayes/internal/bags"
)

// A likelihood is the fitted form of an event model, for one block.
type likelihood interface {
	// data returns what the likelihood was fitted to.
	data() *statistics

	// add adds ln P(x|c) to joint for each class c, and returns how many of
	// x's features the likelihood knows.
	add(joint []float64, x *bag) (known int)

	// weigh returns what the feature f adds to the score of each class, and
	// whether f is known.
	weigh(f bags.Term) (scores []float64, ok bool)

	// rest returns what the features that x lacks add to each class; nil where
	// absence means nothing.
	rest(x *bag) []float64

	// counted reports whether a feature's value multiplies its weight.
	counted() bool

	// factors returns how the score of the known feature f comes about in each
	// class.
	factors(f bags.Term) []Factor
}

// weighted is a likelihood with one weight for each feature and class.
type weighted interface {
	likelihood

	// weights sets the weights of feature i by class.
	weights(weights []float64, i int)
}

// normal is the likelihood of a number that is normally distributed in each class.
type normal interface {
	parameters() (mean, variance []float64)
}

// A valuer is a likelihood that gives the features of a document values of its own.
type valuer interface{ valued(x *bag) *bag }

// A corrective is a likelihood part of whose weights are corrections.
type corrective interface {
	correctionOf(f bags.Term) []float64
	derive(factors []Factor, f bags.Term, raw float64)
}

// valuesOf returns x with the values that part reads.
func valuesOf(part likelihood, x *bag) *bag {
	if v, ok := part.(valuer); ok {
		return v.valued(x)
	}
	return x
}

// fitEach fits each block with fit.
func fitEach[L likelihood](blocks []*statistics, fit func(s *statistics) (L, error)) ([]likelihood, error) {
	var all []likelihood
	for _, s := range blocks {
		l, err := fit(s)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// logRatio returns ln(a/b) of ln a and ln b, and -Inf where a is zero, whatever
// b is.
func logRatio(logA, logB float64) float64 {
	if !(logA > math.Inf(-1)) { // zero, or below it by a rounding error
		return math.Inf(-1)
	}
	return logA - logB
}

// A Factor is the estimate of one feature's probability in one class,
//
//	P = (Count + Smoothing) / (Total + TotalSmoothing),
//
// or, of a number, the density of Value: with Variance above 0 that of the
// normal distribution with that Mean and Variance.
type Factor struct {
	Feature                                 string
	Times                                   float64 // how often the document has it
	Count, Smoothing, Total, TotalSmoothing float64
	Absent                                  bool    // the factor is 1 - P
	Complement                              bool    // P is that of all other classes, and the factor is its inverse
	Norm                                    float64 // the weight is divided by it; only with Complement
	Rest                                    *Factor // with OneVersusRest the estimate for all other classes: the factor is √(P / Rest.P)
	Number                                  bool    // the feature is a number
	Value, Mean, Variance                   float64 // of a number
	Corrected                               bool    // Log is Trust times the logarithm of the factor, and Correction; Trust may be that in a class newer than the correction
	Trust, Correction                       float64 // with Corrected
	Occurs, IDF, Length                     float64 // with Corrected, of a text: its value, which Times is unless presence counts, is (1 + ln Occurs)·IDF / Length; Occurs below 1 is not dampened
	Log                                     float64 // what one occurrence adds to the score
}

// P returns the estimate, in [0,1]; zero where nothing was counted.
func (f Factor) P() float64 {
	if f.Count+f.Smoothing <= 0 {
		return 0
	}
	return (f.Count + f.Smoothing) / (f.Total + f.TotalSmoothing)
}
