package rows

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asm ./rows -out ../rows/avx_amd64.s

// useAVX says whether the processor has AVX. Tests switch it off.
var useAVX = cpu.X86.HasAVX

// addAVX adds so many vectors of four columns, one to maxVectors of them, for the
// cells, of which there is at least one. Rows are width columns long.
//
//go:noescape
func addAVX(acc, matrix, base *float64, cells []Cell, width, vectors int, v float64)

// maxVectors is how many vectors of four columns addAVX takes at a time.
const maxVectors = 6

// addVectors adds those columns that vector instructions can take, and returns how many
// they are.
func addVectors(acc, matrix, base []float64, cells []Cell, v float64) int {
	if !useAVX {
		return 0
	}
	done := 0
	for vectors := len(base) / 4; vectors > 0; {
		n := min(vectors, maxVectors)
		addAVX(&acc[done], &matrix[done], &base[done], cells, len(base), n, v)
		done += 4 * n
		vectors -= n
	}
	return done
}
