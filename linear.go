package bayes

import (
	"errors"
	"math"
	"sync/atomic"

	"bayes/internal/bags"
	"bayes/internal/intern"
	"bayes/internal/shrinkage"
	"bayes/internal/sparse"
)

// linear is a log-likelihood that is a weighted sum of the values v of a document's features. The
// weight of feature t in class c is
//
//	w(t, c) = scale(c)·unseen(t) + bias(c) + gain(t, c)
//
// where the gain is zero in each class that has no cell of t. So there is no table of weights: the
// score of a document is n·bias(c) + scale(c)·Σ v·unseen(t), with n = Σ v, and the gains of the
// cells that exist, which are worked out from the counts as they are read.
//
// Without smoothing, what a feature adds to the classes that have not seen it may be infinite, and
// minus infinity is not taken off again by a gain. Then unseen(t) is left out of the sum, and added
// to the classes without a cell alone.
type linear struct {
	*statistics
	gains    func(gains []float64, i int, row []sparse.Cell) (unseen float64) // sets the gain of each cell of feature i
	ratio    ratio
	bias     []float64                    // by class
	biasOf   func(i int) []float64        // of feature i, in place of bias; nil if bias is for all
	scale    []float64                    // by class; nil if all are 1
	presence bool                         // whether a value says only that a feature is present
	kept     atomic.Pointer[sparse.Gains] // of the features that were read; nil before the first
}

// A ratio returns the estimate behind the weight of feature i in class k, which has this cell. all is
// the sum of the row.
type ratio func(i, k int, cell sparse.Moments, all float64) Factor

// newLinear returns a linear whose biases are zero. Where unseen(i) is infinite, gains are set as
// if it were zero.
func newLinear(s *statistics, ratio ratio, gains func(gains []float64, i int, row []sparse.Cell) (unseen float64)) *linear {
	return &linear{
		statistics: s, gains: gains, ratio: ratio, bias: make([]float64, len(s.classes)),
	}
}

// newAgainstRest returns what is said of each class against all others, times a share: its weights are that of
// ln(T(t,c) + α) - ln(T(t,¬c) + α), and the biases.
func newAgainstRest(s *statistics, alpha pseudocounts, share float64) *linear {
	totals, others := s.totalSums(), s.complementTotals()
	logs := new(sparse.Logs)
	l := newLinear(s, func(i, k int, cell sparse.Moments, all float64) Factor {
		f := Factor{Count: cell.Sum, Smoothing: alpha.at(i), Total: totals[k], TotalSmoothing: alpha.total}
		f.Rest = &Factor{Count: all - f.Count, Smoothing: f.Smoothing, Total: others[k], TotalSmoothing: f.TotalSmoothing}
		return f
	}, func(gains []float64, i int, row []sparse.Cell) (unseen float64) {
		// A class that lacks the term has its whole sum as complement.
		all, alpha := s.rowSum(i, row), alpha.at(i)
		unseen = logRatio(logs.Of(0, alpha), logs.Of(all, alpha)) * share
		for j := range row {
			gains[j] = logRatio(logs.Of(row[j].Sum, alpha), logs.Of(all-row[j].Sum, alpha))*share - sparse.Finite(unseen)
		}
		return unseen
	})
	for k := range l.bias {
		l.bias[k] = (sparse.Finite(sparse.Log(others[k]+alpha.total)) - sparse.Finite(sparse.Log(totals[k]+alpha.total))) * share
	}
	return l
}

// setBias makes the bias of each class -ln(total + smoothing). A class that has nothing counted
// has no cells, and without smoothing each feature makes it impossible, so its bias says nothing.
func (l *linear) setBias(totals []float64, smoothing float64) {
	for k, n := range totals {
		l.bias[k] = -sparse.Finite(sparse.Log(n + smoothing))
	}
}

