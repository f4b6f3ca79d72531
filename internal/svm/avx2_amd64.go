package svm

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asm ./svm -out ../svm/avx2_amd64.s

// useAVX2 says whether the processor has AVX2. Tests switch it off.
var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func dotAVX2(weights *float32, row []Cell, soon *Cell) float32

//go:noescape
func addToAVX2(weights *float32, row []Cell, v float32)

//go:noescape
func dotsAVX2(to, weights *float32, row []Cell, soon *Cell)

//go:noescape
func addToAllAVX2(weights *float32, row []Cell, v *float32)
