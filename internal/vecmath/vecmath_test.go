package vecmath

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// kinds are the ways to calculate on this machine: without vectors, and with them.
func kinds() []bool {
	if hasVectors {
		return []bool{false, true}
	}
	return []bool{false}
}

// both returns what work makes of x and exponents, which must be the same bit for bit
// with vectors and without.
func both(t *testing.T, x []float64, exponents []int64, work func(x []float64, exponents []int64)) ([]float64, []int64) {
	t.Helper()
	defer use(hasVectors)
	var first []float64
	var firstExponents []int64
	for _, vectors := range kinds() {
		use(vectors)
		y, e := slices.Clone(x), slices.Clone(exponents)
		work(y, e)
		if !vectors {
			first, firstExponents = y, e
			continue
		}
		if fmt.Sprintf("%x", y) != fmt.Sprintf("%x", first) || !slices.Equal(e, firstExponents) {
			t.Fatalf("of %v and %v\nvectors make %v and %v\n   Go makes %v and %v", x, exponents, y, e, first, firstExponents)
		}
	}
	return first, firstExponents
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 4e-16*max(math.Abs(a), math.Abs(b))
}

// checkAll holds the functions to package math for positive normal numbers.
func checkAll(t *testing.T, x []float64) {
	t.Helper()
	exponents := make([]int64, len(x))
	logs, _ := both(t, x, nil, func(x []float64, _ []int64) { Log(x) })
	for i, v := range x {
		if !near(logs[i], math.Log(v)) {
			t.Fatalf("log %v is %v, want %v", v, logs[i], math.Log(v))
		}
		exponents[i] = int64(i * 2000)
	}
	parts, sums := both(t, x, exponents, Split)
	for i, v := range x {
		if got := math.Ldexp(parts[i], int(sums[i]-exponents[i])); got != v || parts[i] < 1 || parts[i] >= 2 {
			t.Fatalf("%v is split into %v and %d", v, parts[i], sums[i])
		}
		exponents[i] = sums[i]
	}
	logs, _ = both(t, parts, exponents, LogSplit)
	for i := range x {
		want := math.Log(parts[i]) + float64(exponents[i])*math.Ln2
		if i == 0 { // where these would cancel
			want = math.Log(x[i])
		}
		if !near(logs[i], want) {
			t.Fatalf("ln(%v·2^%d) is %v, want %v", parts[i], exponents[i], logs[i], want)
		}
	}
	checkNormalize(t, logs, Vector)
	checkNormalize(t, logs, 1)
	quotients, rest := both(t, parts, sums, func(x []float64, e []int64) {
		y, f := slices.Clone(x), slices.Clone(e)
		slices.Reverse(y)
		slices.Reverse(f)
		Divide(x, e, y, f)
	})
	for i := range x {
		j := len(x) - 1 - i
		if quotients[i] != parts[i]/parts[j] || rest[i] != sums[i]-sums[j] {
			t.Fatalf("%v·2^%d by %v·2^%d is %v·2^%d", parts[i], sums[i], parts[j], sums[j], quotients[i], rest[i])
		}
	}
}

// checkNormalize holds Normalize to package math, and NormalizeRow if there is one column. A number
// may be -Inf.
func checkNormalize(t *testing.T, x []float64, width int) {
	t.Helper()
	got, _ := both(t, x, nil, func(x []float64, _ []int64) {
		if width > 1 {
			Normalize(x, width)
		} else if len(x) > 0 && !NormalizeRow(x) {
			t.Fatal("the largest number is infinite")
		}
	})
	for a := range width {
		top, sum := math.Inf(-1), 0.0
		for i := a; i < len(x); i += width {
			top = max(top, x[i])
		}
		for i := a; i < len(x); i += width {
			sum += math.Exp(x[i] - top)
		}
		for i := a; i < len(x); i += width {
			if want := x[i] - top - math.Log(sum); !near(got[i], want) && math.Abs(got[i]-want) > 1e-15 {
				t.Fatalf("of %d columns of %v, number %d is %v, want %v", width, x, i, got[i], want)
			}
		}
	}
}

func TestMath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < 400; n += Vector {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Ldexp(1+r.Float64(), r.IntN(2000)-1000)
			if r.IntN(2) == 0 {
				x[i] = r.Float64() * 3
			}
		}
		checkAll(t, x)
	}
	checkAll(t, []float64{1, math.Nextafter(1, 0), math.Nextafter(1, 2), math.Sqrt2})
	checkAll(t, []float64{0x1p-1022, math.MaxFloat64, math.Nextafter(math.Sqrt2, 0), math.Nextafter(math.Sqrt2, 2)})
}

func TestNormalize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for width := Vector; width < 40; width += Vector {
		for height := range 12 {
			x := make([]float64, width*height)
			for i := range x {
				x[i] = -math.Abs(r.NormFloat64()) * math.Pow(10, float64(r.IntN(6)-2))
				if i >= width && r.IntN(10) == 0 {
					x[i] = math.Inf(-1)
				}
			}
			checkNormalize(t, x, width)
		}
	}
}

