package sweep

import (
	"math"

	"bayes/internal/prefetch"
	"bayes/internal/vecmath"
)

// A groupScorer scores what a Scorer entered, under one group.
type groupScorer struct {
	*Scorer
	*group
	scores           []float64 // ln P(c, x) by class and α, and at last ln P(c | x)
	products         []float64 // of n + α, by class ID and α: each product·2^exponent
	exponents        []int64
	divisors         []float64 // products that others are divided by
	divisorExponents []int64
	ones             []float64
	starts           []int32 // where dense rows begin, and how many of them are multiplied how
	runs             []int32 // often, as multiplyDense wants them
	scratch          []float64
}

// Score scores the document that was entered last.
func (s *Scorer) Score() {
	for _, g := range s.groups {
		g.score()
	}
}

// Scores returns the scores of the document that was scored last, under a group:
// ln P(c | x) by class in sorted order, then by α, and how many columns a class has: the
// alphas of the group and some that repeat the last. It is valid until the next Score; the
// slice stays the same.
func (s *Scorer) Scores(group int) (scores []float64, columns int) {
	g := s.groups[group]
	return g.scores, len(g.alphas)
}

func (s *groupScorer) score() {
	// ln P(c) + ln P(x|c); the prior alone if no class can have made the document.
	s.start()
	s.model.joint(s)
	if own := s.left.class; own >= 0 && s.left.vanishes {
		for a := range s.of(own) {
			s.of(own)[a] = math.Inf(-1)
		}
	}
	if s.impossible() {
		s.start()
	}
	if !s.impossible() {
		vecmath.Normalize(s.scores, len(s.alphas))
	}
}

// start makes the scores the prior.
func (s *groupScorer) start() {
	if s.left.class < 0 || s.logPrior == nil {
		copy(s.scores, s.priors)
		return
	}
	weight := append([]float64(nil), s.Weight...)
	weight[s.left.class] -= s.left.weight
	logPrior, _ := s.logPrior(weight) // there was no error with all examples
	fillRows(s.scores, logPrior)
}

// of returns the scores of class k.
func (s *groupScorer) of(k int) []float64 {
	n := len(s.alphas)
	return s.scores[k*n : k*n+n : k*n+n]
}

// impossible reports whether every class is.
func (s *groupScorer) impossible() bool {
	for k := range s.IDs {
		if !math.IsInf(s.of(k)[0], -1) {
			return false
		}
	}
	return true
}

// add adds v·x to the scores of class k.
func (s *groupScorer) add(k int, v float64, x []float64) {
	if v != 0 {
		vecmath.Add(s.of(k), x, v)
	}
}

// addLog adds v·ln(n + α·size) to the scores of class k.
func (s *groupScorer) addLog(k int, v, n, size float64) {
	s.scratch = s.appendLogs(s.scratch[:0], n, size)
	s.add(k, v, s.scratch)
}

// addSum adds Σ v·ln(n + α) over terms to the scores of each class, where n is a count.
// Terms of sparse rows add nothing to classes that lack them.
func (s *groupScorer) addSum(t *terms, n count) {
	s.multiply(t, n)
	vecmath.LogSplit(s.products, s.exponents)
	s.addOthers(+1, t, n)
	s.addProducts(+1)
}

// addQuotient adds sign · Σ v·(ln(n + α) - ln(m + α)), where n and m are two counts. One
// logarithm is taken of the quotient of two products.
func (s *groupScorer) addQuotient(sign float64, t *terms, n, m count) {
	s.multiply(t, m)
	s.swapDivisors()
	s.multiply(t, n)
	vecmath.Divide(s.products, s.exponents, s.divisors, s.divisorExponents)
	vecmath.LogSplit(s.products, s.exponents)
	s.addOthers(+1, t, n)
	s.addOthers(-1, t, m)
	s.addProducts(sign)
}

// swapDivisors makes the products the divisors.
func (s *groupScorer) swapDivisors() {
	s.products, s.divisors = s.divisors, s.products
	s.exponents, s.divisorExponents = s.divisorExponents, s.exponents
}

// addProducts adds sign times the logarithms of the products.
func (s *groupScorer) addProducts(sign float64) {
	n := len(s.alphas)
	for k, id := range s.IDs {
		s.add(k, sign, s.products[id*n:])
	}
}

// addTotals adds sign · Σ v · ln(total + α·|V|), given the logarithms for the case that no
// example is left out. An example that is left out is part of the totals of the classes
// that has reports, and the features that it alone has are part of |V|.
func (s *groupScorer) addTotals(sign float64, totals, logs []float64, has func(k int) bool) {
	v := s.counted.value
	if v == 0 {
		return
	}
	if s.left.class < 0 {
		vecmath.Add(s.scores, logs, sign*v)
		return
	}
	gone := s.left.gone[0] + s.left.gone[1]
	for k, total := range totals {
		switch {
		case has(k):
			total = max(total-float64(s.left.weight*s.length), 0)
		case gone == 0:
			s.add(k, sign*v, logs[k*len(s.alphas):])
			continue
		}
		s.addLog(k, sign*v, total, float64(s.Size)-gone)
	}
}

