package sparse

// Lengthen returns s with at least n elements, the new ones zero, and capacity for as many
// again: append, which grows large slices by a quarter, would copy them often.
func Lengthen[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n > cap(s) {
		longer := make([]T, len(s), max(n, 2*len(s)))
		const part = 1 << 12 // the garbage collector need not wait long for a copy
		for i := 0; i < len(s); i += part {
			copy(longer[i:], s[i:min(i+part, len(s))])
		}
		s = longer
	}
	return s[:n]
}

// Reuse returns n elements, whatever they were before, of the memory at *s, which it
// replaces if it is too small.
func Reuse[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n, n+n/8) // the next use needs about as much
	}
	return (*s)[:n]
}
