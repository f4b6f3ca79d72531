//go:build !amd64

package prefetch

const assembled = false

func prefetch(*byte, int, int, []uint32) {}
func prefetchFirst(*[]byte, int)         {}
func prefetchLines(*byte, int)           {}
