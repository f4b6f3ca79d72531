package bayes

import (
	"math"

	"bayes/internal/memory"
	"bayes/internal/rows"
)

// A scorer scores what a sweeper reads, under one group.
type scorer struct {
	*sweeper
	*swept
	scores           []float64 // ln P(c, x) by class, then by α, and at last ln P(c | x)
	products         []float64 // of n + α, by the number of a class, then by α
	exponents        []int64   // of two, that were split off them
	divisors         []float64 // such products that others are divided by
	divisorExponents []int64
	ones             []float64
	starts           []int32 // of dense rows, and how many are multiplied equally often,
	runs             []int32 // as rows.MultiplyDense wants them
	scratch          []float64
}

// predict sets the scores.
func (w *scorer) predict() {
	w.start()
	w.kind.joint(w)
	if w.own >= 0 && w.vanishes {
		for a := range w.of(w.own) {
			w.of(w.own)[a] = math.Inf(-1)
		}
	}
	if w.impossible() {
		w.start()
	}
	if !w.impossible() {
		rows.Normalize(w.scores, len(w.alphas))
	}
}

// start makes the scores the prior.
func (w *scorer) start() {
	if w.own < 0 || w.logPrior == nil {
		copy(w.scores, w.priors)
		return
	}
	left := *w.sums
	left.weight = append([]float64(nil), left.weight...)
	left.weight[w.own] -= w.weight
	logPrior, _ := w.prior.logPrior(&left) // it was well for all the examples
	fillRows(w.scores, logPrior)
}

// fillRows makes each row of a matrix, of as many rows as there are numbers, one number.
func fillRows(matrix, numbers []float64) {
	n := len(matrix) / max(1, len(numbers))
	for k, v := range numbers {
		row := matrix[k*n:][:n]
		for a := range row {
			row[a] = v
		}
	}
}

// of returns the scores of class k.
func (w *scorer) of(k int) []float64 {
	n := len(w.alphas)
	return w.scores[k*n : k*n+n : k*n+n]
}

// impossible reports whether every class is.
func (w *scorer) impossible() bool {
	for k := range w.classes {
		if !math.IsInf(w.of(k)[0], -1) {
			return false
		}
	}
	return true
}

// add adds v·x to the scores of class k.
func (w *scorer) add(k int, v float64, x []float64) {
	if v != 0 {
		rows.Add(w.of(k), x, v)
	}
}

// addLog adds v·ln(n + α·size) to the scores of class k.
func (w *scorer) addLog(k int, v, n, size float64) {
	w.scratch = w.appendLogs(w.scratch[:0], n, size)
	w.add(k, v, w.scratch)
}

// addSum adds Σ v·ln(n + α) over terms to the scores of each class, n being a count. Terms
// of sparse rows add nothing to classes that lack them.
func (w *scorer) addSum(t *terms, count rows.Count) {
	w.multiply(t, count)
	rows.LogSplit(w.products, w.exponents)
	w.addOthers(+1, t, count)
	w.addProducts(+1)
}

// addQuotient adds sign · Σ v·(ln(n + α) - ln(m + α)) likewise, n and m being two counts.
func (w *scorer) addQuotient(sign float64, t *terms, n, m rows.Count) {
	w.multiply(t, m)
	w.products, w.divisors = w.divisors, w.products
	w.exponents, w.divisorExponents = w.divisorExponents, w.exponents
	w.multiply(t, n)
	rows.Divide(w.products, w.exponents, w.divisors, w.divisorExponents)
	rows.LogSplit(w.products, w.exponents)
	w.addOthers(+1, t, n)
	w.addOthers(-1, t, m)
	w.addProducts(sign)
}

// addProducts adds sign times the logarithms of the products.
func (w *scorer) addProducts(sign float64) {
	n := len(w.alphas)
	for k, number := range w.order {
		w.add(k, sign, w.products[number*n:])
	}
}

// isDense reports whether the classes of dense rows differ in a count.
func isDense(count rows.Count) bool { return count != rows.All }

