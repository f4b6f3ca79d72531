//go:build !amd64

package sweep

const useAVX2 = false

func multiplySparseAVX2(_, _ *float64, _ []factor, _ *float64, _, _ int, _, _, _ float64, _ uintptr) {
	panic("sweep: internal error: no AVX2")
}

func multiplyDenseAVX2(_, _ *float64, _, _, _ int, _ *float64, _ *int32, _ []int32) {
	panic("sweep: internal error: no AVX2")
}
