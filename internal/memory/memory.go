// Package memory asks for memory ahead of its use.
package memory

import "unsafe"

// Prefetch asks the processor for the elements of list that have the numbers, and waits
// for nothing: where random access misses the caches, the answers come side by side.
// Numbers that list does not have do no harm.
func Prefetch[T any, N int32 | uint32](list []T, numbers []N) { PrefetchRows(list, 1, numbers) }

// PrefetchRows asks likewise for the first elements of rows of list, of so many each.
func PrefetchRows[T any, N int32 | uint32](list []T, width int, numbers []N) {
	if assembled && len(list) > 0 && len(numbers) > 0 {
		prefetch((*byte)(unsafe.Pointer(&list[0])), int(unsafe.Sizeof(list[0]))*width, len(list)/width,
			unsafe.Slice((*uint32)(unsafe.Pointer(&numbers[0])), len(numbers)))
	}
}

// PrefetchFirst asks for the first element of each list likewise.
func PrefetchFirst[T any](lists [][]T) {
	if assembled && len(lists) > 0 {
		prefetchFirst((*[]byte)(unsafe.Pointer(&lists[0])), len(lists))
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
