// Package prefetch asks for memory ahead of its use.
package prefetch

import "unsafe"

// Elements asks the processor for the elements of list at these indices and returns at once:
// where random access misses the caches, the answers come side by side. An index that is out
// of range does no harm.
func Elements[T any, N int32 | uint32](list []T, indices []N) { Rows(list, 1, indices) }

// Rows asks for the first element of each of these rows of a matrix with width columns.
func Rows[T any, N int32 | uint32](list []T, width int, indices []N) {
	if assembled && len(list) > 0 && len(indices) > 0 {
		prefetch((*byte)(unsafe.Pointer(&list[0])), int(unsafe.Sizeof(list[0]))*width, len(list)/width,
			unsafe.Slice((*uint32)(unsafe.Pointer(&indices[0])), len(indices)))
	}
}

// First asks for the first element of each list.
func First[T any](lists [][]T) {
	if assembled && len(lists) > 0 {
		prefetchFirst((*[]byte)(unsafe.Pointer(&lists[0])), len(lists))
	}
}

// All asks for all of a list.
func All[T any](list []T) {
	if assembled && len(list) > 0 {
		prefetchLines((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(list[0])))
	}
}

// Populate has the system hand out the memory of list from an element on, which is new
// and so zero, by writing to each page. Were it read first, it would be handed out twice:
// as the page of zeros that all share, and at the first write, which interrupts all cores,
// as its own.
func Populate[T any](list []T, from int) {
	const page = 4 << 10
	var zero T
	step := max(1, page/int(max(1, unsafe.Sizeof(zero))))
	for i := from; i < len(list); i = (i/step + 1) * step {
		list[i] = zero
	}
}
