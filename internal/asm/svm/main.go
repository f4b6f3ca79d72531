// Command svm writes the instructions with which package svm reads and moves weights on
// processors that have AVX2. The steps are those of the Go code there, in the same order, so the
// sums are the same bit for bit.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	dot()
	addTo()
	dots()
	addToAll()
	Generate()
}

// sums is how many sums of a machine are added up side by side.
const sums = 4

// A cell is {feature int32; value float32}.
const cellSize = 8

// A row is what all functions go through.
type row struct{ weights, cells, n, feature reg.GPVirtual }

func newRow() *row {
	return &row{
		weights: pointer("weights"), cells: Load(Param("row").Base(), GP64()).(reg.GPVirtual),
		n: Load(Param("row").Len(), GP64()).(reg.GPVirtual), feature: GP64(),
	}
}

func pointer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// value is the value of the cell that is ahead by a number of cells.
func (r *row) value(ahead int) Mem { return Mem{Base: r.cells, Disp: cellSize*ahead + 4} }

// one returns the weight of its feature.
func (r *row) one(ahead int) Mem {
	MOVLQSX(Mem{Base: r.cells, Disp: cellSize * ahead}, r.feature)
	return Mem{Base: r.weights, Index: r.feature, Scale: 4}
}

// eight returns the eight weights of its feature.
func (r *row) eight(ahead int) Mem {
	MOVLQSX(Mem{Base: r.cells, Disp: cellSize * ahead}, r.feature)
	SHLQ(U8(5), r.feature)
	return Mem{Base: r.weights, Index: r.feature, Scale: 1}
}

// each writes a loop over the cells by eight, which are 64 bytes, and what is to be done for each
// of the cells that are left over.
func (r *row) each(also func(), cell func(ahead int)) {
	const step = 8
	JMP(LabelRef("test"))
	Label("loop")
	also()
	for i := range step {
		cell(i)
	}
	ADDQ(U8(cellSize*step), r.cells)
	Label("test")
	SUBQ(U8(step), r.n)
	JGE(LabelRef("loop"))
	for i := range step - 1 {
		CMPQ(r.n, I8(i-step))
		JE(LabelRef("end"))
		cell(i)
	}
	Label("end")
}

// ahead asks for as many cells of a row that is read soon.
func ahead() func() {
	soon := pointer("soon")
	return func() {
		PREFETCHT0(Mem{Base: soon})
		ADDQ(U8(64), soon)
	}
}

func dot() {
	TEXT("dotAVX2", NOSPLIT, "func(weights *float32, row []struct{}, soon *struct{}) float32")
	r := newRow()
	var sum [sums]reg.VecVirtual
	for i := range sum {
		sum[i] = XMM()
		VXORPS(sum[i], sum[i], sum[i])
	}
	x := XMM()
	r.each(ahead(), func(i int) {
		weight := r.one(i)
		VMOVSS(weight, x)
		VMULSS(r.value(i), x, x)
		VADDSS(x, sum[i%sums], sum[i%sums])
	})
	VADDSS(sum[1], sum[0], sum[0])
	VADDSS(sum[3], sum[2], sum[2])
	VADDSS(sum[2], sum[0], sum[0])
	Store(sum[0], ReturnIndex(0))
	RET()
}

func addTo() {
	TEXT("addToAVX2", NOSPLIT, "func(weights *float32, row []struct{}, v float32)")
	r := newRow()
	v, x := XMM(), XMM()
	Load(Param("v"), v)
	r.each(func() {}, func(i int) {
		weight := r.one(i)
		VMULSS(r.value(i), v, x)
		VADDSS(weight, x, x)
		VMOVSS(x, weight)
	})
	RET()
}

func dots() {
	TEXT("dotsAVX2", NOSPLIT, "func(to, weights *float32, row []struct{}, soon *struct{})")
	r := newRow()
	to := Mem{Base: pointer("to")}
	var sum [sums]reg.VecVirtual
	for i := range sum {
		sum[i] = YMM()
		VXORPS(sum[i], sum[i], sum[i])
	}
	x := YMM()
	r.each(ahead(), func(i int) {
		weights := r.eight(i)
		VBROADCASTSS(r.value(i), x)
		VMULPS(weights, x, x)
		VADDPS(x, sum[i%sums], sum[i%sums])
	})
	VADDPS(sum[1], sum[0], sum[0])
	VADDPS(sum[3], sum[2], sum[2])
	VADDPS(sum[2], sum[0], sum[0])
	VMOVUPS(sum[0], to)
	VZEROUPPER()
	RET()
}

func addToAll() {
	TEXT("addToAllAVX2", NOSPLIT, "func(weights *float32, row []struct{}, v *float32)")
	r := newRow()
	v, x := YMM(), YMM()
	VMOVUPS(Mem{Base: pointer("v")}, v)
	r.each(func() {}, func(i int) {
		weights := r.eight(i)
		VBROADCASTSS(r.value(i), x)
		VMULPS(v, x, x)
		VADDPS(weights, x, x)
		VMOVUPS(x, weights)
	})
	VZEROUPPER()
	RET()
}
