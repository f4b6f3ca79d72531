package bayes

import (
	"slices"

	"bayes/internal/intern"
	"bayes/internal/parallel"
	"bayes/internal/prefetch"
)

// linear is a log-likelihood of the form
//
//	ln P(x|c) = bias(c) + Σ v(f) · weight(f, c)
//
// over the features f of the document x. ready computes the weights. It need not be called to
// check that a model can be fitted.
type linear struct {
	*statistics
	ratio   func(i, k int) Factor // the estimate behind the weight of feature i in class k
	fill    func(from, to int)    // computes the rows of the features from one ID to below another
	finish  func()                // is called once all rows are computed; may be nil
	weights []float64             // by feature ID, then by class
}

func newLinear(s *statistics, ratio func(i, k int) Factor) *linear {
	return &linear{statistics: s, ratio: ratio}
}

// ready computes the weights, on all cores.
func (l *linear) ready() {
	l.weights = make([]float64, len(l.rows)*len(l.classes))
	parallel.For(len(l.rows), 1<<12, l.fill)
	if l.finish != nil {
		l.finish()
	}
}

// row returns the weights of feature i.
func (l *linear) row(i int) []float64 {
	n := len(l.classes)
	return l.weights[i*n : i*n+n : i*n+n]
}

func (l *linear) add(joint []float64, x *bag) (known int) {
	var numbers [intern.Batch]int32
	for terms := range slices.Chunk(x.terms, intern.Batch) {
		l.find(terms, numbers[:len(terms)])
		prefetch.Rows(l.weights, len(l.classes), numbers[:len(terms)])
		for j := range terms {
			if i := int(numbers[j]); i >= 0 {
				known++
				for k, w := range l.row(i) {
					joint[k] += terms[j].value * w
				}
			}
		}
	}
	return known
}

func (l *linear) data() *statistics { return l.statistics }

func (l *linear) weigh(f term) ([]float64, bool) {
	i, ok := l.lookup(f)
	if !ok {
		return nil, false
	}
	scores := make([]float64, len(l.classes))
	for k, w := range l.row(i) {
		scores[k] = f.value * w
	}
	return scores, true
}

func (l *linear) rest(*bag) []float64 { return nil }

func (l *linear) counted() bool { return true }

func (l *linear) weight(i, k int) float64 {
	return l.row(i)[k]
}

func (l *linear) factor(f term, k int) Factor {
	i, _ := l.lookup(f)
	return l.ratio(i, k)
}
