// Package sweep scores documents under a grid of additive smoothings α, straight from the
// counts: no model is fitted.
//
// The likelihood of a document in a class is a product of n + α over the document's terms,
// where n is how often the class has counted the term, or another count of it. The products
// of all α are next to each other, and one logarithm is taken of each at the end:
//
//	Σ v·ln(n + α) = ln Π (n + α)^v
//
// A [Grid] reads the counts of one block of features, in [Statistics], for one or more
// [Group]s of event models that differ in α alone. A [Scorer] scores one document after the
// other, if wanted as if the document itself had not been counted (leave-one-out).
//
// # Dense and sparse rows
//
// Few terms occur in more than half of the classes, but nine in ten of the counts that
// documents read belong to them. Their rows are made dense: for one class after the other,
// the products stay in registers while the terms are multiplied. For a term of a sparse
// row, only the classes that have the term are visited. What such terms add to classes that
// lack them is added for all terms at once.
package sweep

import (
	"math"
	"slices"

	"bayes/internal/sparse"
	"bayes/internal/vecmath"
)

// Statistics are the counts of one block of features. Classes have two numberings: their
// IDs, by which cells name them, and their order, sorted by label.
type Statistics struct {
	Rows      [][]sparse.Cell // by feature
	IDs       []int           // of each class, in sorted order
	Sorted    []int           // of each class ID, the class's place in sorted order; -1 if the class does not exist
	Weight    []float64       // N(c): the weight of each class's examples, in sorted order
	Totals    []float64       // T(c): the sum of all values of each class, in sorted order
	Size      int             // |V|: how many features exist
	Declared  bool            // whether a feature exists though its row is empty
	Exact     bool            // whether sums of values are exact whatever their order
	Threshold float64         // a feature is present in a document if its value exceeds this
}

// A Kind is one of the event models that a Grid scores.
type Kind int

// The event models.
const (
	Multinomial Kind = iota
	Complement
	NormalizedComplement
	Bernoulli
	OneVersusRest
)

// A Group is event models that differ in an additive smoothing alone.
type Group struct {
	Kind   Kind
	Alphas []float64 // of each event model, from MinAlpha to 1/MinAlpha

	// LogPrior returns ln P(c), given N(c), both in sorted order.
	LogPrior func(weight []float64) ([]float64, error)
}

// MinAlpha bounds the smoothings of a Grid, and 1/MinAlpha bounds them above: the product of
// a few n + α must be within the range of a float64.
const MinAlpha = 1e-100

// maxTimes bounds how often a term is multiplied.
const maxTimes = 16

// A Grid scores documents under groups of event models that read the same counts, in one
// walk over a document's terms.
type Grid struct {
	Statistics
	groups []*group

	all      []float64 // T(t), by feature
	largest  float64   // of T(t) and N(c)
	weights  []float64 // N(c), by class ID
	dense    []int32   // by feature, where its row is in matrix; -1 if the row is sparse
	matrix   []float64 // dense rows: denseCounts counts of each class, by class ID
	maxTimes int       // a term with a larger value is not multiplied that often: its logarithm is
}

// A Workspace is memory that one Grid after the other uses: fresh memory of the system costs
// more. The zero Workspace is empty.
type Workspace struct {
	all    []float64
	dense  []int32
	matrix []float64
}

// A group is a Group as its Grid scores it.
type group struct {
	alphas    []float64 // of the Group, and the last one again up to a multiple of vecmath.Vector
	logAlphas []float64
	logPrior  func(weight []float64) ([]float64, error) // nil if scores have no prior
	priors    []float64                                 // ln P(c), or zero, by class and α
	model     model
	rescale   int // how many n + α may be multiplied before exponents are split off

	logs   [denseCounts][]float64 // by count n: ln(n + α) by dense row, class ID and α; nil if not kept
	counts []count                // those worth keeping
}

// A model is what is specific to a Kind.
type model interface {
	// joint adds ln P(x|c) to s.scores, up to a number that all classes share.
	joint(s *groupScorer)
}

// New returns a Grid without a group. It uses the Workspace until the next Grid does.
func New(s Statistics, w *Workspace) *Grid {
	g := &Grid{Statistics: s, all: sparse.Reuse(&w.all, len(s.Rows)), largest: slices.Max(s.Weight), maxTimes: maxTimes}
	for i, row := range s.Rows {
		var all float64
		if s.Exact {
			for j := range row {
				all += row[j].Sum
			}
		} else {
			all = sparse.RowSum(row)
		}
		g.all[i] = all
		if all > g.largest {
			g.largest = all
		}
	}
	g.pack(w)
	return g
}

// pack makes the rows dense that more than half of the classes have.
func (g *Grid) pack(w *Workspace) {
	g.weights = make([]float64, len(g.Sorted))
	for k, id := range g.IDs {
		g.weights[id] = g.Weight[k]
	}
	// Decide which rows are dense, then fill them.
	g.dense = sparse.Reuse(&w.dense, len(g.Rows))
	n := 0
	for i, row := range g.Rows {
		g.dense[i] = -1
		if 2*len(row) > len(g.IDs) {
			g.dense[i] = int32(n)
			n += g.denseSize()
		}
	}
	g.matrix = sparse.Reuse(&w.matrix, n)
	clear(g.matrix)
	for i, row := range g.Rows {
		if g.dense[i] >= 0 {
			g.fillDense(g.denseRow(i), row, g.all[i])
		}
	}
}

