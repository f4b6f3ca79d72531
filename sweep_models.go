package bayes

import (
	"math"

	"bayes/internal/dd"
)

// multinomialSweep scores by Σ v·ln(T(t,c) + α) - Σ v · ln(T(c) + α·|V|).
type multinomialSweep struct {
	totals    []float64 // T(c)
	logTotals []float64 // ln(T(c) + α·|V|), by class, then by α
}

func newMultinomialSweep(w *sweep) *multinomialSweep {
	w.pack(func(m moments, _ float64) float64 { return m.Sum })
	s := &multinomialSweep{totals: w.totals(func(m moments) float64 { return m.Sum })}
	s.logTotals = w.logTotals(s.totals, float64(w.size))
	return s
}

// logTotals returns ln(total + α·size) by class, then by α.
func (w *sweep) logTotals(totals []float64, size float64) []float64 {
	logs := make([]float64, 0, len(totals)*len(w.alphas))
	for _, total := range totals {
		for _, alpha := range w.alphas {
			logs = append(logs, math.Log(total+alpha*size))
		}
	}
	return logs
}

func (s *multinomialSweep) joint(w *sweeper, x *bag) {
	var length, kept float64
	gone := 0
	for _, f := range x.terms {
		i, row, ok := w.row(f)
		if !ok {
			continue
		}
		length += f.value
		if w.alone(i) {
			gone++
			continue
		}
		kept += f.value
		for _, c := range row {
			k := int(c.class)
			if k == w.own {
				w.add(k, f.value, w.logs.at(w.count(c.n)-w.weight*f.value), nil)
			} else {
				w.add(k, f.value, w.log(c.n), nil)
			}
			w.filled[k] += f.value
		}
	}
	if kept == 0 {
		return
	}
	none := w.logs.at(0)
	for k, total := range s.totals {
		w.add(k, kept-w.filled[k], none, nil)
		if k == w.own {
			total -= w.weight * length
		} else if gone == 0 {
			w.add(k, -kept, s.logTotals[k*len(w.alphas):], nil)
			continue
		}
		w.addLogTotal(k, -kept, total, gone)
	}
}

// addLogTotal adds v·ln(total + α·|V|) to class k, where so many features are
// gone from V.
func (w *sweeper) addLogTotal(k int, v, total float64, gone int) {
	acc, size := w.scores(k), float64(w.size-gone)
	for a, alpha := range w.alphas {
		acc[a] += v * math.Log(total+alpha*size)
	}
}

// complementSweep scores by Σ v · (ln(T(¬c) + α·|V|) - ln(T(t,¬c) + α)). Without a
// norm, what a term adds to all classes that lack it is left out.
type complementSweep struct {
	all       []count   // T(t), by row
	others    []float64 // T(¬c)
	logOthers []float64
	norm      []float64 // by class, then by α; nil if weights are not normalised
}

func newComplementSweep(w *sweep, normalize bool) *complementSweep {
	w.pack(func(m moments, all float64) float64 { return all - m.Sum })
	s := &complementSweep{all: make([]count, len(w.sums.rows)), others: w.complementTotals()}
	for i, row := range w.sums.rows {
		if len(row) > 0 {
			s.all[i] = w.counted(rowSum(row))
		}
	}
	s.logOthers = w.logTotals(s.others, float64(w.size))
	if normalize {
		s.setNorm(w)
	}
	return s
}

// setNorm works out the sums of the weights. Equal counts are added at once.
func (s *complementSweep) setNorm(w *sweep) {
	base, own := newTimes(1), newTimes(len(w.classes))
	for i, row := range w.sums.rows {
		if !w.has(i) {
			continue
		}
		all := w.count(s.all[i])
		base[0].add(all, 1)
		for _, c := range row {
			k := w.sums.position[c.class]
			own[k].add(all-c.Sum, 1)
			own[k].add(all, -1)
		}
	}
	rows := logRows{grid: w.grid}
	common := base[0].sum(&rows)
	for k := range w.classes {
		for a, v := range own[k].sum(&rows) {
			norm := 0.0
			if w.size > 0 {
				norm = float64(w.size)*s.logOthers[k*len(w.alphas)+a] - common[a] - v
			}
			s.norm = append(s.norm, orOne(norm))
		}
	}
}

