package shrinkage

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"bayes/internal/sparse"

	"pgregory.net/rapid"
)

// drawn returns counts of a few classes and terms: counts[i][k] is the sum of term i in class k, and in as many
// documents as half of that, rounded up.
func drawn(t *rapid.T) (counts [][]float64, examples []int64, alpha float64) {
	classes := rapid.IntRange(1, 5).Draw(t, "classes")
	for range rapid.IntRange(1, 6).Draw(t, "terms") {
		row := make([]float64, classes)
		for k := range row {
			row[k] = float64(rapid.SampledFrom([]int{0, 0, 1, 2, 3, 7, 20}).Draw(t, "sum"))
		}
		counts = append(counts, row)
	}
	for range classes {
		examples = append(examples, int64(rapid.IntRange(1, 12).Draw(t, "examples")))
	}
	return counts, examples, rapid.SampledFrom([]float64{1e-3, 0.5, 1}).Draw(t, "alpha")
}

var labels = []string{"a/x/1", "a/x/2", "a/y", "b", "b/z"}

func documents(sum float64) int64 { return int64(sum+1) / 2 }

// countsOf returns counts as rows, in this order.
func countsOf(counts [][]float64, examples []int64, alpha float64, order []int) Counts {
	c := Counts{
		Labels: labels[:len(examples)], Examples: examples, Totals: make([]float64, len(examples)),
		Smoothing: func(int) float64 { return alpha }, Whole: alpha * float64(len(counts)),
	}
	for k := range examples {
		c.Position = append(c.Position, k)
	}
	rows := make([][]sparse.Cell, len(counts))
	for i, row := range counts {
		for k, v := range row {
			if v > 0 {
				c.Totals[k] += v
				rows[i] = append(rows[i], sparse.Cell{Class: int32(k), Moments: sparse.Moments{Examples: documents(v), Sum: v}})
			}
		}
	}
	c.Rows = func(yield func(int, []sparse.Cell) bool) {
		for _, i := range order {
			if !yield(i, rows[i]) {
				return
			}
		}
	}
	return c
}

func inOrder(n int) (order []int) {
	for i := range n {
		order = append(order, i)
	}
	return order
}

// naive is the same by the formulas, for all terms and classes, with sums over strings and maps.
func naive(counts [][]float64, examples []int64, alpha float64) (p [][]float64) {
	classes := len(examples)
	above := func(k int) [][]int { // the classes below each node of a path
		var all []int
		for j := range classes {
			all = append(all, j)
		}
		var inner [][]int
		for _, prefix := range map[int][]string{0: {"a/x", "a"}, 1: {"a/x", "a"}, 2: {"a"}, 3: {"b"}, 4: {"b"}}[k] {
			var in []int
			for j := range classes {
				if l := labels[j]; l == prefix || len(l) > len(prefix) && l[:len(prefix)+1] == prefix+"/" {
					in = append(in, j)
				}
			}
			last := 1
			if len(inner) > 0 {
				last = len(inner[len(inner)-1])
			}
			if len(in) > last && len(in) < classes {
				inner = append(inner, in)
			}
		}
		return slices.Concat([][]int{{k}}, inner, [][]int{all})
	}
	sum := func(i int, in []int) (n float64) {
		for _, k := range in {
			n += counts[i][k]
		}
		return n
	}
	total := func(in []int) (n float64) {
		for i := range counts {
			n += sum(i, in)
		}
		return n
	}
	shares := make([][]float64, classes)
	equal := make([][]float64, classes)
	for k := range shares {
		nodes, n := above(k), 0.0
		for j, in := range nodes {
			v := 0.0
			if j == len(nodes)-1 || total(in) > 0 {
				v = 1
				n++
			}
			equal[k] = append(equal[k], v)
		}
		for j := range equal[k] {
			equal[k][j] /= n
		}
		shares[k] = slices.Clone(equal[k])
	}
	whole := alpha * float64(len(counts))
	for range mostSteps {
		farthest := 0.0
		for k := range shares {
			nodes, own := above(k), total([]int{k})
			if own == 0 {
				continue
			}
			length := own / float64(examples[k])
			from := make([]float64, len(nodes))
			for i := range counts {
				t := counts[i][k]
				if t == 0 {
					continue
				}
				parts, all := make([]float64, len(nodes)), 0.0
				for j, in := range nodes {
					n, d := max(0, sum(i, in)-t/float64(documents(t))), total(in)-length
					if j == len(nodes)-1 {
						n, d = n+alpha, max(0, d)+whole
					}
					if d > 0 {
						parts[j] = shares[k][j] * n / d
					}
					all += parts[j]
				}
				for j := range parts {
					from[j] += t * parts[j] / all
				}
			}
			n := 0.0
			for j := range from {
				from[j] += equal[k][j] * length
				n += from[j]
			}
			for j := range from {
				farthest = max(farthest, math.Abs(from[j]/n-shares[k][j]))
				shares[k][j] = from[j] / n
			}
		}
		if farthest < moved {
			break
		}
	}
	for i := range counts {
		row := make([]float64, classes)
		for k := range row {
			nodes := above(k)
			for j, in := range nodes {
				switch d := total(in); {
				case j == len(nodes)-1:
					row[k] += shares[k][j] * (sum(i, in) + alpha) / (d + whole)
				case d > 0:
					row[k] += shares[k][j] * sum(i, in) / d
				}
			}
		}
		p = append(p, row)
	}
	return p
}

