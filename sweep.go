package bayes

import (
	"math"

	"bayes/internal/rows"
)

// Event models that differ in an additive smoothing only are worked out together,
// for all smoothings α at once, straight from the counts. What a term adds to the
// scores of a class that has counted it n times is a row of numbers by α. The same
// few n occur over and over, so the rows are worked out once, and cells say which one
// they mean. What a term adds to a class that lacks it is taken off every row, and
// added for all terms at once. So a fold costs a walk over the terms of its examples,
// and no model is fitted.

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

// A sweep scores documents under groups of event models that read the same sums, in
// one walk over the terms.
type sweep struct {
	*sums
	groups []*swept
	places []int // of the classes among those of the corpus

	// Of feature i, ends[i+1] - ends[i] classes have counted something. There is a
	// cell for each of them, first those of the first group, and so on.
	ends  []int32
	cells []rows.Cell
	all   []float64 // T(t), by feature
}

// A swept is a group of event models, as a sweep scores them.
type swept struct {
	*group
	number   int // among the groups
	grid     *logGrid
	prior    Prior
	logPrior []float64 // nil if the score is without
	kind     sweptKind

	counts []float64 // n of each row of logs
	logs   []float64 // by row, then by α; nil if they are too many to keep
	zero   []float64 // by α
}

// maxLogs bounds how many numbers a group keeps in logs. Tests lower it.
var maxLogs = 1 << 25

// A sweptKind is what a group of one event model is made of.
type sweptKind interface {
	// count returns n of a cell, given the sum of its row.
	count(m moments, all float64) float64

	// appendLogs appends, for each α, what a term adds to class k if that has count n
	// of it, up to what joint makes good. It finds logarithms in r.
	appendLogs(logs []float64, r *logRows, k int, n float64) []float64

	// byClass reports whether that depends on the class.
	byClass() bool

	// joint adds ln P(x|c), up to a number that all classes share, to w.acc.
	joint(w *scorer, x []entered)
}

// swept returns g as it is scored over s, or over what of s the models select.
func (g *group) swept(s *sums, grids *grids) (*sums, *swept, error) {
	em := g.em
	if m, ok := em.(Selected); ok {
		var err error
		if s, err = m.reduce(s); err != nil {
			return nil, nil, err
		}
		em = m.model()
	}
	w := &swept{group: g, grid: grids.of(g.alphas), prior: orEmpirical(em.prior()), zero: make([]float64, len(g.alphas))}
	if err := s.nonNegative(name(em)); err != nil {
		return nil, nil, err
	}
	switch m := em.(type) {
	case Multinomial:
		w.kind = newMultinomialSweep(s, w)
	case Complement:
		w.kind = newComplementSweep(s, w, m.Normalize)
	case Bernoulli:
		w.kind = newBernoulliSweep(s, w)
	}
	logPrior, err := w.prior.logPrior(s)
	if err != nil {
		return nil, nil, err
	}
	if _, complement := em.(Complement); !complement || len(logPrior) == 1 {
		w.logPrior = logPrior
	}
	return s, w, nil
}

// pack makes the cells of all groups.
func (s *sweep) pack() {
	size := 0
	s.all = make([]float64, len(s.rows))
	for i, row := range s.rows {
		s.all[i] = rowSum(row)
		size += len(row)
	}
	s.ends, s.cells = make([]int32, 1, len(s.rows)+1), make([]rows.Cell, 0, size*len(s.groups))
	packers := make([]*packer, len(s.groups))
	for j, g := range s.groups {
		packers[j] = newPacker(s, g)
	}
	for i, row := range s.rows {
		for _, p := range packers {
			for j := range row {
				k := s.position[row[j].class]
				from := p.place(k, p.kind.count(row[j].moments, s.all[i]))
				s.cells = append(s.cells, rows.Cell{To: int32(k), From: from})
			}
		}
		s.ends = append(s.ends, s.ends[i]+int32(len(row)))
	}
}

// A packer makes the rows of logs of a group.
type packer struct {
	*swept
	numbers logRows
	seen    [][]int32 // row + 1 of each small whole n, by class if that matters
}

// newPacker makes room for logs, if they will not be too many: those of small whole
// counts are few, and each other count has a row of its own.
func newPacker(s *sweep, g *swept) *packer {
	others := 0
	for i, row := range s.rows {
		for j := range row {
			if _, ok := small(g.kind.count(row[j].moments, s.all[i])); !ok {
				others++
			}
		}
	}
	if n := others * len(g.alphas); n <= maxLogs {
		g.logs = make([]float64, 0, n+len(g.alphas))
	}
	return &packer{g, logRows{grid: g.grid}, make([][]int32, len(s.classes))}
}

// small returns n as a small whole number, if it is one.
func small(n float64) (int, bool) {
	i := int(n)
	return i, n >= 0 && n < maxGrid && float64(i) == n
}

// place returns the row of logs of count n in class k.
func (p *packer) place(k int, n float64) int32 {
	i, ok := small(n)
	if !ok {
		return p.newRow(k, n)
	}
	seen := &p.seen[0]
	if p.kind.byClass() {
		seen = &p.seen[k]
	}
	if more := i + 1 - len(*seen); more > 0 {
		*seen = append(*seen, make([]int32, more)...)
	}
	if (*seen)[i] == 0 {
		(*seen)[i] = p.newRow(k, n) + 1
	}
	return (*seen)[i] - 1
}

