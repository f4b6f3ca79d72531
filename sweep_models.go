package bayes

import (
	"math"
	"sync"

	"bayes/internal/dd"
	"bayes/internal/rows"
)

// multinomialSweep scores by Σ v·ln(T(t,c) + α) - Σ v · ln(T(c) + α·|V|). Of terms of
// sparse rows every class leaves out v·ln α, which is all that those have that lack them.
type multinomialSweep struct {
	totals    []float64 // T(c)
	logTotals []float64 // ln(T(c) + α·|V|), by class, then by α
}

func newMultinomialSweep(s *sweep, g *swept) *multinomialSweep {
	return &multinomialSweep{s.totals, g.logTotals(s.totals, s.size)}
}

// logTotals returns ln(total + α·size) by class, then by α.
func (g *swept) logTotals(totals []float64, size int) []float64 {
	logs := make([]float64, 0, len(totals)*len(g.alphas))
	if size == 0 {
		return logs[:cap(logs)] // no term exists that asks for them
	}
	for _, total := range totals {
		logs = g.appendLogs(logs, total, float64(size))
	}
	return logs
}

func (s *multinomialSweep) joint(w *scorer) {
	x := &w.counted
	w.addSum(x, rows.Sum)
	for k, number := range w.order {
		w.add(k, -x.had[number], w.logAlphas)
	}
	w.addTotals(-1, s.totals, s.logTotals, func(k int) bool { return k == w.own })
}

// addTotals adds sign · Σ v · ln(total + α·|V|), given the logarithms too, which hold if
// no example is left out. One that is has a part in the totals of some classes.
func (w *scorer) addTotals(sign float64, totals, logs []float64, has func(k int) bool) {
	v := w.counted.value
	if v == 0 {
		return
	}
	gone := w.gone[0] + w.gone[1]
	if w.own < 0 {
		rows.Add(w.scores, logs, sign*v)
		return
	}
	for k, total := range totals {
		switch {
		case has(k):
			total = max(total-float64(w.weight*w.length), 0)
		case gone == 0:
			w.add(k, sign*v, logs[k*len(w.alphas):])
			continue
		}
		w.addLog(k, sign*v, total, float64(w.size)-gone)
	}
}

// complementSweep scores by Σ v · (ln(T(¬c) + α·|V|) - ln(T(t,¬c) + α)). Without a
// norm, what a term of a sparse row adds to classes that lack it is left out.
type complementSweep struct {
	others    []float64 // T(¬c)
	logOthers []float64
	norm      []float64 // by class, then by α; nil if weights are not normalised
}

func newComplementSweep(s *sweep, g *swept, normalize bool) *complementSweep {
	c := &complementSweep{others: complements(s.totals)}
	c.logOthers = g.logTotals(c.others, s.size)
	if normalize {
		c.setNorm(s, g)
	}
	return c
}

// setNorm works out the sums of the weights. Equal counts are added at once.
func (c *complementSweep) setNorm(s *sweep, g *swept) {
	base, own := newTimes(1), newTimes(len(s.classes))
	for i, row := range s.rows {
		if !s.has(i) {
			continue
		}
		all := s.all[i]
		base[0].add(all, 1)
		for _, cell := range row {
			k := s.position[cell.Class]
			own[k].add(all-cell.Sum, 1)
			own[k].add(all, -1)
		}
	}
	common := base[0].sum(g)
	for k := range s.classes {
		for a, v := range own[k].sum(g) {
			norm := 0.0
			if s.size > 0 {
				norm = float64(s.size)*c.logOthers[k*len(g.alphas)+a] - common[a] - v
			}
			c.norm = append(c.norm, orOne(norm))
		}
	}
}

func (c *complementSweep) joint(w *scorer) {
	x := &w.counted
	w.addQuotient(-1, x, rows.Others, rows.All)
	if c.norm != nil {
		w.addLacking(x)
	}
	w.addTotals(+1, c.others, c.logOthers, func(k int) bool { return k != w.own })
	for i, n := range c.norm {
		w.scores[i] /= n
	}
}

// addLacking takes Σ v·ln(T(t) + α), of terms of sparse rows, off the scores of all classes.
func (w *scorer) addLacking(t *terms) {
	add := func(f *rows.Factor, v float64) {
		w.scratch = w.appendLogs(w.scratch[:0], f.All, 1)
		for k := range w.classes {
			w.add(k, -v, w.scratch)
		}
	}
	for i := range t.sparse {
		add(&t.sparse[i], float64(t.sparse[i].Times))
	}
	for i := range t.sparseOthers {
		add(&t.sparseOthers[i], t.sparseValues[i])
	}
}

