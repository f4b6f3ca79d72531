package bayes

import (
	"math"
	"slices"

	"bayes/internal/rows"
)

// Event models that differ in an additive smoothing only are worked out together,
// for all smoothings α at once, straight from the counts: no model is fitted. What a
// class makes of a document is a product of n + α over the document's terms, where n is
// how often the class has counted the term, or a like number. Products stand side by
// side by α, and one logarithm is taken of each. A term that few classes have touches
// these alone; what it adds to the others is added for all terms at once.

// A group is some event models that differ in smoothing only.
type group struct {
	number  int // among the groups
	ems     []EventModel
	members []int     // what these are, of all event models
	alphas  []float64 // likewise; nil if they cannot be swept
}

// groups returns the event models by group, in order of first appearance.
func groups(ems []EventModel) []*group {
	var list []*group
	byKey := make(map[string]*group)
	for m, em := range ems {
		key, alpha, ok := sweepable(em)
		g := byKey[key]
		if g == nil || !ok {
			g = &group{number: len(list)}
			list = append(list, g)
		}
		g.ems, g.members = append(g.ems, em), append(g.members, m)
		if ok {
			byKey[key], g.alphas = g, append(g.alphas, alpha)
		}
	}
	return list
}

// minAlpha bounds the smoothings that are swept, and so does one over it: products of a
// few n + α must be neither too small for a float64 nor too large.
const minAlpha = 1e-100

// sweepable returns what em is but for its smoothing, and the smoothing, if that
// is additive and above zero.
func sweepable(em EventModel) (key string, alpha float64, ok bool) {
	additive := func(s Smoothing) bool {
		a, is := orLaplace(s).(Additive)
		alpha = float64(a)
		return is && a >= minAlpha && a <= 1/minAlpha
	}
	switch m := em.(type) {
	case Multinomial:
		ok = additive(m.Smoothing)
		m.Smoothing = nil
		return m.String(), alpha, ok
	case Complement:
		ok = additive(m.Smoothing)
		m.Smoothing = nil
		return m.String(), alpha, ok
	case Bernoulli:
		ok = additive(m.Smoothing)
		m.Smoothing = nil
		return m.String(), alpha, ok
	case Selected:
		inner, alpha, ok := sweepable(m.model())
		m.Model = Multinomial{}
		return m.String() + inner, alpha, ok
	}
	return "", 0, false
}

// A sweep scores documents under groups of event models that read the same sums, in
// one walk over the terms.
type sweep struct {
	*sums
	groups  []*swept
	places  []int     // of the classes among those of the corpus
	all     []float64 // T(t), by feature
	totals  []float64 // T(c)
	largest float64   // of T(t) and N(c)
	weights []float64 // N(c), by the number of a class
	dense   []int32   // by feature, where in matrix its row is; negative if it is sparse
	matrix  []float64 // dense rows: of each rows.Count, one for each class by its number
	most    int       // what a document has more often is not multiplied as often
}

// A swept is a group of event models, as a sweep scores them.
type swept struct {
	*group
	alphas    []float64 // of the group, and the last one again, up to whole vectors
	logAlphas []float64
	prior     Prior
	logPrior  []float64 // nil if the score is without
	priors    []float64 // the same, or zero, by class and α
	kind      sweptKind
	budget    int // how many n + α may be multiplied before exponents are split off

	logs  []float64  // ln(n + α) by class and α, of each dense row; nil if not kept
	count rows.Count // that n
}

// A sweptKind is what a group of one event model is made of.
type sweptKind interface {
	// joint adds ln P(x|c), up to a number that all classes share, to w.scores.
	joint(w *scorer)
}

// reduced returns what of s the models of g read, and the first of them without what
// selects it.
func (g *group) reduced(s *sums) (*sums, EventModel, error) {
	m, ok := g.ems[0].(Selected)
	if !ok {
		return s, g.ems[0], nil
	}
	s, err := m.reduce(s)
	return s, m.model(), err
}

// maxTimes bounds how often a term is multiplied.
const maxTimes = 16

// newSweep returns a sweep over s, without a group.
func newSweep(s *sums, places []int, space *workspace) *sweep {
	w := &sweep{sums: s, places: places, all: again(&space.all, len(s.rows)), largest: slices.Max(s.weight), most: maxTimes}
	w.totals = s.sumTotals()
	for i, row := range s.rows {
		var all float64
		if s.exact {
			for j := range row {
				all += row[j].Sum
			}
		} else {
			all = rowSum(row)
		}
		w.all[i] = all
		if all > w.largest {
			w.largest = all
		}
	}
	w.pack(space)
	return w
}

