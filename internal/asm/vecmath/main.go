// Command vecmath writes the instructions with which package vecmath adds, divides and
// takes logarithms and exponentials on processors that have AVX2. The steps are those of
// the Go code there, where the names are explained.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	constants()
	add()
	split()
	divide()
	log(false)
	log(true)
	normalize()
	rows()
	judge()
	Generate()
}

// constant returns four copies of the bits of a number.
func constant(name string, bits uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(bits))
	}
	return m
}

func number(name string, v float64) Mem { return constant(name, math.Float64bits(v)) }

var (
	mantissa, one, two, half, root Mem
	bias, magic, whole             Mem
	lossUnit                       Mem
	ln2Hi, ln2Lo, log2e, least     Mem
	l, p                           []Mem
)

func constants() {
	mantissa = constant("mantissa", 1<<52-1)
	bias = constant("bias", 1023)
	magic, whole = number("magic", 3<<51), constant("whole", 1)
	lossUnit = number("lossUnit", 1<<32)
	one, two, half = number("one", 1), number("two", 2), number("half", 0.5)
	root = number("root", math.Sqrt2)
	ln2Hi, ln2Lo = number("ln2Hi", 6.93147180369123816490e-01), number("ln2Lo", 1.90821492927058770002e-10)
	log2e, least = number("log2e", math.Log2E), number("least", -700)
	for i, v := range []float64{
		6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
		1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
	} {
		l = append(l, number("l"+string(rune('1'+i)), v))
	}
	for i, v := range []float64{
		1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
		-1.65339022054652515390e-06, 4.13813679705723846039e-08,
	} {
		p = append(p, number("p"+string(rune('1'+i)), v))
	}
}

// add adds v times one list of numbers to another.
func add() {
	TEXT("addAVX2", NOSPLIT, "func(x, y []float64, v float64)")
	x, y := Mem{Base: Load(Param("x").Base(), GP64())}, Mem{Base: Load(Param("y").Base(), GP64())}
	n := Load(Param("x").Len(), GP64())
	v, sum := YMM(), YMM()
	VBROADCASTSD(NewParamAddr("v", 48), v)
	Label("add")
	VMULPD(y, v, sum)
	VADDPD(x, sum, sum)
	VMOVUPD(sum, x)
	ADDQ(U8(32), x.Base)
	ADDQ(U8(32), y.Base)
	SUBQ(U8(4), n)
	JNZ(LabelRef("add"))
	VZEROUPPER()
	RET()
}

// split moves the exponents of numbers to a list of exponents.
func split() {
	TEXT("splitAVX2", NOSPLIT, "func(x []float64, exponents []int64)")
	x := Mem{Base: Load(Param("x").Base(), GP64())}
	n := Load(Param("x").Len(), GP64())
	exponents := Mem{Base: Load(Param("exponents").Base(), GP64())}
	mask, first, zero := YMM(), YMM(), YMM()
	VMOVUPD(mantissa, mask)
	VMOVUPD(one, first)
	VMOVDQU(bias, zero)
	v, e := YMM(), YMM()
	Label("split")
	VMOVUPD(x, v)
	VPSRLQ(U8(52), v, e)
	VPSUBQ(zero, e, e)
	VPADDQ(exponents, e, e)
	VMOVDQU(e, exponents)
	VPAND(mask, v, v)
	VPOR(first, v, v)
	VMOVUPD(v, x)
	ADDQ(U8(32), x.Base)
	ADDQ(U8(32), exponents.Base)
	SUBQ(U8(4), n)
	JNZ(LabelRef("split"))
	VZEROUPPER()
	RET()
}