// bernoulliSweep scores by Σ_V ln(1 - P(t|c)) + Σ_present (ln P(t|c) - ln(1 - P(t|c))).
// Of terms of sparse rows every class leaves out ln α.
type bernoulliSweep struct {
	weight     []float64        // N(c)
	logWeights []float64        // ln(N(c) + α), by class, then by α
	none       []float64        // Σ_V ln(1 - P(t|c)), likewise
	without    func() []float64 // the same of classes with one example of weight 1 less
}

func newBernoulliSweep(s *sweep, g *swept) *bernoulliSweep {
	return &bernoulliSweep{
		s.weight, g.logTotals(s.weight, 1), absentSum(s.sums, g, 0),
		sync.OnceValue(func() []float64 { return absentSum(s.sums, g, 1) }),
	}
}

// absentSum returns Σ_V ln(1 - P(t|c)) where each class has less less weight, by
// class, then by α. Equal counts are added at once. A term that all examples of
// a class have is taken for one that the example left out lacks; joint makes it
// good.
func absentSum(s *sums, g *swept, less float64) []float64 {
	const few = 32 // examples, of which most cells have fewer
	often := make([]float64, few*len(s.position))
	present, cells := newTimes(len(s.classes)), make([]float64, len(s.classes))
	add := func(k int, n, often float64) {
		present[k].add(max(s.weight[k]-less-n, 0), often)
		cells[k] += often
	}
	for _, row := range s.rows {
		for j := range row {
			c := &row[j]
			if n := int(c.Present); uint(n) < few && float64(n) == c.Present {
				often[few*int(c.Class)+n]++
			} else {
				add(s.position[c.Class], c.Present, 1)
			}
		}
	}
	for k, number := range s.order {
		for n, often := range often[few*number:][:few] {
			if often > 0 {
				add(k, float64(n), often)
			}
		}
	}
	var none []float64
	for k, n := range s.weight {
		n = max(n-less, 0)
		if cells[k] > 0 {
			present[k].add(n, -cells[k])
		}
		base := g.appendLogs(nil, n, 1)
		for a, v := range present[k].sum(g) {
			none = append(none, v+float64(s.size)*(base[a]-math.Log(n+2*g.alphas[a])))
		}
	}
	return none
}

func (s *bernoulliSweep) joint(w *scorer) {
	x := &w.present
	w.addQuotient(+1, x, rows.Present, rows.Absent)
	for k, number := range w.order {
		had := x.had[number]
		w.add(k, -had, w.logAlphas)
		if k != w.own {
			w.add(k, had-x.sparseValue, s.logWeights[k*len(w.alphas):])
		}
	}
	if w.own < 0 {
		rows.Add(w.scores, s.none, 1)
		return
	}
	for k, n := range s.weight {
		none := s.none
		if k == w.own {
			none = s.without()
		}
		w.add(k, 1, none[k*len(w.alphas):])
		w.addGone(k, n)
	}
}

// addGone takes features that only the example that is left out has off what class k,
// of weight n with it, lacks.
func (w *scorer) addGone(k int, n float64) {
	if k == w.own {
		n--
	}
	for present, gone := range w.gone {
		if gone == 0 {
			continue
		}
		absent := n
		if k == w.own {
			absent = max(n-float64(present), 0)
		}
		w.addLog(k, -gone, absent, 1)
		w.addLog(k, gone, n, 2)
	}
}

// times says how often each count occurs. Whole ones up to manyTimes are put
// together.
type times struct {
	whole []float64
	rest  []struct{ n, often float64 }
}

const manyTimes = 1 << 20

func newTimes(n int) []times { return make([]times, n) }

func (t *times) add(n, often float64) {
	if i := int(n); n >= 0 && n < manyTimes && float64(i) == n {
		t.whole = lengthened(t.whole, i+1)
		t.whole[i] += often
		return
	}
	t.rest = append(t.rest, struct{ n, often float64 }{n, often})
}

// sum returns Σ often · ln(n + α) for each α.
func (t *times) sum(g *swept) []float64 {
	acc := make([]dd.Sum, len(g.alphas))
	var logs []float64
	add := func(n, often float64) {
		logs = g.appendLogs(logs[:0], n, 1)
		for a, v := range logs {
			acc[a].Add(often * v)
		}
	}
	for n, often := range t.whole {
		if often != 0 {
			add(float64(n), often)
		}
	}
	for _, r := range t.rest {
		add(max(r.n, 0), r.often)
	}
	sums := make([]float64, len(acc))
	for a := range acc {
		sums[a] = acc[a].Float()
	}
	return sums
}
