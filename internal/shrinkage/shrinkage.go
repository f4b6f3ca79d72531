// Package shrinkage estimates how probable terms are in classes whose labels are the leaves of a tree, by
// McCallum, Rosenfeld, Mitchell and Ng 1998, "Improving text classification by shrinkage in a hierarchy of
// classes". With T(t,n) the sum of term t in the classes below node n, N(n) that of all terms, and α the
// smoothing,
//
//	P(t|c) = λ(c,0)·T(t,c)/N(c) + λ(c,1)·T(t,parent)/N(parent) + … + λ(c,root)·(T(t,root) + α)/(N(root) + α·|V|)
//
// The shares λ of a class sum to 1. They are those under which its terms are most probable by estimates
// without the document that they are in, and expectation maximization finds them. Counts do not say what each
// document has: one that has the term is taken to have it as often as those of the class that have it do on
// the mean, and to have as many terms as those of the class do.
//
// Two things differ from the paper. Above its root there is the uniform distribution, with a share
// by class; here α smooths the root. For the shares of two classes differ, and a class with a larger one would
// be the more probable the more words a document has that are in no class of its kind. And each class has one
// document more, whose terms are equally of all levels: so no estimate is ruled out by a single example.
package shrinkage

import (
	"iter"
	"math"

	"bayes/internal/labeltree"
	"bayes/internal/sparse"
)

// Counts are what estimates are made of.
type Counts struct {
	Labels    []string
	Examples  []int64   // by class
	Totals    []float64 // by class: the sum over all terms
	Position  []int     // of each class ID among the classes
	Rows      iter.Seq2[int, []sparse.Cell]
	Smoothing func(i int) float64 // α of row i
	Whole     float64             // α of all terms together
}

// Estimates are those of all terms in all classes.
type Estimates struct {
	Counts
	paths  [][]int     // by class: its nodes, the leaf first, the root last
	nodes  []float64   // by node: N; the root is the first
	length []float64   // by class: how many terms a document has on the mean
	shares [][]float64 // by class: λ of each node of its path
}

// Learn learns the shares of a tree of labels.
func Learn(c Counts, separator string) *Estimates {
	tree := labeltree.New(c.Labels, separator)
	e := &Estimates{Counts: c, nodes: make([]float64, len(tree.Nodes))}
	for k, n := range c.Totals {
		path := tree.Path(k)
		for _, node := range path {
			e.nodes[node] += n
		}
		e.paths = append(e.paths, differing(tree, path))
		e.length = append(e.length, n/float64(max(1, c.Examples[k])))
	}
	for _, path := range e.paths {
		e.shares = append(e.shares, e.equal(path))
	}
	for range mostSteps {
		if e.step() < moved {
			break
		}
	}
	return e
}

// Expectation maximization ends when no share moves as far as this, or after this many steps.
const moved, mostSteps = 1e-3, 50

// differing returns the nodes of a path without those that have the same classes as the one below or the root.
func differing(tree *labeltree.Tree, path []int) []int {
	kept := path[:1:1]
	for _, node := range path[1:] {
		if n := tree.Nodes[node].Classes; node == 0 || n > tree.Nodes[kept[len(kept)-1]].Classes && n < tree.Nodes[0].Classes {
			kept = append(kept, node)
		}
	}
	return kept
}

// equal returns equal shares for the nodes of a path that have terms, and for the root.
func (e *Estimates) equal(path []int) []float64 {
	shares, n := make([]float64, len(path)), 0
	for j, node := range path {
		if node == 0 || e.nodes[node] > 0 {
			shares[j] = 1
			n++
		}
	}
	for j := range shares {
		shares[j] /= float64(n)
	}
	return shares
}

// unit is one in the sums of a step: they are whole numbers, so that they do not depend on the order of rows.
const unit = 1 << 60