// The estimates are those of the formulas, sum to one in each class, and are what Shrink and Pseudocounts make of
// the estimates without a tree.
func TestEstimates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts, examples, alpha := drawn(t)
		c := countsOf(counts, examples, alpha, inOrder(len(counts)))
		e, want := Learn(c, "/"), naive(counts, examples, alpha)
		all := make([]float64, len(examples))
		for i, row := range c.Rows {
			weights := make([]float64, len(examples))
			for k := range weights {
				weights[k] = 2 * math.Log((counts[i][k]+alpha)/(c.Totals[k]+c.Whole))
			}
			e.Shrink(weights, 2, i, row)
			for k, w := range weights {
				one, more := e.Pseudocounts(k, i, row)
				p := (counts[i][k] + one) / (c.Totals[k] + more)
				if math.Abs(p-want[i][k]) > 1e-9 || math.Abs(w-2*math.Log(p)) > 1e-9*(1+math.Abs(w)) || one < 0 {
					t.Fatalf("term %d in %s: %v, weight %v, want %v, %v", i, labels[k], p, w, want[i][k], 2*math.Log(want[i][k]))
				}
				all[k] += p
			}
		}
		for k, sum := range all {
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("the estimates of %s sum to %v", labels[k], sum)
			}
		}
	})
}

// The shares do not depend, to the last bit, on the order in which terms were learned.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts, examples, alpha := drawn(t)
		order := rapid.Permutation(inOrder(len(counts))).Draw(t, "order")
		a := Learn(countsOf(counts, examples, alpha, inOrder(len(counts))), "/")
		b := Learn(countsOf(counts, examples, alpha, order), "/")
		if !reflect.DeepEqual(a.shares, b.shares) {
			t.Fatalf("%v, and in the order %v %v", a.shares, order, b.shares)
		}
	})
}

// Sisters that are alike share what they know; a class that is unlike them keeps to itself.
func TestShares(t *testing.T) {
	counts := [][]float64{{30, 30, 30, 30, 0}, {30, 30, 30, 30, 0}, {2, 0, 0, 0, 100}, {0, 2, 0, 0, 100}}
	e := Learn(countsOf(counts, []int64{10, 10, 10, 10, 50}, 1, inOrder(4)), "/")
	if own := e.shares[0][0]; own > 0.5 {
		t.Errorf("a/x/1, like a/x/2 and more, has a share of %v by itself", own)
	}
	if own := e.shares[4][0]; own < 0.8 {
		t.Errorf("b/z, unlike all others, has a share of %v by itself", own)
	}
}
