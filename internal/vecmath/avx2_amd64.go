package vecmath

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asm ./vecmath -out ../vecmath/avx2_amd64.s

// useAVX2 says whether the processor has AVX2. Tests switch it off.
var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func addAVX2(x, y []float64, v float64)

//go:noescape
func splitAVX2(x []float64, exponents []int64)

//go:noescape
func divideAVX2(x []float64, exponents []int64, y []float64, yExponents []int64)

//go:noescape
func logSplitAVX2(x []float64, exponents []int64)

//go:noescape
func logAVX2(x []float64)

//go:noescape
func normalizeAVX2(x []float64, width int)

//go:noescape
func maxAVX2(x []float64, v float64, found *[Vector]float64)

//go:noescape
func sumExpAVX2(x []float64, v float64, found *[Vector]float64)

//go:noescape
func subtractAVX2(x []float64, v float64, found *[Vector]float64)

//go:noescape
func judgeAVX2(x []float64, width, row int, most float64, right, loss []int64)