// divide divides numbers, and subtracts their exponents.
func divide() {
	TEXT("divideAVX2", NOSPLIT, "func(x []float64, exponents []int64, y []float64, yExponents []int64)")
	x, exponents := Mem{Base: Load(Param("x").Base(), GP64())}, Mem{Base: Load(Param("exponents").Base(), GP64())}
	y, yExponents := Mem{Base: Load(Param("y").Base(), GP64())}, Mem{Base: Load(Param("yExponents").Base(), GP64())}
	n := Load(Param("x").Len(), GP64())
	v, e := YMM(), YMM()
	Label("divide")
	VMOVUPD(x, v)
	VDIVPD(y, v, v)
	VMOVUPD(v, x)
	VMOVDQU(exponents, e)
	VPSUBQ(yExponents, e, e)
	VMOVDQU(e, exponents)
	for _, p := range []Mem{x, exponents, y, yExponents} {
		ADDQ(U8(32), p.Base)
	}
	SUBQ(U8(4), n)
	JNZ(LabelRef("divide"))
	VZEROUPPER()
	RET()
}

// ln sets x to its logarithm; e, if any, are exponents that are added to its own.
func ln(x reg.VecVirtual, e Op) {
	k, big, f := YMM(), YMM(), YMM()
	VPSRLQ(U8(52), x, k)
	if e != nil {
		VPADDQ(e, k, k)
	}
	VPSUBQ(bias, k, k)
	VPAND(mantissa, x, x)
	VPOR(one, x, x)
	VCMPPD(U8(14), root, x, big) // greater than
	VPSUBQ(big, k, k)            // one more, where it is
	VMULPD(half, x, f)
	VBLENDVPD(big, f, x, f)
	VSUBPD(one, f, f)
	VPADDQ(magic, k, k)
	VSUBPD(magic, k, k)

	s, s2, s4, t1, t2, square := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VADDPD(two, f, s)
	VDIVPD(s, f, s)
	VMULPD(s, s, s2)
	VMULPD(s2, s2, s4)
	VMULPD(l[6], s4, t1)
	VADDPD(l[4], t1, t1)
	VMULPD(s4, t1, t1)
	VADDPD(l[2], t1, t1)
	VMULPD(s4, t1, t1)
	VADDPD(l[0], t1, t1)
	VMULPD(s2, t1, t1)
	VMULPD(l[5], s4, t2)
	VADDPD(l[3], t2, t2)
	VMULPD(s4, t2, t2)
	VADDPD(l[1], t2, t2)
	VMULPD(s4, t2, t2)
	VADDPD(t2, t1, t1)
	VMULPD(half, f, square)
	VMULPD(f, square, square)
	VADDPD(square, t1, t1)
	VMULPD(s, t1, t1)
	VMULPD(ln2Lo, k, s4)
	VADDPD(s4, t1, t1)
	VSUBPD(t1, square, square)
	VSUBPD(f, square, square)
	VMULPD(ln2Hi, k, k)
	VSUBPD(square, k, x)
}

// exp sets y to the exponential of x, which is not above zero.
func exp(x, y reg.VecVirtual) {
	k, hi, lo, t, c := YMM(), YMM(), YMM(), YMM(), YMM()
	VMAXPD(least, x, hi)
	VMULPD(log2e, hi, y)
	VADDPD(magic, y, y)
	VSUBPD(magic, y, k)
	VMULPD(ln2Lo, k, lo)
	VMULPD(ln2Hi, k, k)
	VSUBPD(k, hi, hi)
	r := YMM()
	VSUBPD(lo, hi, r)
	VMULPD(r, r, t)
	VMULPD(p[4], t, c)
	for i := 3; i >= 0; i-- {
		VADDPD(p[i], c, c)
		VMULPD(t, c, c)
	}
	VSUBPD(c, r, c)
	VMULPD(c, r, r)
	c2 := YMM()
	VMOVUPD(two, c2)
	VSUBPD(c, c2, c)
	VDIVPD(c, r, r)
	VSUBPD(r, lo, lo)
	VSUBPD(hi, lo, lo)
	VMOVUPD(one, c)
	VSUBPD(lo, c, c)
	VPSLLQ(U8(52), y, y)
	VPADDQ(y, c, y)
}