// Judge counts what a plain search for the largest number does, of any width.
func TestNormalizeRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 70; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()*100 - 1000
			if r.IntN(8) == 0 {
				x[i] = math.Inf(-1)
			}
		}
		x[r.IntN(n)] = -3.5
		checkNormalize(t, x, 1)
		for _, top := range []float64{math.Inf(1), math.Inf(-1)} {
			y := slices.Clone(x)
			if top < 0 {
				for i := range y {
					y[i] = top
				}
			}
			y[r.IntN(n)] = top
			both(t, y, nil, func(z []float64, _ []int64) {
				if NormalizeRow(z) || !slices.Equal(y, z) {
					t.Fatalf("%v is normalized to %v", y, z)
				}
			})
		}
	}
	if NormalizeRow(nil) {
		t.Fatal("nothing has a sum")
	}
}

// A list is reordered as if it were copied.
func TestReorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		effects := rapid.SliceOf(rapid.Float64Range(-2, 2)).Draw(t, "effects")
		order := Largest(nil, effects, len(effects))
		var want []float64
		for _, i := range order {
			want = append(want, effects[i])
		}
		Reorder(effects, order)
		if !slices.Equal(effects, want) {
			t.Errorf("%v, want %v", effects, want)
		}
	})
}

func TestJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		width, height := 1+r.IntN(12), 1+r.IntN(6)
		x, row := make([]float64, width*height), r.IntN(height)
		for i := range x {
			x[i] = []float64{-float64(r.IntN(3)), -50 * r.Float64(), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(4)]
		}
		want := make([]int64, 2*width)
		for a := range width {
			best := 0
			for k := range height {
				if x[k*width+a] > x[best*width+a] {
					best = k
				}
			}
			want[a] = 1
			if best == row {
				want[a]++
			}
			want[width+a] = 7 + int64(min(-x[row*width+a], 36)*LossUnit)
		}
		start := append(slices.Repeat([]int64{1}, width), slices.Repeat([]int64{7}, width)...)
		_, got := both(t, x, start, func(x []float64, sums []int64) { Judge(x, width, row, 36, sums[:width], sums[width:]) })
		if !slices.Equal(got, want) {
			t.Fatalf("row %d of %d columns of %v: %v, want %v", row, width, x, got, want)
		}
	}
	for row := range 2 {
		_, got := both(t, slices.Repeat([]float64{math.NaN()}, 2*Vector), make([]int64, 2*Vector), func(x []float64, sums []int64) {
			Judge(x, Vector, row, 36, sums[:Vector], sums[Vector:])
		})
		if got[0] != 0 || got[Vector] != 36*LossUnit {
			t.Errorf("row %d, not a number, is right %d times and costs %d", row, got[0], got[Vector])
		}
	}
}

// FuzzMath holds vectors and Go equal, and both to package math.
func FuzzMath(f *testing.F) {
	f.Add([]byte("any bits are numbers, here some of them"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var x []float64
		for ; len(b) >= 8; b = b[8:] {
			if v := math.Abs(math.Float64frombits(binary.LittleEndian.Uint64(b))); v >= 0x1p-1022 && !math.IsInf(v, 0) {
				x = append(x, v)
			}
		}
		checkAll(t, x[:len(x)&^(Vector-1)])
	})
}

// BenchmarkMath measures what the package replaces, loops with package math, and what
// vectors do, for the scores of a document in twenty classes and under twenty smoothings.
func BenchmarkMath(b *testing.B) {
	defer use(hasVectors)
	const size, width = 400, 20
	x, y, exponents := make([]float64, size), make([]float64, size), make([]int64, size)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = 1 + 30*r.Float64()
	}
	for _, work := range []struct {
		name      string
		do, plain func()
	}{
		{"add", func() { Add(y, x, 2) }, nil},
		{"split", func() { Split(y, exponents) }, func() {
			for i, v := range y {
				f, e := math.Frexp(v)
				y[i], exponents[i] = 2*f, exponents[i]+int64(e)-1
			}
		}},
		{"log", func() { LogSplit(y, exponents) }, func() {
			for i, v := range y {
				y[i] = math.Log(v) + float64(exponents[i])*math.Ln2
			}
		}},
		{"normalize", func() { Normalize(y, width) }, func() {
			for a := range width {
				top, sum := math.Inf(-1), 0.0
				for i := a; i < size; i += width {
					top = max(top, y[i])
				}
				for i := a; i < size; i += width {
					sum += math.Exp(y[i] - top)
				}
				for i, log := a, math.Log(sum); i < size; i += width {
					y[i] -= top + log
				}
			}
		}},
	} {
		run := func(way string, do func()) {
			b.Run(fmt.Sprintf("step=%s/way=%s", work.name, way), func(b *testing.B) {
				for b.Loop() {
					copy(y, x)
					clear(exponents)
					do()
				}
			})
		}
		if work.plain != nil {
			run("math", work.plain)
		}
		for _, vectors := range kinds() {
			use(vectors)
			run(map[bool]string{false: "go", true: "vectors"}[vectors], work.do)
		}
	}
}

func TestAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < 100; n += Vector {
		x, y, v := make([]float64, n), make([]float64, n+3), r.NormFloat64()
		for i := range x {
			x[i], y[i] = r.NormFloat64(), r.NormFloat64()
		}
		got, _ := both(t, x, nil, func(x []float64, _ []int64) { Add(x, y, v) })
		for i := range x {
			if product := v * y[i]; got[i] != x[i]+float64(product) {
				t.Fatalf("%v + %v·%v is %v", x[i], v, y[i], got[i])
			}
		}
	}
}
