package bayes

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Event models that differ in an additive smoothing only are worked out together,
// for all smoothings α at once, straight from the counts. Of counts n, which are
// small whole numbers over and over, ln(n + α) is in a table; a class that lacks
// a term has ln α there, which is added for all such terms at once. So a fold
// costs a walk over the terms of its examples, and no model is fitted.

// A group is some event models that differ in smoothing only.
type group struct {
	em      EventModel // the first of them
	members []int
	alphas  []float64 // of the members; nil if these models cannot be swept
}

// groups returns the event models by group, in order of first appearance.
func groups(ems []EventModel) []*group {
	var list []*group
	byKey := make(map[string]*group)
	for m, em := range ems {
		key, alpha, ok := sweepable(em)
		if !ok {
			list = append(list, &group{em: em, members: []int{m}})
			continue
		}
		g := byKey[key]
		if g == nil {
			g = &group{em: em}
			byKey[key] = g
			list = append(list, g)
		}
		g.members = append(g.members, m)
		g.alphas = append(g.alphas, alpha)
	}
	return list
}

// sweepable returns what em is but for its smoothing, and the smoothing, if that
// is additive and above zero.
func sweepable(em EventModel) (key string, alpha float64, ok bool) {
	additive := func(s Smoothing) bool {
		a, is := orLaplace(s).(Additive)
		alpha = float64(a)
		return is && a > 0 && !math.IsInf(alpha, 0)
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

// A sweep scores documents under the event models of a group.
type sweep struct {
	*sums
	*group
	grid     *logGrid
	prior    Prior
	logPrior []float64 // nil if the score is without
	places   []int     // of the classes among those of the corpus
	kind     sweepKind

	// The counts, packed by row: those of row i are cells[ends[i]:ends[i+1]].
	ends  []int32
	cells []packed
	odd   []float64 // counts that are not whole, or large
	rare  *logGrid  // of these; nil if they are too many to keep their logarithms
}

// maxRare bounds how many logarithms of such counts a sweep keeps.
const maxRare = 1 << 25

// A packed cell is what one class has counted of a feature.
type packed struct {
	class int32 // its position
	n     count
}

// A count is a whole number below maxGrid or, where negative, the place ^n of a
// number among the odd ones.
type count int32

// counted returns n as a count.
func (s *sweep) counted(n float64) count {
	if i := int(n); n >= 0 && n < maxGrid && float64(i) == n {
		return count(i)
	}
	s.odd = append(s.odd, n)
	return count(^(len(s.odd) - 1))
}

// count returns the number that a count stands for.
func (s *sweep) count(n count) float64 {
	if n >= 0 {
		return float64(n)
	}
	return s.odd[^n]
}

// pack packs what of reads of each cell, given the sum of its row.
func (s *sweep) pack(of func(m moments, all float64) float64) {
	size := 0
	for _, row := range s.rows {
		size += len(row)
	}
	s.ends, s.cells = make([]int32, 1, len(s.rows)+1), make([]packed, 0, size)
	for _, row := range s.rows {
		all := rowSum(row)
		for i := range row {
			s.cells = append(s.cells, packed{int32(s.position[row[i].class]), s.counted(of(row[i].moments, all))})
		}
		s.ends = append(s.ends, int32(len(s.cells)))
	}
}

// row returns the number and the cells of a feature, and whether it exists.
func (s *sweep) row(t term) (int, []packed, bool) {
	i := int(t.number - 1)
	if t.number == 0 {
		var ok bool
		if i, ok = s.index.Lookup(t.key, t.name); !ok {
			return 0, nil, false
		}
	}
	if i+1 >= len(s.ends) {
		return 0, nil, false
	}
	row := s.cells[s.ends[i]:s.ends[i+1]]
	return i, row, s.declared || len(row) > 0
}

// A sweepKind is what the sweeps of one event model are made of.
type sweepKind interface {
	// joint adds ln P(x|c), up to a number that all classes share, to w.acc.
	joint(w *sweeper, x *bag)
}

// sweep returns the sweep of g over the sums of some counts, or nil if its event
// models must be fitted one by one.
func (g *group) sweep(all []*sums, grids *grids, leaving bool) (*sweep, error) {
	if g.alphas == nil || len(all) != 1 {
		return nil, nil
	}
	s, em := all[0], g.em
	if m, ok := em.(Selected); ok {
		if leaving {
			return nil, nil // what is selected depends on the example
		}
		var err error
		if s, err = m.reduce(s); err != nil {
			return nil, err
		}
		em = m.model()
	}
	w := &sweep{sums: s, group: g, grid: grids.of(g.alphas), prior: orEmpirical(em.prior())}
	if err := s.nonNegative(name(em)); err != nil {
		return nil, err
	}
	switch m := em.(type) {
	case Multinomial:
		w.kind = newMultinomialSweep(w)
	case Complement:
		if m.Normalize && leaving {
			return nil, nil // the norm depends on the example
		}
		w.kind = newComplementSweep(w, m.Normalize)
	case Bernoulli:
		w.kind = newBernoulliSweep(w)
	}
	if len(w.odd) <= maxRare/len(g.alphas) {
		w.rare = newLogGrid(g.alphas, len(w.odd))
		w.rare.args = w.odd
	}
	logPrior, err := w.prior.logPrior(s)
	if err != nil {
		return nil, err
	}
	if _, complement := em.(Complement); !complement || len(logPrior) == 1 {
		w.logPrior = logPrior
	}
	return w, nil
}

// A sweeper scores documents one after the other, for one goroutine.
type sweeper struct {
	*sweep
	acc    []float64 // ln P(c, x) by class, then by smoothing
	filled []float64 // of each class, how much of x it has
	column []float64
	base   []float64 // of complement: ln(n + α) of a term in all classes
	logs   logRows

	own      int     // the class of the example that is left out, -1 if none is
	weight   float64 // and its weight
	vanishes bool    // whether the class has no other example, and is not declared
}

func (s *sweep) sweeper() *sweeper {
	classes := len(s.classes)
	return &sweeper{
		sweep: s, acc: make([]float64, classes*len(s.alphas)), filled: make([]float64, classes),
		column: make([]float64, classes), logs: logRows{grid: s.grid}, own: -1,
	}
}

func (s *sweep) worker() func(x *features, logP [][]float64) {
	return s.sweeper().predict
}

// predict sets logP[m] of each event model m of the group.
func (w *sweeper) predict(x *features, logP [][]float64) {
	logPrior := w.start()
	w.kind.joint(w, &x.bags[0])
	n := len(w.alphas)
	for a, m := range w.members {
		for k := range w.column {
			w.column[k] = w.acc[k*n+a]
		}
		if w.own >= 0 && w.vanishes {
			w.column[w.own] = math.Inf(-1)
		}
		if !normalize(w.column) {
			copy(w.column, logPrior)
			normalize(w.column)
		}
		for k, p := range w.column {
			logP[m][w.places[k]] = p
		}
	}
}

// start makes acc the prior, and returns it.
func (w *sweeper) start() []float64 {
	clear(w.acc)
	clear(w.filled)
	logPrior := w.logPrior
	if w.own >= 0 && logPrior != nil {
		left := *w.sums
		left.weight = append([]float64(nil), left.weight...)
		left.weight[w.own] -= w.weight
		logPrior, _ = w.prior.logPrior(&left) // it was well for all the examples
	}
	for k, p := range logPrior {
		row := w.scores(k)
		for a := range row {
			row[a] = p
		}
	}
	return logPrior
}

// scores returns the scores of class k.
func (w *sweeper) scores(k int) []float64 {
	n := len(w.alphas)
	return w.acc[k*n : k*n+n : k*n+n]
}

// log returns ln(n + α) for each α.
func (w *sweeper) log(n count) []float64 {
	switch {
	case n < 0 && w.rare != nil:
		return w.rare.row(int(^n))
	case n < 0:
		return w.logs.at(w.odd[^n])
	case int(n) < len(w.grid.filled):
		return w.grid.row(int(n))
	}
	return w.logs.at(float64(n))
}

// add adds v·(plus - minus) to the scores of class k. A nil minus is zero.
func (w *sweeper) add(k int, v float64, plus, minus []float64) {
	acc := w.scores(k)
	plus = plus[:len(acc)]
	if minus == nil {
		for a := range acc {
			acc[a] += v * plus[a]
		}
		return
	}
	minus = minus[:len(acc)]
	for a := range acc {
		acc[a] += v * (plus[a] - minus[a])
	}
}

// alone reports whether the example that is left out is the only one that has
// feature i: without it, the feature is not in the vocabulary.
func (w *sweeper) alone(i int) bool {
	return w.own >= 0 && !w.declared && w.only(i)
}

// only reports whether one example alone has feature i.
func (s *sweep) only(i int) bool { return len(s.rows[i]) == 1 && s.rows[i][0].Examples == 1 }

// A logGrid gives ln(n + α) for many α at once.
type logGrid struct {
	alphas []float64
	args   []float64     // the n of each row; nil if they are 0, 1, 2 and so on
	small  []float64     // by row, then by α; filled when first asked for
	filled []atomic.Bool // by row
	mu     sync.Mutex
}

// maxGrid bounds the whole n that a logGrid has at hand.
const maxGrid = 1 << 18

func newLogGrid(alphas []float64, size int) *logGrid {
	return &logGrid{alphas: alphas, small: make([]float64, size*len(alphas)), filled: make([]atomic.Bool, size)}
}

// row returns ln(n + α) for each α, of row i.
func (g *logGrid) row(i int) []float64 {
	k := len(g.alphas)
	row := g.small[i*k : i*k+k : i*k+k]
	if !g.filled[i].Load() {
		g.fill(row, i)
	}
	return row
}

func (g *logGrid) fill(row []float64, i int) {
	n := float64(i)
	if g.args != nil {
		n = max(g.args[i], 0) // rounding may leave it a little below
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.filled[i].Load() {
		g.append(row[:0], n)
		g.filled[i].Store(true)
	}
}

func (g *logGrid) append(dst []float64, n float64) []float64 {
	for _, a := range g.alphas {
		dst = append(dst, math.Log(n+a))
	}
	return dst
}

// logRows are the rows of a logGrid, for one goroutine, and those of any other n.
type logRows struct {
	grid    *logGrid
	scratch [4][]float64 // for the rows that are not in the grid, in turn
	turn    int
}

// at returns ln(n + α) for each α. Rounding may leave n a little below zero. Of rows
// that are not in the grid, the four latest are valid.
func (r *logRows) at(n float64) []float64 {
	n = max(n, 0)
	if i := int(n); i < len(r.grid.filled) && float64(i) == n {
		return r.grid.row(i)
	}
	r.turn = (r.turn + 1) % len(r.scratch)
	row := r.grid.append(r.scratch[r.turn][:0], n)
	r.scratch[r.turn] = row
	return row
}

// grids are the logGrids of the groups of one run.
type grids struct {
	size int // beyond the largest n
	mu   sync.Mutex
	list []*logGrid
}

// newGrids returns grids for the counts of c and of parts of it.
func newGrids(c *Counts) *grids {
	var most float64
	for _, cl := range c.classes {
		most += cl.weight
	}
	for _, row := range c.blocks[0].table.rows {
		var all float64
		for i := range row {
			all += row[i].Sum
		}
		most = max(most, all)
	}
	return &grids{size: int(min(most+2, maxGrid))}
}

func (g *grids) of(alphas []float64) *logGrid {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, grid := range g.list {
		if slices.Equal(grid.alphas, alphas) {
			return grid
		}
	}
	grid := newLogGrid(alphas, g.size)
	g.list = append(g.list, grid)
	return grid
}