// log takes logarithms, of numbers with exponents of their own too.
func log(split bool) {
	if split {
		TEXT("logSplitAVX2", NOSPLIT, "func(x []float64, exponents []int64)")
	} else {
		TEXT("logAVX2", NOSPLIT, "func(x []float64)")
	}
	x := Mem{Base: Load(Param("x").Base(), GP64())}
	n := Load(Param("x").Len(), GP64())
	var exponents Op
	at := GP64()
	if split {
		Load(Param("exponents").Base(), at)
		exponents = Mem{Base: at}
	}
	Label("log")
	v := YMM()
	VMOVUPD(x, v)
	ln(v, exponents)
	VMOVUPD(v, x)
	ADDQ(U8(32), x.Base)
	if split {
		ADDQ(U8(32), at)
	}
	SUBQ(U8(4), n)
	JNZ(LabelRef("log"))
	VZEROUPPER()
	RET()
}

// columns returns where the first column of x begins, how many bytes its rows are apart,
// and where x and its first row end.
func columns() (column, width, end, last reg.Register) {
	column, n := Load(Param("x").Base(), GP64()), Load(Param("x").Len(), GP64())
	width = Load(Param("width"), GP64())
	SHLQ(U8(3), width)
	SHLQ(U8(3), n)
	end, last = GP64(), GP64()
	MOVQ(column, end)
	ADDQ(n, end)
	MOVQ(column, last)
	ADDQ(width, last)
	return column, width, end, last
}

// normalize takes four columns at a time, each thrice: for the largest number, for the
// sum of the exponentials, and to subtract its logarithm. Of two rows, whose larger number
// has an exponential of 1, there is one to work out.
func normalize() {
	TEXT("normalizeAVX2", NOSPLIT, "func(x []float64, width int)")
	column, width, end, last := columns()
	at := Mem{Base: GP64()}
	top, v, e, sum := YMM(), YMM(), YMM(), YMM()
	rest := GP64()
	MOVQ(end, rest)
	SUBQ(last, rest)
	CMPQ(rest, width)
	JNE(LabelRef("column"))

	second := Mem{Base: last}
	Label("pair")
	VMOVUPD(Mem{Base: column}, v)
	VMOVUPD(second, sum)
	VMAXPD(v, sum, top)
	VSUBPD(top, v, v)
	VSUBPD(top, sum, top)
	VMINPD(v, top, sum)
	exp(sum, e)
	VADDPD(one, e, e)
	ln(e, nil)
	VSUBPD(e, v, v)
	VSUBPD(e, top, top)
	VMOVUPD(v, Mem{Base: column})
	VMOVUPD(top, second)
	ADDQ(U8(32), column)
	ADDQ(U8(32), last)
	SUBQ(U8(32), width)
	JNZ(LabelRef("pair"))
	VZEROUPPER()
	RET()

	Label("column")
	MOVQ(column, at.Base)
	VMOVUPD(at, top)
	Label("top")
	VMAXPD(at, top, top)
	ADDQ(width, at.Base)
	CMPQ(at.Base, end)
	JB(LabelRef("top"))

	MOVQ(column, at.Base)
	VXORPD(sum, sum, sum)
	Label("sum")
	VMOVUPD(at, v)
	VSUBPD(top, v, v)
	VMOVUPD(v, at)
	exp(v, e)
	VADDPD(e, sum, sum)
	ADDQ(width, at.Base)
	CMPQ(at.Base, end)
	JB(LabelRef("sum"))

	ln(sum, nil)
	MOVQ(column, at.Base)
	Label("subtract")
	VMOVUPD(at, v)
	VSUBPD(sum, v, v)
	VMOVUPD(v, at)
	ADDQ(width, at.Base)
	CMPQ(at.Base, end)
	JB(LabelRef("subtract"))

	ADDQ(U8(32), column)
	CMPQ(column, last)
	JB(LabelRef("column"))
	VZEROUPPER()
	RET()
}

