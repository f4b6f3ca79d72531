// The command rows writes the assembly of package rows.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maxVectors is how many vectors of the base stay in registers.
const maxVectors = 6

func main() {
	TEXT("addAVX", NOSPLIT, "func(acc, matrix, base *float64, cells []struct{To, From int32}, width, vectors int, v float64)")
	acc := Load(Param("acc"), GP64())
	matrix := Load(Param("matrix"), GP64())
	base := Mem{Base: Load(Param("base"), GP64())}
	cell := Mem{Base: Load(Param("cells").Base(), GP64())}
	n := Load(Param("cells").Len(), GP64())
	width := Load(Param("width"), GP64())
	vectors := Load(Param("vectors"), GP64())
	v := YMM()
	VBROADCASTSD(NewParamAddr("v", 64), v)

	var bases [maxVectors]reg.VecVirtual
	for j := range bases {
		bases[j] = YMM()
	}
	row, to, from := YMM(), GP64(), GP64()
	for many := 1; many <= maxVectors; many++ {
		next, loop := fmt.Sprintf("moreThan%d", many), fmt.Sprintf("cells%d", many)
		if many < maxVectors {
			CMPQ(vectors, U8(many))
			JNE(LabelRef(next))
		}
		for j := range many {
			VMOVUPD(base.Offset(32*j), bases[j])
		}
		Label(loop)
		MOVLQSX(cell, to)
		MOVLQSX(cell.Offset(4), from)
		IMULQ(width, to)
		IMULQ(width, from)
		for j := range many {
			VMOVUPD(Mem{Base: matrix, Index: from, Scale: 8, Disp: 32 * j}, row)
			VSUBPD(bases[j], row, row)
			VMULPD(v, row, row)
			sum := Mem{Base: acc, Index: to, Scale: 8, Disp: 32 * j}
			VADDPD(sum, row, row)
			VMOVUPD(row, sum)
		}
		ADDQ(U8(8), cell.Base)
		DECQ(n)
		JNZ(LabelRef(loop))
		VZEROUPPER()
		RET()
		if many < maxVectors {
			Label(next)
		}
	}
	Generate()
}