// multiply makes the products those of terms of small whole values.
func (w *scorer) multiply(t *terms, count rows.Count) {
	copy(w.products, w.ones)
	clear(w.exponents)
	if isDense(count) {
		w.multiplyDense(t, count)
	}
	w.multiplySparse(t, count)
}

// addOthers adds sign · v·ln(n + α) of the other terms to logarithms of products.
func (w *scorer) addOthers(sign float64, t *terms, count rows.Count) {
	if isDense(count) {
		w.addDenseOthers(sign, t, count)
	}
	w.addSparseOthers(sign, t, count)
}

// fewClasses are so few that what is asked for when a term is entered is all of its dense
// row, or nearly.
const fewClasses = 4

// multiplyDense multiplies products by those of dense rows, as many factors at a time as
// there is room for, and splits the exponents off.
func (w *scorer) multiplyDense(t *terms, count rows.Count) {
	matrix := w.matrix
	if w.own >= 0 {
		matrix = w.leftDense
	}
	w.starts, w.runs = w.starts[:0], w.runs[:0]
	room := w.budget
	flush := func() {
		if len(w.starts) > 0 {
			counts := matrix[int(count)*len(w.position):]
			if len(w.position) > fewClasses {
				memory.Prefetch(counts, w.starts)
			}
			rows.MultiplyDense(w.products, w.alphas, counts, w.starts, w.runs)
			rows.Split(w.products, w.exponents)
		}
		w.starts, w.runs, room = w.starts[:0], w.runs[:0], w.budget
	}
	for times := t.most; times > 0; times-- {
		list := t.dense[times]
		for len(list) > room/times {
			n := room / times
			w.starts, w.runs = append(w.starts, list[:n]...), append(w.runs, int32(n))
			for range times - 1 {
				w.runs = append(w.runs, 0)
			}
			list = list[n:]
			flush()
		}
		w.starts, w.runs = append(w.starts, list...), append(w.runs, int32(len(list)))
		room -= len(list) * times
	}
	flush()
}

// multiplySparse does the same with sparse rows.
func (w *scorer) multiplySparse(t *terms, count rows.Count) {
	for list := t.sparse; len(list) > 0; {
		n, times := 1, list[0].Times
		for n < len(list) && times+list[n].Times <= w.budget {
			times += list[n].Times
			n++
		}
		rows.MultiplySparse(w.products, w.alphas, list[:n], count, w.leftWeights)
		rows.Split(w.products, w.exponents)
		list = list[n:]
	}
}

// addDenseOthers does so with dense rows.
func (w *scorer) addDenseOthers(sign float64, t *terms, count rows.Count) {
	for i, row := range t.denseOthers {
		if w.own < 0 && w.logs != nil && w.count == count {
			from := int(row) / w.denseSize() * len(w.products)
			rows.Add(w.products, w.logs[from:], sign*t.denseValues[i])
			continue
		}
		matrix := w.matrix
		if w.own >= 0 {
			matrix = w.leftDense
		}
		w.scratch = w.appendLogsOf(w.scratch[:0], matrix[row:], count, len(w.position))
		rows.Add(w.products, w.scratch, sign*t.denseValues[i])
	}
}

// addSparseOthers does so with sparse rows.
func (w *scorer) addSparseOthers(sign float64, t *terms, count rows.Count) {
	for i := range t.sparseOthers {
		f, v := &t.sparseOthers[i], sign*t.sparseValues[i]
		x := w.scratch[:0]
		for j := range f.Cells {
			n := count.N(f, &f.Cells[j], w.leftWeights)
			for _, alpha := range w.alphas {
				x = append(x, n+alpha)
			}
		}
		rows.Log(x)
		w.scratch = x
		for j := range f.Cells {
			rows.Add(w.products[int(f.Cells[j].Class)*len(w.alphas):][:len(w.alphas)], x, v)
			x = x[len(w.alphas):]
		}
	}
}
