// Command multiply writes the instructions with which package sweep multiplies counts on
// processors that have AVX2. The steps are those of the Go code there, where the names are
// explained.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	one = GLOBL("one", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(math.Float64bits(1)))
	}
	multiplySparse()
	multiplyDense()
	Generate()
}

// one is four times the number 1.
var one Mem

// maxVectors is how many vectors of smoothings, and of products, stay in registers.
const maxVectors = 5

// A Factor is {Cells []Cell; All float64; Times int}, and a Cell {Class int32; Examples
// int64; Present, Sum float64}.
const (
	factorSize, factorAll, factorTimes = 40, 24, 32
	cellSize                           = 32
)

// A multiplication is what both kinds of rows have in common.
type multiplication struct {
	products, width, vectors reg.GPVirtual
	alphas                   Mem
	n, x                     reg.VecVirtual
	alpha, product           [maxVectors]reg.VecVirtual
}

func pointer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

func newMultiplication() *multiplication {
	m := &multiplication{
		products: pointer("products"), width: pointer("width"), vectors: pointer("vectors"),
		alphas: Mem{Base: pointer("alphas")}, n: YMM(), x: YMM(),
	}
	for j := range m.alpha {
		m.alpha[j], m.product[j] = YMM(), YMM()
	}
	SHLQ(U8(3), m.width)
	return m
}

// each writes code for each number of vectors, with their smoothings in registers.
func (m *multiplication) each(code func(many int, label func(name string) string)) {
	for many := 1; many <= maxVectors; many++ {
		label := func(name string) string { return fmt.Sprintf("%s%d", name, many) }
		if many < maxVectors {
			CMPQ(m.vectors, U8(many))
			JNE(LabelRef(label("moreThan")))
		}
		for j := range many {
			VMOVUPD(m.alphas.Offset(32*j), m.alpha[j])
		}
		code(many, label)
		VZEROUPPER()
		RET()
		if many < maxVectors {
			Label(label("moreThan"))
		}
	}
}

// multiply multiplies products by n + alpha.
func (m *multiplication) multiply(many int) {
	for j := range many {
		VADDPD(m.alpha[j], m.n, m.x)
		VMULPD(m.x, m.product[j], m.product[j])
	}
}

func multiplySparse() {
	TEXT("multiplySparseAVX2", NOSPLIT, "func(products, alphas *float64, factors []struct{}, weights *float64, width, vectors int, of, ofAll, ofWeight float64, field uintptr)")
	m := newMultiplication()
	factor, factors := Mem{Base: Load(Param("factors").Base(), GP64())}, Load(Param("factors").Len(), GP64())
	weights, field := pointer("weights"), pointer("field")
	of, ofAll, ofWeight, zero := XMM(), XMM(), XMM(), XMM()
	Load(Param("of"), of)
	Load(Param("ofAll"), ofAll)
	Load(Param("ofWeight"), ofWeight)
	VXORPD(zero, zero, zero)
	cells, cell, class, times := GP64(), Mem{Base: GP64()}, GP64(), GP64()
	n, x := m.n.AsX(), m.x.AsX()
	m.each(func(many int, label func(name string) string) {
		Label(label("factors"))
		MOVQ(factor, cell.Base)
		MOVQ(factor.Offset(8), cells)
		TESTQ(cells, cells)
		JZ(LabelRef(label("next")))
		Label(label("cells"))
		MOVLQSX(cell, class)
		VMULSD(Mem{Base: cell.Base, Index: field, Scale: 1}, of, n)
		VMULSD(factor.Offset(factorAll), ofAll, x)
		VADDSD(x, n, n)
		VMULSD(Mem{Base: weights, Index: class, Scale: 8}, ofWeight, x)
		VADDSD(x, n, n)
		VMAXSD(zero, n, n)
		VBROADCASTSD(n, m.n)
		IMULQ(m.width, class)
		at := Mem{Base: m.products, Index: class, Scale: 1}
		MOVQ(factor.Offset(factorTimes), times)
		for j := range many {
			VMOVUPD(at.Offset(32*j), m.product[j])
		}
		Label(label("times"))
		m.multiply(many)
		DECQ(times)
		JNZ(LabelRef(label("times")))
		for j := range many {
			VMOVUPD(m.product[j], at.Offset(32*j))
		}
		ADDQ(U8(cellSize), cell.Base)
		DECQ(cells)
		JNZ(LabelRef(label("cells")))
		Label(label("next"))
		ADDQ(U8(factorSize), factor.Base)
		DECQ(factors)
		JNZ(LabelRef(label("factors")))
	})
}

// multiplyDense goes through the rows for each class, two at a time, whose factors are
// multiplied with each other first: products wait for each other half as often. It asks for
// what of a row is needed 64 bytes later.
func multiplyDense() {
	TEXT("multiplyDenseAVX2", NOSPLIT, "func(products, alphas *float64, classes, width, vectors int, matrix *float64, starts *int32, runs []int32)")
	m := newMultiplication()
	classes, matrix, start := pointer("classes"), pointer("matrix"), Mem{Base: GP64()}
	run, runs, n, at := Mem{Base: GP64()}, GP64(), GP64(), GP64()
	second, y := YMM(), YMM()
	count := func(i int, n reg.VecVirtual) {
		MOVLQSX(start.Offset(4*i), at)
		VBROADCASTSD(Mem{Base: matrix, Index: at, Scale: 8}, n)
		PREFETCHT0(Mem{Base: matrix, Index: at, Scale: 8, Disp: 64})
	}
	m.each(func(many int, label func(name string) string) {
		Label(label("classes"))
		Load(Param("starts"), start.Base)
		Load(Param("runs").Base(), run.Base)
		Load(Param("runs").Len(), runs)
		for j := range many {
			VMOVUPD(one, m.product[j])
		}
		Label(label("runs"))
		MOVLQSX(run, n)
		SUBQ(U8(2), n)
		JL(LabelRef(label("last")))
		Label(label("rows"))
		count(0, m.n)
		count(1, second)
		for j := range many {
			VADDPD(m.alpha[j], m.n, m.x)
			VADDPD(m.alpha[j], second, y)
			VMULPD(y, m.x, m.x)
			VMULPD(m.x, m.product[j], m.product[j])
		}
		ADDQ(U8(8), start.Base)
		SUBQ(U8(2), n)
		JGE(LabelRef(label("rows")))
		Label(label("last"))
		ADDQ(U8(2), n)
		JZ(LabelRef(label("end")))
		count(0, m.n)
		m.multiply(many)
		ADDQ(U8(4), start.Base)
		Label(label("end"))
		for j := range many {
			row := Mem{Base: m.products, Disp: 32 * j}
			VMULPD(row, m.product[j], m.x)
			VMOVUPD(m.x, row)
		}
		ADDQ(U8(4), run.Base)
		DECQ(runs)
		JNZ(LabelRef(label("runs")))
		ADDQ(m.width, m.products)
		ADDQ(U8(8), matrix)
		DECQ(classes)
		JNZ(LabelRef(label("classes")))
	})
}