// shrink shrinks the estimates of P(t|c) along a tree of labels, if there is one. Weights have this many times
// their logarithm. All terms then weigh differently in classes that lack them.
func (l *linear) shrink(separator string, flat bool, alpha pseudocounts, times float64) error {
	switch {
	case separator == "":
		return nil
	case l.sets != nil:
		return errors.New("a tree of labels is for documents of one label each")
	case flat:
		return nil
	case alpha.zero(l.statistics):
		return errors.New("a tree of labels needs a smoothing above 0")
	}
	rule, ratio := l.rule(), l.ratio
	e := shrinkage.Learn(shrinkage.Counts{
		Labels: l.classes, Examples: l.examples, Totals: l.totalSums(), Position: l.sortedIndex, Rows: l.rows.All(),
		Smoothing: alpha.at, Whole: alpha.total,
	}, separator)
	l.ratio = func(i, k int, cell sparse.Moments, all float64) Factor {
		f := ratio(i, k, cell, all)
		f.Smoothing, f.TotalSmoothing = e.Pseudocounts(k, i, l.rows.At(i))
		return f
	}
	l.gains = func(gains []float64, _ int, _ []sparse.Cell) (unseen float64) { clear(gains); return 0 }
	l.biasOf = func(i int) []float64 {
		weights := make([]float64, len(l.classes))
		rule.Set(weights, i, l.rows.At(i))
		e.Shrink(weights, times, i, l.rows.At(i))
		return weights
	}
	l.bias = make([]float64, len(l.classes))
	return nil
}

func (l *linear) add(joint []float64, x *bag) (known int) {
	var n, all float64 // Σ v and Σ v·unseen
	kept, b := l.kept.Load(), &x.Batch
	if kept == nil {
		l.kept.CompareAndSwap(nil, sparse.NewGains(l.rule()))
		kept = l.kept.Load()
	}
	for from := 0; from < len(x.Terms); from += intern.Batch { // a range function would keep the sums in memory
		terms := x.Terms[from:min(from+intern.Batch, len(x.Terms))]
		l.find(terms, b.Numbers[:len(terms)])
		for j := range terms {
			b.Values[j] = terms[j].Value
			known += 1 + int(b.Numbers[j]>>31) // negative numbers are of no feature
		}
		if l.presence {
			for j := range terms {
				if b.Values[j] = 1; terms[j].Value <= l.threshold {
					b.Numbers[j] = -1
				}
			}
		}
		more, unseen := kept.Add(joint, b, len(terms))
		n, all = n+more, all+unseen
	}
	if math.IsInf(all, 0) || math.IsNaN(all) {
		all = l.addInfinities(joint, x)
	}
	if l.scale == nil {
		for k, b := range l.bias {
			joint[k] += n*b + all
		}
		return known
	}
	for k, b := range l.bias {
		joint[k] += n*b + all*l.scale[k]
	}
	return known
}

// rule says what features weigh.
func (l *linear) rule() sparse.Weights {
	return sparse.Weights{Rows: &l.rows, Position: l.sortedIndex, Gains: l.gains, Bias: l.bias, BiasOf: l.biasOf, Scale: l.scale}
}

// addInfinities adds what is infinite in Σ v·unseen to the classes that have not seen the feature,
// and returns the sum of the rest.
func (l *linear) addInfinities(joint []float64, x *bag) (rest float64) {
	var without sparse.Infinities
	for _, t := range x.Terms {
		i, ok := l.lookup(t)
		if !ok || l.presence && t.Value <= l.threshold {
			continue
		}
		if l.presence {
			t.Value = 1
		}
		unseen := l.gains(make([]float64, len(l.rows.At(i))), i, l.rows.At(i))
		if math.IsInf(unseen, 0) {
			without.Count(l.rows.At(i), l.sortedIndex, t.Value*unseen)
		} else {
			rest += t.Value * unseen
		}
	}
	without.Add(joint)
	return rest
}

func (l *linear) data() *statistics { return l.statistics }

// weights sets the weights of feature i by class: the scores of the feature alone.
func (l *linear) weights(weights []float64, i int) {
	rule := l.rule()
	rule.Set(weights, i, l.rows.At(i))
}

func (l *linear) weigh(f bags.Term) ([]float64, bool) {
	i, ok := l.lookup(f)
	if !ok {
		return nil, false
	}
	scores := make([]float64, len(l.classes))
	l.weights(scores, i)
	for k := range scores {
		scores[k] *= f.Value
	}
	return scores, true
}

func (l *linear) rest(*bag) []float64 { return nil }

func (l *linear) counted() bool { return true }

func (l *linear) factors(f bags.Term) []Factor {
	i, _ := l.lookup(f)
	row, list := l.rows.At(i), make([]Factor, len(l.classes))
	cells, all := make([]sparse.Moments, len(list)), l.rowSum(i, row)
	for _, c := range row {
		cells[l.sortedIndex[c.Class]] = c.Moments
	}
	for k := range list {
		list[k] = l.ratio(i, k, cells[k], all)
	}
	return list
}
