package vecmath

import (
	"cmp"
	"math"
	"slices"
)

// Largest appends the numbers of the n largest of x to order, which is empty, by falling size, equal
// ones by number. None is NaN.
func Largest(order []int32, x []float64, n int) []int32 {
	if len(x) <= 32 { // by insertion, since there are few
		for k, v := range x {
			order = append(order, 0)
			at := k
			for ; at > 0 && x[order[at-1]] < v; at-- {
				order[at] = order[at-1]
			}
			order[at] = int32(k)
		}
		return order[:min(n, len(order))]
	}
	compare := func(a, b int32) int { return cmp.Or(cmp.Compare(x[b], x[a]), cmp.Compare(a, b)) }
	if n >= len(x)/8 {
		for k := range x {
			order = append(order, int32(k))
		}
		slices.SortFunc(order, compare)
		return order[:min(n, len(order))]
	}
	for k := range n {
		order = append(order, int32(k))
	}
	slices.SortFunc(order, compare)
	least := x[order[n-1]]
	for k := n; k < len(x); k++ { // most are not among the largest so far
		if x[k] <= least {
			continue
		}
		at, _ := slices.BinarySearchFunc(order[:n-1], int32(k), compare)
		copy(order[at+1:], order[at:])
		order[at] = int32(k)
		least = x[order[n-1]]
	}
	return order
}

// Reorder moves list[order[i]] to list[i], for an order of all of the list, which it destroys.
func Reorder[T any](list []T, order []int32) {
	const moved = -1
	for i := range order {
		if order[i] == moved {
			continue
		}
		first, to := list[i], i
		for order[to] != int32(i) {
			list[to] = list[order[to]]
			to, order[to] = int(order[to]), moved
		}
		list[to], order[to] = first, moved
	}
}

// SortBySize sorts list by the size of a value, whatever its sign, the largest first, and equal ones as they were. Elements
// are large, so what is sorted is their numbers.
func SortBySize[T any](list []T, value func(*T) float64) {
	sizes := make([]float64, len(list))
	for i := range list {
		sizes[i] = math.Abs(value(&list[i]))
	}
	Reorder(list, Largest(nil, sizes, len(list)))
}