func (p *packer) newRow(k int, n float64) int32 {
	p.counts = append(p.counts, n)
	if len(p.logs)+len(p.alphas) > maxLogs {
		p.logs = nil // from now on
	}
	if p.logs != nil {
		p.logs = p.kind.appendLogs(p.logs, &p.numbers, k, n)
	}
	return int32(len(p.counts) - 1)
}

// A sweeper scores documents one after the other, for one goroutine.
type sweeper struct {
	*sweep
	scorers []*scorer
	entered []entered

	own      int     // the class of the example that is left out, -1 if none is
	weight   float64 // and its weight
	vanishes bool    // whether the class has no other example, and is not declared
}

// A scorer scores what a sweeper reads, under one group.
type scorer struct {
	*sweeper
	*swept
	acc     []float64 // ln P(c, x) by class, then by smoothing
	column  []float64
	numbers logRows
	base    []float64 // of complement: ln(n + α) of a term in all classes
	scratch []float64
}

// An entered term is one of a document, by its feature, that exists.
type entered struct {
	feature int
	value   float64
	all     float64     // T(t)
	cells   []rows.Cell // of all groups
	touched int32       // read ahead, and not used
}

func (s *sweep) sweeper() *sweeper {
	w, classes := &sweeper{sweep: s, own: -1}, len(s.classes)
	for _, g := range s.groups {
		w.scorers = append(w.scorers, &scorer{
			sweeper: w, swept: g, acc: make([]float64, classes*len(g.alphas)),
			column: make([]float64, classes), numbers: logRows{grid: g.grid},
		})
	}
	return w
}

func (s *sweep) worker() func(x *features, logP [][]float64) {
	return s.sweeper().predict
}

// predict sets logP[m] of each event model m.
func (w *sweeper) predict(x *features, logP [][]float64) {
	w.enter(&x.bags[0])
	for _, g := range w.scorers {
		g.predict(logP)
	}
}

// enter finds the terms of x whose features exist. It touches what will be read of
// them, so that memory answers many questions at once.
func (w *sweeper) enter(x *bag) {
	w.entered = w.entered[:0]
	for j := range x.terms {
		t := &x.terms[j]
		i := int(t.number - 1)
		if i < 0 {
			var ok bool
			if i, ok = w.index.Lookup(t.key, t.name); !ok {
				continue
			}
		}
		if i >= len(w.all) {
			continue
		}
		groups := len(w.groups)
		e := entered{feature: i, value: t.value, all: w.all[i], cells: w.cells[groups*int(w.ends[i]) : groups*int(w.ends[i+1])]}
		if len(e.cells) > 0 {
			e.touched = e.cells[0].From
		} else if !w.declared {
			continue
		}
		w.entered = append(w.entered, e)
	}
}

// cellsOf returns the cells of a term in the scorer's group.
func (w *scorer) cellsOf(t *entered) []rows.Cell {
	n := len(t.cells) / len(w.groups)
	return t.cells[w.number*n : w.number*n+n]
}

// predict sets logP[m] of each event model m of the group.
func (w *scorer) predict(logP [][]float64) {
	logPrior := w.start()
	w.kind.joint(w, w.entered)
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
func (w *scorer) start() []float64 {
	clear(w.acc)
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
func (w *scorer) scores(k int) []float64 {
	n := len(w.alphas)
	return w.acc[k*n : k*n+n : k*n+n]
}

// addCells adds v·(log - base) to the scores of each class that a cell names, log
// being its row of logs.
func (w *scorer) addCells(cells []rows.Cell, v float64, base []float64) {
	if w.logs != nil {
		rows.Add(w.acc, w.logs, base, cells, v)
		return
	}
	for _, c := range cells { // which are worked out each time
		w.scratch = w.kind.appendLogs(w.scratch[:0], &w.numbers, int(c.To), w.counts[c.From])
		w.add(int(c.To), v, w.scratch, base)
	}
}

// add adds v·(plus - minus) to the scores of class k.
func (w *scorer) add(k int, v float64, plus, minus []float64) {
	acc := w.scores(k)
	plus, minus = plus[:len(acc)], minus[:len(acc)]
	for a := range acc {
		acc[a] += v * (plus[a] - minus[a])
	}
}

// owns returns how much of a term the class of the example that is left out has, the
// example included, and whether there is any.
func (w *scorer) owns(cells []rows.Cell) (n float64, ok bool) {
	if w.own < 0 {
		return 0, false
	}
	for _, c := range cells {
		if int(c.To) == w.own {
			return w.counts[c.From], true
		}
	}
	return 0, false
}

// alone reports whether the example that is left out is the only one that has
// feature i: without it, the feature is not in the vocabulary.
func (w *sweeper) alone(i int) bool {
	return w.own >= 0 && !w.declared && w.single(i)
}

// single reports whether one example alone has feature i.
func (s *sweep) single(i int) bool { return len(s.rows[i]) == 1 && s.rows[i][0].Examples == 1 }
