package bayes

import (
	"fmt"
	"slices"

	"bayes/internal/bags"
	"bayes/internal/density"
	"bayes/internal/intervals"
)

var _ EventModel = Kernel{}

// Kernel models each number in each class by a kernel density: the mean of normal curves, one
// around each value that was seen,
//
//	P(x|c) = Σ n(v,c) · N(x; v, h²) / N(c),  h = range / √N(c),
//
// where the range is that between the class's least and largest value (John and Langley 1995,
// section 3; the width is Weka's). No curve is narrower than a sixth of the mean distance of
// neighbouring values, since numbers are rounded when they are written.
//
// It needs the values themselves, so the [Space] must say NumberValues. They are counts like any
// other: they add and subtract.
type Kernel struct {
	Prior Prior // nil means EmpiricalPrior
}

func parseKernel(o *options) EventModel { return Kernel{Prior: o.prior()} }

func (m Kernel) String() string { return fmt.Sprintf("kernel prior=%v", orEmpirical(m.Prior)) }

func (m Kernel) prior() Prior { return m.Prior }

func (m Kernel) models(kind attrKind) bool { return kind == numberAttr }

func (m Kernel) fit(blocks []*statistics) ([]likelihood, error) { return fitEach(blocks, m.fitBlock) }

func (m Kernel) fitBlock(s *statistics) (*kernel, error) {
	values, err := s.values("kernel")
	if err != nil {
		return nil, err
	}
	densities := density.Kernels(values, s.weight)
	return &kernel{numeric{s, func(v float64, k int) float64 { return densities[k].Log(v) }}}, nil
}

// kernel is the fitted form of [Kernel] for one number.
type kernel struct{ numeric }

// numeric is the part that the likelihoods of numbers with a density have in common.
type numeric struct {
	*statistics
	logDensity func(v float64, k int) float64 // of the class of index k
}

func (n *numeric) data() *statistics { return n.statistics }

func (n *numeric) add(joint []float64, x *bag) int {
	for k := range joint {
		joint[k] += n.logDensity(x.Terms[0].Value, k)
	}
	return 1
}

func (n *numeric) weigh(f bags.Term) ([]float64, bool) {
	scores := make([]float64, len(n.classes))
	for k := range scores {
		scores[k] = n.logDensity(f.Value, k)
	}
	return scores, true
}

func (n *numeric) rest(*bag) []float64 { return nil }

func (n *numeric) counted() bool { return false }

func (n *kernel) factors(f bags.Term) []Factor {
	return slices.Repeat([]Factor{{Number: true, Value: f.Value}}, len(n.classes))
}

// values returns the values that were seen of a number, rising.
func (s *statistics) values(model string) ([]intervals.Value, error) {
	var values []intervals.Value
	for i, row := range s.rows.All() {
		if len(row) == 0 {
			continue
		}
		vc := intervals.Value{V: parseValue(s.index.Bytes(i)), Weight: make([]float64, len(s.classes))}
		for _, c := range row {
			vc.Weight[s.sortedIndex[c.Class]] = c.Present
		}
		values = append(values, vc)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s needs every value of %s, but only its moments were counted", model, s.id)
	}
	slices.SortFunc(values, func(a, b intervals.Value) int {
		if a.V < b.V {
			return -1
		}
		return 1
	})
	return values, nil
}