// pack makes the rows dense that more than half of the classes have. They are few, and
// what most terms of documents read.
func (s *sweep) pack(space *workspace) {
	s.weights = make([]float64, len(s.position))
	for k, number := range s.order {
		s.weights[number] = s.weight[k]
	}
	s.dense = again(&space.dense, len(s.rows))
	n := 0
	for i, row := range s.rows {
		s.dense[i] = -1
		if 2*len(row) > len(s.classes) {
			s.dense[i] = int32(n)
			n += s.denseSize()
		}
	}
	s.matrix = again(&space.matrix, n)
	clear(s.matrix)
	for i, row := range s.rows {
		if s.dense[i] >= 0 {
			s.fillDense(s.denseRow(i), row, s.all[i])
		}
	}
}

// denseSize returns how many numbers a dense row has.
func (s *sweep) denseSize() int { return int(rows.Counts) * len(s.position) }

func (s *sweep) denseRow(i int) []float64 { return s.matrix[s.dense[i]:][:s.denseSize()] }

// fillDense makes a row dense, given the sum of its values.
func (s *sweep) fillDense(dense []float64, row []cell, all float64) {
	classes := len(s.position)
	for k, weight := range s.weights {
		dense[int(rows.Others)*classes+k] = all
		dense[int(rows.Absent)*classes+k] = weight
	}
	f := rows.Factor{Cells: row, All: all}
	for count := range rows.Counts {
		count.Fill(dense[int(count)*classes:][:classes], &f, s.weights)
	}
}

// add adds the group of em.
func (s *sweep) add(g *group, em EventModel) error {
	if len(s.groups) == 0 {
		if err := s.nonNegative(name(em)); err != nil {
			return err
		}
	}
	w := &swept{group: g, prior: orEmpirical(em.prior())}
	w.setAlphas(s.largest)
	switch m := em.(type) {
	case Multinomial:
		w.kind = newMultinomialSweep(s, w)
	case Complement:
		w.kind, w.count = newComplementSweep(s, w, m.Normalize), rows.Others
	case Bernoulli:
		w.kind = newBernoulliSweep(s, w)
	}
	logPrior, err := w.prior.logPrior(s.sums)
	if err != nil {
		return err
	}
	if _, complement := em.(Complement); !complement || len(logPrior) == 1 {
		w.logPrior = logPrior
	}
	w.priors = make([]float64, len(s.classes)*len(w.alphas))
	fillRows(w.priors, w.logPrior)
	s.most = min(s.most, w.budget)
	s.groups = append(s.groups, w)
	return nil
}

// maxLogs bounds how many logarithms a group keeps.
const maxLogs = 1 << 25

// keepLogs works out the logarithms of dense rows, if they are not too many, for documents
// whose values are not whole.
func (s *sweep) keepLogs() {
	classes := len(s.position)
	for _, g := range s.groups {
		n := len(s.matrix) / int(rows.Counts) * len(g.alphas)
		if _, bernoulli := g.kind.(*bernoulliSweep); bernoulli || n > maxLogs {
			continue
		}
		g.logs = make([]float64, 0, n)
		for row := s.matrix; len(row) > 0; row = row[s.denseSize():] {
			g.logs = g.appendLogsOf(g.logs, row, g.count, classes)
		}
	}
}

// setAlphas sets the smoothings, and the budget with which a product of counts up to
// largest stays within what a float64 can be.
func (w *swept) setAlphas(largest float64) {
	for len(w.alphas) < len(w.members) || len(w.alphas)%rows.Vector > 0 {
		alpha := w.group.alphas[min(len(w.alphas), len(w.members)-1)]
		w.alphas, w.logAlphas = append(w.alphas, alpha), append(w.logAlphas, math.Log(alpha))
	}
	bits := 1 + max(math.Log2(largest+slices.Max(w.alphas)), -math.Log2(slices.Min(w.alphas)))
	w.budget = max(1, int(1000/bits))
}

// appendLogs appends ln(n + α·size) for each α.
func (g *swept) appendLogs(dst []float64, n, size float64) []float64 {
	from := len(dst)
	for _, alpha := range g.alphas {
		dst = append(dst, n+alpha*size)
	}
	rows.Log(dst[from:])
	return dst
}

// appendLogsOf appends ln(n + α) by class and α, n being a count of a dense row.
func (g *swept) appendLogsOf(dst, row []float64, count rows.Count, classes int) []float64 {
	from := len(dst)
	for _, n := range row[int(count)*classes:][:classes] {
		for _, alpha := range g.alphas {
			dst = append(dst, n+alpha)
		}
	}
	rows.Log(dst[from:])
	return dst
}
