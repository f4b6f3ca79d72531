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

func newMultinomialSweep(w *sweep) {
	s := &multinomialSweep{totals: w.totals(func(m moments) float64 { return m.Sum })}
	s.logTotals = w.logTotals(s.totals, float64(w.size))
	w.kind = s
	w.pack(false, func(m moments, _ float64) float64 { return m.Sum })
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

func (s *multinomialSweep) appendLogs(logs []float64, r *logRows, _ int, n float64) []float64 {
	none := r.at(0)
	for a, log := range r.at(n) {
		logs = append(logs, log-none[a])
	}
	return logs
}

func (s *multinomialSweep) joint(w *sweeper, x *bag) {
	var length, kept float64
	gone := 0
	for _, t := range w.enter(x) {
		length += t.value
		if w.alone(t.feature) {
			gone++
			continue
		}
		kept += t.value
		w.addCells(t.cells, t.value, w.zero)
		if n, ok := w.owns(t.cells); ok {
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
func (w *sweeper) addLogTotal(k int, v, total float64, gone int) {
	acc, size := w.scores(k), float64(w.size-gone)
	for a, alpha := range w.alphas {
		acc[a] += v * math.Log(total+alpha*size)
	}
}

// complementSweep scores by Σ v · (ln(T(¬c) + α·|V|) - ln(T(t,¬c) + α)). Without a
// norm, what a term adds to all classes that lack it is left out.
type complementSweep struct {
	all       []int32   // the row of logs of T(t), by feature
	others    []float64 // T(¬c)
	logOthers []float64
	norm      []float64 // by class, then by α; nil if weights are not normalised
}

func newComplementSweep(w *sweep, normalize bool) {
	s := &complementSweep{all: make([]int32, len(w.sums.rows)), others: w.complementTotals()}
	w.kind = s
	w.pack(false, func(m moments, all float64) float64 { return all - m.Sum })
	r := &logRows{grid: w.grid}
	for i, row := range w.sums.rows {
		s.all[i] = w.place(r, 0, rowSum(row))
	}
	s.logOthers = w.logTotals(s.others, float64(w.size))
	if normalize {
		s.setNorm(w)
	}
}

// setNorm works out the sums of the weights. Equal counts are added at once.
func (s *complementSweep) setNorm(w *sweep) {
	base, own := newTimes(1), newTimes(len(w.classes))
	for i, row := range w.sums.rows {
		if !w.has(i) {
			continue
		}
		all := w.counts[s.all[i]]
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

func (s *complementSweep) appendLogs(logs []float64, r *logRows, _ int, n float64) []float64 {
	return append(logs, r.at(n)...)
}

func (s *complementSweep) joint(w *sweeper, x *bag) {
	var length, kept float64
	gone := 0
	for _, t := range w.enter(x) {
		length += t.value
		if w.alone(t.feature) {
			gone++
			continue
		}
		kept += t.value
		all := w.counts[s.all[t.feature]]
		own := w.left(t.value)
		w.base = append(w.base[:0], w.numbers.at(all-own)...) // which outlasts those of the classes
		if own == 0 {
			w.addCells(t.cells, -t.value, w.base)
		} else {
			for _, c := range t.cells {
				others := w.counts[c.From]
				if int(c.To) != w.own { // the example is among them
					others -= own
				}
				w.add(int(c.To), t.value, w.base, w.numbers.at(others))
			}
		}
		if s.norm != nil {
			for k := range s.others {
				w.add(k, -t.value, w.base, w.zero)
			}
		}
	}
	if kept > 0 {
		for k, total := range s.others {
			if k != w.own {
				total -= w.left(length)
			}
			if w.own < 0 {
				w.add(k, kept, s.logOthers[k*len(w.alphas):], w.zero)
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

// bernoulliSweep scores by Σ_V ln(1 - P(t|c)) + Σ_present (ln P(t|c) - ln(1 - P(t|c))),
// less the Σ_present ln α that all classes have.
type bernoulliSweep struct {
	weight  []float64 // N(c)
	none    []float64 // Σ_V ln(1 - P(t|c)), by class, then by α
	without []float64 // the same of classes with one example of weight 1 less
}

func newBernoulliSweep(w *sweep) {
	w.kind = &bernoulliSweep{weight: w.sums.weight, none: absentSum(w, 0), without: absentSum(w, 1)}
	w.pack(true, func(m moments, _ float64) float64 { return m.Present })
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

// appendLogs appends what a term adds beyond what one that the class lacks does, which
// is -ln(N(c) + α).
func (s *bernoulliSweep) appendLogs(logs []float64, r *logRows, k int, n float64) []float64 {
	none, all, absent := r.at(0), r.at(s.weight[k]), r.at(s.weight[k]-n)
	for a, log := range r.at(n) {
		logs = append(logs, log-none[a]+all[a]-absent[a])
	}
	return logs
}

func (s *bernoulliSweep) joint(w *sweeper, x *bag) {
	present, gone, own := 0.0, 0.0, 0.0
	for _, t := range w.enter(x) {
		if !(t.value > w.binarize) {
			continue
		}
		if w.alone(t.feature) {
			gone++
			continue
		}
		present++
		w.addCells(t.cells, 1, w.zero)
		if n, ok := w.owns(t.cells); ok {
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
func (w *sweeper) forget(k int, gone, all float64) {
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
