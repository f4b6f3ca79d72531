package sweep

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asm ./multiply -out ../sweep/avx2_amd64.s

// useAVX2 says whether the processor has AVX2. Tests switch it off.
var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func multiplySparseAVX2(products, alphas *float64, factors []factor, weights *float64, width, vectors int, of, ofAll, ofWeight float64, field uintptr)

//go:noescape
func multiplyDenseAVX2(products, alphas *float64, classes, width, vectors int, matrix *float64, starts *int32, runs []int32)
