//go:build !amd64

package vecmath

const useAVX2 = false

func addAVX2(_, _ []float64, _ float64)                 { panic("vecmath: internal error: no AVX2") }
func splitAVX2([]float64, []int64)                      { panic("vecmath: internal error: no AVX2") }
func logSplitAVX2([]float64, []int64)                   { panic("vecmath: internal error: no AVX2") }
func logAVX2([]float64)                                 { panic("vecmath: internal error: no AVX2") }
func normalizeAVX2([]float64, int)                      { panic("vecmath: internal error: no AVX2") }
func maxAVX2([]float64, float64, *[Vector]float64)      { panic("vecmath: internal error: no AVX2") }
func sumExpAVX2([]float64, float64, *[Vector]float64)   { panic("vecmath: internal error: no AVX2") }
func subtractAVX2([]float64, float64, *[Vector]float64) { panic("vecmath: internal error: no AVX2") }

func divideAVX2(_ []float64, _ []int64, _ []float64, _ []int64) {
	panic("vecmath: internal error: no AVX2")
}

func judgeAVX2(_ []float64, _, _ int, _ float64, _, _ []int64) {
	panic("vecmath: internal error: no AVX2")
}