// step makes the shares of each class the mean, over its terms, of how probably a term is from each node. It
// returns how far the share moved that moved farthest.
func (e *Estimates) step() (farthest float64) {
	from := make([][]int64, len(e.paths)) // by class and node of its path: the share of the terms
	for k, path := range e.paths {
		from[k] = make([]int64, len(path))
	}
	sums, parts := make([]float64, len(e.nodes)), make([]float64, 0, 8)
	for i, row := range e.Rows {
		e.sum(sums, row)
		for _, cell := range row {
			k := e.Position[cell.Class]
			if parts = e.without(parts[:0], sums, k, cell, e.Smoothing(i)); !(cell.Sum > 0) {
				continue
			}
			all := 0.0
			for _, p := range parts {
				all += p
			}
			for j, p := range parts {
				from[k][j] += int64(cell.Sum / e.Totals[k] * (p / all) * unit)
			}
		}
		e.clear(sums, row)
	}
	for k, path := range e.paths {
		if e.Totals[k] > 0 {
			farthest = max(farthest, e.share(k, from[k], e.equal(path)))
		}
	}
	return farthest
}

// without appends, for each node of the path of class k, its part of the estimate of a term without one of the
// documents that have it. sums are those of the term, by node.
func (e *Estimates) without(parts, sums []float64, k int, cell sparse.Cell, alpha float64) []float64 {
	own := cell.Sum / float64(cell.Examples)
	for j, node := range e.paths[k] {
		sum, all := max(0, sums[node]-own), e.nodes[node]-e.length[k]
		if node == 0 {
			sum, all = sum+alpha, max(0, all)+e.Whole
		}
		if all > 0 {
			parts = append(parts, e.shares[k][j]*sum/all)
		} else {
			parts = append(parts, 0)
		}
	}
	return parts
}

// share sets the shares of class k to those that its terms are from, and those of one document that is from
// all alike. It returns how far a share moved.
func (e *Estimates) share(k int, from []int64, alike []float64) (farthest float64) {
	var all float64
	next := make([]float64, len(from))
	for j := range from {
		next[j] = float64(from[j])/unit*e.Totals[k] + alike[j]*e.length[k]
		all += next[j]
	}
	for j := range next {
		next[j] /= all
		farthest = max(farthest, math.Abs(next[j]-e.shares[k][j]))
	}
	e.shares[k] = next
	return farthest
}

// sum sets the sums of a term by node, which are zero before.
func (e *Estimates) sum(sums []float64, row []sparse.Cell) {
	for _, cell := range row {
		for _, node := range e.paths[e.Position[cell.Class]] {
			sums[node] += cell.Sum
		}
	}
}

func (e *Estimates) clear(sums []float64, row []sparse.Cell) {
	for _, cell := range row {
		for _, node := range e.paths[e.Position[cell.Class]] {
			sums[node] = 0
		}
	}
}

// above returns the part of P(t|c) that the nodes above class k have.
func (e *Estimates) above(k int, sums []float64, alpha float64) (p float64) {
	for j, node := range e.paths[k] {
		switch {
		case node == 0:
			p += e.shares[k][j] * (sums[0] + alpha) / (e.nodes[0] + e.Whole)
		case j > 0 && e.nodes[node] > 0:
			p += e.shares[k][j] * sums[node] / e.nodes[node]
		}
	}
	return p
}

// Shrink adds to the weights of the term of row i, by class, this many times ln P(t|c) less what it is without
// a tree, (T(t,c) + α)/(N(c) + α·|V|).
func (e *Estimates) Shrink(weights []float64, times float64, i int, row []sparse.Cell) {
	alpha, own := e.Smoothing(i), make([]float64, len(e.paths))
	for _, cell := range row {
		own[e.Position[cell.Class]] = cell.Sum
	}
	sums := make([]float64, len(e.nodes))
	e.sum(sums, row)
	for k, n := range own {
		p := e.above(k, sums, alpha)
		if e.Totals[k] > 0 {
			p += e.shares[k][0] * n / e.Totals[k]
		}
		weights[k] += times * (math.Log(p) - math.Log((n+alpha)/(e.Totals[k]+e.Whole)))
	}
}

// Pseudocounts returns the estimate of the term of row i in class k as pseudocounts,
//
//	P(t|c) = (T(t,c) + one) / (N(c) + all)
func (e *Estimates) Pseudocounts(k, i int, row []sparse.Cell) (one, all float64) {
	sums := make([]float64, len(e.nodes))
	e.sum(sums, row)
	p, n, share := e.above(k, sums, e.Smoothing(i)), e.Totals[k], e.shares[k][0]
	if !(n > 0) { // the class has no terms of its own
		return p, 1
	}
	return p * n / share, n/share - n
}
