// Package vecmath adds, divides, and takes logarithms and exponentials of many numbers at
// once. The results are within an ulp or so of the true ones, and they are the same, bit
// for bit, on every machine. Lengths of slices, and widths of matrices, must be multiples
// of [Vector].
//
// The formulas are those of FreeBSD's e_log.c and e_exp.c, which Go's math package has
// too. Products are rounded before they are added, so that no machine fuses the two.
//
// The gain, as ratios of the speed of BenchmarkMath, for 400 numbers:
//
//	                           Add   Split   LogSplit   Normalize
//	loops with package math          1       1          1
//	this package without AVX2  1     3       1.3        1
//	this package with AVX2     2.5   12      6.5        6
package vecmath

import "math"

// Vector is how many numbers one instruction works on.
const Vector = 4

const (
	mantissa = 1<<52 - 1
	bias     = 1023
	ln2Hi    = 6.93147180369123816490e-01 // ln 2 = ln2Hi + ln2Lo, and k·ln2Hi is exact for k up to 2^20
	ln2Lo    = 1.90821492927058770002e-10
)

// Add adds v times y, which may be longer, to x.
func Add(x, y []float64, v float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	if useAVX2 {
		addAVX2(x, y, v)
		return
	}
	for i := range x {
		x[i] += float64(v * y[i])
	}
}

// Split adds the exponents of x, which are positive normal numbers, to exponents, and
// leaves numbers in [1,2): each x·2^exponent stays the same.
func Split(x []float64, exponents []int64) {
	if len(x) == 0 {
		return
	}
	exponents = exponents[:len(x)]
	if useAVX2 {
		splitAVX2(x, exponents)
		return
	}
	for i, v := range x {
		b := math.Float64bits(v)
		exponents[i] += int64(b>>52) - bias
		x[i] = math.Float64frombits(b&mantissa | bias<<52)
	}
}

// Divide divides each x·2^exponent by y·2^yExponent. [Split] must have left both x and y, so
// that quotients are greater than 1/2 and less than 2.
func Divide(x []float64, exponents []int64, y []float64, yExponents []int64) {
	if len(x) == 0 {
		return
	}
	exponents, y, yExponents = exponents[:len(x)], y[:len(x)], yExponents[:len(x)]
	if useAVX2 {
		divideAVX2(x, exponents, y, yExponents)
		return
	}
	for i := range x {
		x[i] /= y[i]
		exponents[i] -= yExponents[i]
	}
}

// LogSplit sets each of x, which are positive normal numbers, to ln(x·2^exponent).
func LogSplit(x []float64, exponents []int64) {
	if len(x) == 0 {
		return
	}
	exponents = exponents[:len(x)]
	if useAVX2 {
		logSplitAVX2(x, exponents)
		return
	}
	for i, v := range x {
		x[i] = log(v, exponents[i])
	}
}

// Log sets each of x, which are positive normal numbers, to its logarithm.
func Log(x []float64) {
	if len(x) == 0 {
		return
	}
	if useAVX2 {
		logAVX2(x)
		return
	}
	for i, v := range x {
		x[i] = log(v, 0)
	}
}

// log returns ln(x·2^e). Let x·2^e = m·2^k with m from 1/√2 to √2, f = m - 1 and
// s = f/(2+f). Then it is k·ln 2 + 2s + s·R, where R is a polynomial in s².
func log(x float64, e int64) float64 {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
	)
	// Find m and k.
	b := math.Float64bits(x)
	e += int64(b>>52) - bias
	m := math.Float64frombits(b&mantissa | bias<<52)
	if m > math.Sqrt2 {
		m *= 0.5
		e++
	}
	// R, by its even and its odd powers of s²: the processor works on both at once.
	f, k := m-1, float64(e)
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	r := float64(s2*(l1+float64(s4*(l3+float64(s4*(l5+float64(s4*l7))))))) +
		float64(s4*(l2+float64(s4*(l4+float64(s4*l6)))))
	// k·ln 2 comes in two parts. The smaller one is added to what is small.
	square := float64(float64(0.5*f) * f)
	return float64(k*ln2Hi) - ((square - (float64(s*(r+square)) + float64(k*ln2Lo))) - f)
}

