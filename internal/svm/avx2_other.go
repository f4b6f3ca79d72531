//go:build !amd64

package svm

const useAVX2 = false

func dotAVX2(_ *float32, _ []Cell, _ *Cell) float32 {
	panic("svm: internal error: no AVX2")
}

func addToAVX2(_ *float32, _ []Cell, _ float32) {
	panic("svm: internal error: no AVX2")
}

func dotsAVX2(_, _ *float32, _ []Cell, _ *Cell) {
	panic("svm: internal error: no AVX2")
}

func addToAllAVX2(_ *float32, _ []Cell, _ *float32) {
	panic("svm: internal error: no AVX2")
}