func (s *complementSweep) joint(w *sweeper, x *bag) {
	var length, kept float64
	gone := 0
	for _, f := range x.terms {
		i, row, ok := w.row(f)
		if !ok {
			continue
		}
		length += f.value
		if w.alone(i) {
			gone++
			continue
		}
		kept += f.value
		base := w.log(s.all[i])
		if w.own >= 0 {
			base = w.logs.at(w.count(s.all[i]) - w.weight*f.value)
		}
		w.base = append(w.base[:0], base...) // which outlasts those of the classes
		for _, c := range row {
			others := w.log(c.n)
			if k := int(c.class); w.own >= 0 && k != w.own { // the example is among them
				others = w.logs.at(w.count(c.n) - w.weight*f.value)
			}
			w.add(int(c.class), f.value, w.base, others)
		}
		if s.norm != nil {
			for k := range s.others {
				w.add(k, -f.value, w.base, nil)
			}
		}
	}
	if kept > 0 {
		for k, total := range s.others {
			if k != w.own {
				total -= w.left(length)
			}
			if w.own < 0 {
				w.add(k, kept, s.logOthers[k*len(w.alphas):], nil)
			} else {
				w.addLogTotal(k, kept, total, gone)
			}
		}
	}
	for i, n := range s.norm {
		w.acc[i] /= n
	}
}

// left returns the weight of so much of the example that is left out.
func (w *sweeper) left(length float64) float64 {
	if w.own < 0 {
		return 0
	}
	return w.weight * length
}

// bernoulliSweep scores by Σ_V ln(1 - P(t|c)) + Σ_present (ln P(t|c) - ln(1 - P(t|c))).
type bernoulliSweep struct {
	none    []float64 // Σ_V ln(1 - P(t|c)), by class, then by α
	without []float64 // the same of classes with one example of weight 1 less
}

func newBernoulliSweep(w *sweep) *bernoulliSweep {
	w.pack(func(m moments, _ float64) float64 { return m.Present })
	return &bernoulliSweep{none: absentSum(w, 0), without: absentSum(w, 1)}
}

// absentSum returns Σ_V ln(1 - P(t|c)) where each class has less less weight, by
// class, then by α. Equal counts are added at once. A term that all examples of
// a class have is taken for one that the example left out lacks; joint makes it
// good.
func absentSum(w *sweep, less float64) []float64 {
	present := newTimes(len(w.classes))
	for _, row := range w.sums.rows {
		for _, c := range row {
			k := w.sums.position[c.class]
			n := w.sums.weight[k] - less
			present[k].add(max(n-c.Present, 0), 1)
			present[k].add(max(n, 0), -1)
		}
	}
	rows := logRows{grid: w.grid}
	var none []float64
	for k, n := range w.sums.weight {
		n = max(n-less, 0)
		base := rows.at(n)
		for a, v := range present[k].sum(&rows) {
			none = append(none, v+float64(w.size)*(base[a]-math.Log(n+2*w.alphas[a])))
		}
	}
	return none
}

func (s *bernoulliSweep) joint(w *sweeper, x *bag) {
	present, gone := 0.0, 0.0
	for _, f := range x.terms {
		i, row, ok := w.row(f)
		if !ok || !(f.value > w.binarize) {
			continue
		}
		if w.alone(i) {
			gone++
			continue
		}
		present++
		for _, c := range row {
			k, n := int(c.class), w.count(c.n)
			absent := w.classWeight(k) - n
			if k == w.own {
				n -= w.weight
			}
			w.add(k, 1, w.logs.at(n), w.logs.at(absent))
			w.filled[k]++
		}
	}
	none := w.logs.at(0)
	for k := range w.classes {
		sums := s.none
		all := w.classWeight(k)
		if k == w.own {
			sums = s.without
		}
		w.add(k, 1, sums[k*len(w.alphas):], nil)
		w.add(k, present-w.filled[k], none, w.logs.at(all))
		if gone > 0 {
			w.forget(k, gone, all)
		}
	}
}

// forget takes so many features, which only the example that is left out has,
// off what classes lack.
func (w *sweeper) forget(k int, gone, all float64) {
	absent := all
	if k == w.own {
		absent = max(all-w.weight, 0)
	}
	acc, row := w.scores(k), w.logs.at(absent)
	for a, alpha := range w.alphas {
		acc[a] -= gone * (row[a] - math.Log(all+2*alpha))
	}
}

// classWeight returns N(c) without the example that is left out.
func (w *sweeper) classWeight(k int) float64 {
	if k == w.own {
		return w.sums.weight[k] - w.weight
	}
	return w.sums.weight[k]
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