// exp returns e^x for x up to zero; below -700 it returns e^-700. Let x = k·ln 2 + r. Then
// it is 2^k · (1 + r + r·c/(2-c)), where c is r less a polynomial.
func exp(x float64) float64 {
	const (
		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	x = max(x, -700)
	k := math.RoundToEven(math.Log2E * x)
	hi, lo := x-float64(k*ln2Hi), float64(k*ln2Lo)
	r := hi - lo
	t := r * r
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	return math.Float64frombits(math.Float64bits(y) + uint64(int64(k))<<52)
}

// Normalize subtracts ln Σ exp from each column of a matrix with width columns. No number
// may be +Inf or NaN, and each column must have one that is not -Inf.
func Normalize(x []float64, width int) {
	if len(x) == 0 {
		return
	}
	if useAVX2 {
		normalizeAVX2(x, width)
		return
	}
	for a := range width {
		// The largest number goes first, so that no exponential overflows.
		top := math.Inf(-1)
		for i := a; i < len(x); i += width {
			top = max(top, x[i])
		}
		var sum float64
		for i := a; i < len(x); i += width {
			x[i] -= top // by itself, since ln Σ could be lost in the sum with a large top
			sum += exp(x[i])
		}
		sum = log(sum, 0)
		for i := a; i < len(x); i += width {
			x[i] -= sum
		}
	}
}

// NormalizeRow subtracts ln Σ exp from each number of x. It reports false, and leaves x as it is, if
// the largest is infinite. No number may be NaN.
func NormalizeRow(x []float64) bool {
	var found [Vector]float64
	vectors := x[:0]
	if useAVX2 {
		vectors = x[:len(x)/Vector*Vector]
	}
	rest := x[len(vectors):]
	top := math.Inf(-1)
	if len(vectors) > 0 {
		maxAVX2(vectors, 0, &found)
		top = max(found[0], found[1], found[2], found[3])
	}
	for _, v := range rest {
		top = max(top, v)
	}
	if math.IsInf(top, 0) {
		return false
	}
	found = [Vector]float64{} // sums, to which either kind of code adds in turn
	if len(vectors) > 0 {
		sumExpAVX2(vectors, top, &found)
	}
	for i := range rest {
		rest[i] -= top // by itself, as in Normalize
		found[i%Vector] += exp(rest[i])
	}
	sum := log(found[0]+found[1]+(found[2]+found[3]), 0)
	if len(vectors) > 0 {
		subtractAVX2(vectors, sum, &found)
	}
	for i := range rest {
		rest[i] -= sum
	}
	return true
}

// LogSumExp returns ln Σ exp(x), where top is the largest x and finite.
func LogSumExp(x []float64, top float64) float64 {
	var sum float64
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// LossUnit is what [Judge] adds for a loss of 1.
const LossUnit = 1 << 32

// Judge judges the columns of a matrix of logarithms with width columns. It adds 1 to right
// for each column whose largest number, the first of equal ones, is in the given row. It
// adds to loss the number in that row, negated and at most most, in whole LossUnits, so
// that the order of additions makes no difference. What is not a number counts as most.
func Judge(x []float64, width, row int, most float64, right, loss []int64) {
	if width == 0 {
		return
	}
	right, loss = right[:width], loss[:width]
	if useAVX2 && width%Vector == 0 {
		judgeAVX2(x, width, row, most, right, loss)
		return
	}
	for a, own := range x[row*width:][:width] {
		// A number before the row must be less, one after it at most equal.
		is := int64(1)
		for i := a; i < len(x); i += width {
			if v := x[i]; i < row*width && !(own > v) || i > row*width+a && !(own >= v) {
				is = 0
			}
		}
		right[a] += is
		l := -own
		if !(l < most) {
			l = most
		}
		loss[a] += int64(l * LossUnit)
	}
}