// inDenseRows reports whether a count is one of those of dense rows. T(t) is not: it is the
// same for all classes.
func inDenseRows(c count) bool { return c != countAll }

// multiply makes the products those of terms of small whole values.
func (s *groupScorer) multiply(t *terms, c count) {
	copy(s.products, s.ones)
	clear(s.exponents)
	if inDenseRows(c) {
		s.multiplyDense(t, c)
	}
	s.multiplySparse(t, c)
}

// addOthers adds sign · v·ln(n + α) of the other terms to logarithms of products.
func (s *groupScorer) addOthers(sign float64, t *terms, c count) {
	if inDenseRows(c) {
		s.addDenseOthers(sign, t, c)
	}
	s.addSparseOthers(sign, t, c)
}

// fewClasses is the largest number of classes for which the first cache line of a dense row
// holds nearly all of it. That line is prefetched when the term is entered.
const fewClasses = 4

// denseMatrix returns the dense rows that terms refer to.
func (s *groupScorer) denseMatrix() []float64 {
	if s.left.class >= 0 {
		return s.left.dense
	}
	return s.matrix
}

// multiplyDense multiplies products by those of dense rows. At a time it passes on only as
// many factors as keep a product within the range of a float64. Then it splits the
// exponents off.
func (s *groupScorer) multiplyDense(t *terms, c count) {
	matrix := s.denseMatrix()
	s.starts, s.runs = s.starts[:0], s.runs[:0]
	room := s.rescale
	flush := func() {
		if len(s.starts) > 0 {
			counts := matrix[int(c)*len(s.Sorted):]
			if len(s.Sorted) > fewClasses {
				prefetch.Elements(counts, s.starts)
			}
			multiplyDense(s.products, s.alphas, counts, s.starts, s.runs)
			vecmath.Split(s.products, s.exponents)
		}
		s.starts, s.runs, room = s.starts[:0], s.runs[:0], s.rescale
	}
	// runs[0] is of the rows that are multiplied most often, and each later run of those
	// multiplied once less.
	for times := t.most; times > 0; times-- {
		list := t.dense[times]
		// Rows for which there is no room wait for the next portion. The empty runs say that
		// no row of this one is multiplied less often.
		for len(list) > room/times {
			n := room / times
			s.starts, s.runs = append(s.starts, list[:n]...), append(s.runs, int32(n))
			for range times - 1 {
				s.runs = append(s.runs, 0)
			}
			list = list[n:]
			flush()
		}
		s.starts, s.runs = append(s.starts, list...), append(s.runs, int32(len(list)))
		room -= len(list) * times
	}
	flush()
}

// multiplySparse multiplies products by those of sparse rows, in the same portions.
func (s *groupScorer) multiplySparse(t *terms, c count) {
	for list := t.sparse; len(list) > 0; {
		// As many factors as keep a product within range, but at least one.
		n, times := 1, list[0].times
		for n < len(list) && times+list[n].times <= s.rescale {
			times += list[n].times
			n++
		}
		multiplySparse(s.products, s.alphas, list[:n], c, s.left.weights)
		vecmath.Split(s.products, s.exponents)
		list = list[n:]
	}
}

// addDenseOthers adds the logarithms of dense rows, which may have been kept.
func (s *groupScorer) addDenseOthers(sign float64, t *terms, c count) {
	for i, row := range t.denseOthers {
		if s.left.class < 0 && s.logs[c] != nil {
			from := int(row) / s.denseSize() * len(s.products)
			vecmath.Add(s.products, s.logs[c][from:], sign*t.denseValues[i])
			continue
		}
		s.scratch = s.appendRowLogs(s.scratch[:0], s.denseMatrix()[row:], c, len(s.Sorted))
		vecmath.Add(s.products, s.scratch, sign*t.denseValues[i])
	}
}

// addSparseOthers adds the logarithms of sparse rows.
func (s *groupScorer) addSparseOthers(sign float64, t *terms, c count) {
	for i := range t.sparseOthers {
		f, v := &t.sparseOthers[i], sign*t.sparseValues[i]
		// The logarithms of all cells at once, then add them to the cells' classes.
		x := s.scratch[:0]
		for j := range f.cells {
			n := c.n(f, &f.cells[j], s.left.weights)
			for _, alpha := range s.alphas {
				x = append(x, n+alpha)
			}
		}
		vecmath.Log(x)
		s.scratch = x
		for j := range f.cells {
			vecmath.Add(s.products[int(f.cells[j].Class)*len(s.alphas):][:len(s.alphas)], x, v)
			x = x[len(s.alphas):]
		}
	}
}
