package bayes

import (
	"math"

	"bayes/internal/dd"
)

// multinomialSweep scores by Σ v·ln(T(t,c) + α) - Σ v · ln(T(c) + α·|V|), less the
// Σ v·ln α that all classes have.
type multinomialSweep struct {
	totals    []float64 // T(c)
	logTotals []float64 // ln(T(c) + α·|V|), by class, then by α
}

func newMultinomialSweep(s *sums, g *swept) *multinomialSweep {
	totals := s.totals(func(m moments) float64 { return m.Sum })
	return &multinomialSweep{totals, g.logTotals(totals, s.size)}
}

// logTotals returns ln(total + α·size) by class, then by α.
func (g *swept) logTotals(totals []float64, size int) []float64 {
	logs := make([]float64, 0, len(totals)*len(g.alphas))
	for _, total := range totals {
		for _, alpha := range g.alphas {
			logs = append(logs, math.Log(total+alpha*float64(size)))
		}
	}
	return logs
}

func (s *multinomialSweep) count(m moments, _ float64) float64 { return m.Sum }

func (s *multinomialSweep) byClass() bool { return false }

func (s *multinomialSweep) appendLogs(logs []float64, r *logRows, _ int, n float64) []float64 {
	none := r.at(0)
	for a, log := range r.at(n) {
		logs = append(logs, log-none[a])
	}
	return logs
}

func (s *multinomialSweep) joint(w *scorer, x []entered) {
	var length, kept float64
	gone := 0
	for j := range x {
		t := &x[j]
		length += t.value
		if w.alone(t.feature) {
			gone++
			continue
		}
		kept += t.value
		cells := w.cellsOf(t)
		w.addCells(cells, t.value, w.zero)
		if n, ok := w.owns(cells); ok {
			w.add(w.own, t.value, w.numbers.at(n-w.weight*t.value), w.numbers.at(n))
		}
	}
	if kept == 0 {
		return
	}
	for k, total := range s.totals {
		if k == w.own {
			total -= w.weight * length
		} else if gone == 0 {
			w.add(k, -kept, s.logTotals[k*len(w.alphas):], w.zero)
			continue
		}
		w.addLogTotal(k, -kept, total, gone)
	}
}

// addLogTotal adds v·ln(total + α·|V|) to class k, where so many features are
// gone from V.
func (w *scorer) addLogTotal(k int, v, total float64, gone int) {
	acc, size := w.scores(k), float64(w.size-gone)
	for a, alpha := range w.alphas {
		acc[a] += v * math.Log(total+alpha*size)
	}
}

// complementSweep scores by Σ v · (ln(T(¬c) + α·|V|) - ln(T(t,¬c) + α)). Without a
// norm, what a term adds to all classes that lack it is left out.
type complementSweep struct {
	others    []float64 // T(¬c)
	logOthers []float64
	norm      []float64 // by class, then by α; nil if weights are not normalised
}

func newComplementSweep(s *sums, g *swept, normalize bool) *complementSweep {
	c := &complementSweep{others: s.complementTotals()}
	c.logOthers = g.logTotals(c.others, s.size)
	if normalize {
		c.setNorm(s, g)
	}
	return c
}

// setNorm works out the sums of the weights. Equal counts are added at once.
func (c *complementSweep) setNorm(s *sums, g *swept) {
	base, own := newTimes(1), newTimes(len(s.classes))
	for i, row := range s.rows {
		if !s.has(i) {
			continue
		}
		all := rowSum(row)
		base[0].add(all, 1)
		for _, cell := range row {
			k := s.position[cell.class]
			own[k].add(all-cell.Sum, 1)
			own[k].add(all, -1)
		}
	}
	rows := logRows{grid: g.grid}
	common := base[0].sum(&rows)
	for k := range s.classes {
		for a, v := range own[k].sum(&rows) {
			norm := 0.0
			if s.size > 0 {
				norm = float64(s.size)*c.logOthers[k*len(g.alphas)+a] - common[a] - v
			}
			c.norm = append(c.norm, orOne(norm))
		}
	}
}

func (c *complementSweep) count(m moments, all float64) float64 { return all - m.Sum }

func (c *complementSweep) byClass() bool { return false }

func (c *complementSweep) appendLogs(logs []float64, r *logRows, _ int, n float64) []float64 {
	return append(logs, r.at(n)...)
}

func (c *complementSweep) joint(w *scorer, x []entered) {
	var length, kept float64
	gone := 0
	for j := range x {
		t := &x[j]
		length += t.value
		if w.alone(t.feature) {
			gone++
			continue
		}
		kept += t.value
		own := w.left(t.value)
		w.base = append(w.base[:0], w.numbers.at(t.all-own)...) // which outlasts those of the classes
		cells := w.cellsOf(t)
		if own == 0 {
			w.addCells(cells, -t.value, w.base)
			cells = nil
		}
		for _, cell := range cells {
			others := w.counts[cell.From]
			if int(cell.To) != w.own { // the example is among them
				others -= own
			}
			w.add(int(cell.To), t.value, w.base, w.numbers.at(others))
		}
		if c.norm != nil {
			for k := range c.others {
				w.add(k, -t.value, w.base, w.zero)
			}
		}
	}
	if kept > 0 {
		for k, total := range c.others {
			if k != w.own {
				total -= w.left(length)
			}
			if w.own < 0 {
				w.add(k, kept, c.logOthers[k*len(w.alphas):], w.zero)
			} else {
				w.addLogTotal(k, kept, total, gone)
			}
		}
	}
	for i, n := range c.norm {
		w.acc[i] /= n
	}
}