// row writes a function of a list of numbers, which takes four at a time: four numbers have what
// it finds.
func row(name string, first func(x Mem, found reg.VecVirtual), each func(x Mem, v, found reg.VecVirtual)) {
	TEXT(name, NOSPLIT, "func(x []float64, v float64, found *[4]float64)")
	x := Mem{Base: Load(Param("x").Base(), GP64())}
	n := Load(Param("x").Len(), GP64())
	out := Mem{Base: Load(Param("found"), GP64())}
	v, found := YMM(), YMM()
	VBROADCASTSD(NewParamAddr("v", 24), v)
	first(x, found)
	Label("four")
	each(x, v, found)
	ADDQ(U8(32), x.Base)
	SUBQ(U8(4), n)
	JNZ(LabelRef("four"))
	VMOVUPD(found, out)
	VZEROUPPER()
	RET()
}

// rows are the steps of normalizing numbers that lie side by side.
func rows() {
	row("maxAVX2",
		func(x Mem, found reg.VecVirtual) { VMOVUPD(x, found) },
		func(x Mem, _, found reg.VecVirtual) { VMAXPD(x, found, found) })
	none := func(_ Mem, found reg.VecVirtual) { VXORPD(found, found, found) }
	row("sumExpAVX2", none, func(x Mem, v, found reg.VecVirtual) {
		less, e := YMM(), YMM()
		VMOVUPD(x, less)
		VSUBPD(v, less, less)
		VMOVUPD(less, x)
		exp(less, e)
		VADDPD(e, found, found)
	})
	row("subtractAVX2", none, func(x Mem, v, _ reg.VecVirtual) {
		less := YMM()
		VMOVUPD(x, less)
		VSUBPD(v, less, less)
		VMOVUPD(less, x)
	})
}

// judge takes four columns at a time. Of equal numbers the first counts as the largest.
func judge() {
	TEXT("judgeAVX2", NOSPLIT, "func(x []float64, width, row int, most float64, right, loss []int64)")
	column, width, end, last := columns()
	row := Load(Param("row"), GP64())
	right, loss := Mem{Base: Load(Param("right").Base(), GP64())}, Mem{Base: Load(Param("loss").Base(), GP64())}
	limit, scale := YMM(), YMM()
	VBROADCASTSD(NewParamAddr("most", 40), limit)
	VMOVUPD(lossUnit, scale)
	IMULQ(width, row)
	own := GP64()
	MOVQ(column, own) // of the row that is judged
	ADDQ(row, own)
	at := Mem{Base: GP64()}
	v, wrong, more := YMM(), YMM(), YMM()
	Label("columns")
	VMOVUPD(Mem{Base: own}, v)
	VXORPD(wrong, wrong, wrong)
	MOVQ(column, at.Base)
	JMP(LabelRef("isBefore"))
	Label("before")
	VCMPPD(U8(10), at, v, more) // not v > x, as if one is not a number
	VORPD(more, wrong, wrong)
	ADDQ(width, at.Base)
	Label("isBefore")
	CMPQ(at.Base, own)
	JB(LabelRef("before"))
	JMP(LabelRef("isAfter"))
	Label("after")
	VCMPPD(U8(9), at, v, more) // not v >= x
	VORPD(more, wrong, wrong)
	Label("isAfter")
	ADDQ(width, at.Base)
	CMPQ(at.Base, end)
	JB(LabelRef("after"))

	VPADDQ(whole, wrong, wrong)
	VPADDQ(right, wrong, wrong)
	VMOVDQU(wrong, right)
	VXORPD(more, more, more)
	VSUBPD(v, more, v)
	VMINPD(limit, v, v) // the limit, if v is no number
	VMULPD(scale, v, v)
	VROUNDPD(U8(3), v, v) // towards zero
	VADDPD(magic, v, v)
	VPSUBQ(magic, v, v)
	VPADDQ(loss, v, v)
	VMOVDQU(v, loss)
	for _, p := range []Mem{{Base: column}, {Base: own}, right, loss} {
		ADDQ(U8(32), p.Base)
	}
	CMPQ(column, last)
	JB(LabelRef("columns"))
	VZEROUPPER()
	RET()
}