// denseSize returns how many numbers a dense row has.
func (g *Grid) denseSize() int { return int(denseCounts) * len(g.Sorted) }

func (g *Grid) denseRow(i int) []float64 { return g.matrix[g.dense[i]:][:g.denseSize()] }

// fillDense makes a row dense, given T(t). Classes that lack the feature keep a Sum and a
// Present of zero, T(t) as their Others, and N(c) as their Absent.
func (g *Grid) fillDense(dense []float64, row []sparse.Cell, all float64) {
	classes := len(g.Sorted)
	for id, weight := range g.weights {
		dense[int(countOthers)*classes+id] = all
		dense[int(countAbsent)*classes+id] = weight
	}
	f := factor{cells: row, all: all}
	for c := range denseCounts {
		c.fill(dense[int(c)*classes:][:classes], &f, g.weights)
	}
}

// Add adds a group, whose number is that of the groups before it. The error is one of its
// LogPrior.
func (g *Grid) Add(of Group) error {
	n := &group{logPrior: of.LogPrior}
	n.setAlphas(of.Alphas, g.largest)
	switch of.Kind {
	case Multinomial:
		n.model, n.counts = newMultinomial(g, n), []count{countSum}
	case Complement, NormalizedComplement:
		n.model, n.counts = newComplement(g, n, of.Kind == NormalizedComplement), []count{countOthers}
	case Bernoulli:
		n.model = newBernoulli(g, n)
	case OneVersusRest:
		n.model, n.counts = newOneVersusRest(g, n), []count{countSum, countOthers}
	}
	logPrior, err := n.logPrior(g.Weight)
	if err != nil {
		return err
	}
	n.priors = make([]float64, len(g.IDs)*len(n.alphas))
	if _, is := n.model.(*complement); is && len(logPrior) > 1 {
		n.logPrior = nil // as in scikit-learn, only a single class has one
	} else {
		fillRows(n.priors, logPrior)
	}
	if m, is := n.model.(*oneVersusRest); is {
		m.odds = make([]float64, len(n.priors))
		fillRows(m.odds, HalfLogOdds(logPrior))
	}
	g.maxTimes = min(g.maxTimes, n.rescale)
	g.groups = append(g.groups, n)
	return nil
}

// maxLogs bounds how many logarithms a group keeps.
const maxLogs = 1 << 25

// KeepLogs works out the logarithms of dense rows, unless there are too many of them. They
// serve documents whose values are not whole, where logarithms are added and no counts
// multiplied.
func (g *Grid) KeepLogs() {
	classes := len(g.Sorted)
	for _, of := range g.groups {
		n := len(g.matrix) / int(denseCounts) * len(of.alphas)
		if n*len(of.counts) > maxLogs {
			continue
		}
		for _, c := range of.counts {
			of.logs[c] = make([]float64, 0, n)
			for row := g.matrix; len(row) > 0; row = row[g.denseSize():] {
				of.logs[c] = of.appendRowLogs(of.logs[c], row, c, classes)
			}
		}
	}
}

// setAlphas sets the smoothings, and how many n + α a product holds, for n up to largest,
// before it might leave the range of a float64.
func (g *group) setAlphas(alphas []float64, largest float64) {
	for len(g.alphas) < len(alphas) || len(g.alphas)%vecmath.Vector > 0 {
		alpha := alphas[min(len(g.alphas), len(alphas)-1)]
		g.alphas, g.logAlphas = append(g.alphas, alpha), append(g.logAlphas, math.Log(alpha))
	}
	bits := 1 + max(math.Log2(largest+slices.Max(g.alphas)), -math.Log2(slices.Min(g.alphas)))
	g.rescale = max(1, int(1000/bits))
}

// appendLogs appends ln(n + α·size) for each α.
func (g *group) appendLogs(dst []float64, n, size float64) []float64 {
	from := len(dst)
	for _, alpha := range g.alphas {
		dst = append(dst, n+alpha*size)
	}
	vecmath.Log(dst[from:])
	return dst
}

// appendRowLogs appends ln(n + α) by class ID and α, where n is a count of a dense row.
func (g *group) appendRowLogs(dst, row []float64, c count, classes int) []float64 {
	from := len(dst)
	for _, n := range row[int(c)*classes:][:classes] {
		for _, alpha := range g.alphas {
			dst = append(dst, n+alpha)
		}
	}
	vecmath.Log(dst[from:])
	return dst
}

// logTotals returns ln(total + α·size) by class, then by α.
func (g *group) logTotals(totals []float64, size int) []float64 {
	logs := make([]float64, 0, len(totals)*len(g.alphas))
	if size == 0 {
		return logs[:cap(logs)] // no term exists that asks for them
	}
	for _, total := range totals {
		logs = g.appendLogs(logs, total, float64(size))
	}
	return logs
}

// fillRows makes all numbers of row k of a matrix the number k of a list.
func fillRows(matrix, numbers []float64) {
	n := len(matrix) / max(1, len(numbers))
	for k, v := range numbers {
		row := matrix[k*n:][:n]
		for a := range row {
			row[a] = v
		}
	}
}