// left returns the weight of so much of the example that is left out.
func (w *scorer) left(length float64) float64 {
	if w.own < 0 {
		return 0
	}
	return w.weight * length
}

// bernoulliSweep scores by Σ_V ln(1 - P(t|c)) + Σ_present (ln P(t|c) - ln(1 - P(t|c))),
// less the Σ_present ln α that all classes have.
type bernoulliSweep struct {
	weight  []float64 // N(c)
	none    []float64 // Σ_V ln(1 - P(t|c)), by class, then by α
	without []float64 // the same of classes with one example of weight 1 less
}

func newBernoulliSweep(s *sums, g *swept) *bernoulliSweep {
	return &bernoulliSweep{weight: s.weight, none: absentSum(s, g, 0), without: absentSum(s, g, 1)}
}

// absentSum returns Σ_V ln(1 - P(t|c)) where each class has less less weight, by
// class, then by α. Equal counts are added at once. A term that all examples of
// a class have is taken for one that the example left out lacks; joint makes it
// good.
func absentSum(s *sums, g *swept, less float64) []float64 {
	present := newTimes(len(s.classes))
	for _, row := range s.rows {
		for _, c := range row {
			k := s.position[c.class]
			n := s.weight[k] - less
			present[k].add(max(n-c.Present, 0), 1)
			present[k].add(max(n, 0), -1)
		}
	}
	rows := logRows{grid: g.grid}
	var none []float64
	for k, n := range s.weight {
		n = max(n-less, 0)
		base := rows.at(n)
		for a, v := range present[k].sum(&rows) {
			none = append(none, v+float64(s.size)*(base[a]-math.Log(n+2*g.alphas[a])))
		}
	}
	return none
}

func (s *bernoulliSweep) count(m moments, _ float64) float64 { return m.Present }

func (s *bernoulliSweep) byClass() bool { return true }

// appendLogs appends what a term adds beyond what one that the class lacks does, which
// is -ln(N(c) + α).
func (s *bernoulliSweep) appendLogs(logs []float64, r *logRows, k int, n float64) []float64 {
	none, all, absent := r.at(0), r.at(s.weight[k]), r.at(s.weight[k]-n)
	for a, log := range r.at(n) {
		logs = append(logs, log-none[a]+all[a]-absent[a])
	}
	return logs
}

func (s *bernoulliSweep) joint(w *scorer, x []entered) {
	present, gone, own := 0.0, 0.0, 0.0
	for j := range x {
		t := &x[j]
		if !(t.value > w.binarize) {
			continue
		}
		if w.alone(t.feature) {
			gone++
			continue
		}
		present++
		cells := w.cellsOf(t)
		w.addCells(cells, 1, w.zero)
		if n, ok := w.owns(cells); ok {
			own++
			all := s.weight[w.own]
			w.add(w.own, 1, w.numbers.at(n-w.weight), w.numbers.at(n))
			w.add(w.own, 1, w.numbers.at(all-n), w.numbers.at(all-w.weight-n))
		}
	}
	for k, all := range s.weight {
		sums := s.none
		if k == w.own {
			w.add(k, own, w.numbers.at(all-w.weight), w.numbers.at(all))
			sums, all = s.without, all-w.weight
		}
		w.add(k, 1, sums[k*len(w.alphas):], w.zero)
		w.add(k, -present, w.numbers.at(all), w.zero)
		if gone > 0 {
			w.forget(k, gone, all)
		}
	}
}

// forget takes so many features, which only the example that is left out has,
// off what classes lack.
func (w *scorer) forget(k int, gone, all float64) {
	absent := all
	if k == w.own {
		absent = max(all-w.weight, 0)
	}
	acc, row := w.scores(k), w.numbers.at(absent)
	for a, alpha := range w.alphas {
		acc[a] -= gone * (row[a] - math.Log(all+2*alpha))
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
		for i >= len(t.whole) {
			t.whole = append(t.whole, 0)
		}
		t.whole[i] += often
		return
	}
	t.rest = append(t.rest, struct{ n, often float64 }{n, often})
}

// sum returns Σ often · ln(n + α) for each α.
func (t *times) sum(rows *logRows) []float64 {
	acc := make([]dd.Sum, len(rows.grid.alphas))
	add := func(logs []float64, often float64) {
		for a, v := range logs {
			acc[a].Add(often * v)
		}
	}
	for n, often := range t.whole {
		if often != 0 {
			add(rows.at(float64(n)), often)
		}
	}
	var row []float64
	for _, r := range t.rest {
		row = rows.grid.append(row[:0], max(r.n, 0))
		add(row, r.often)
	}
	sums := make([]float64, len(acc))
	for a := range acc {
		sums[a] = acc[a].Float()
	}
	return sums
}
