package doubledouble

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func exact(a Number) *big.Float {
	f := new(big.Float).SetPrec(2000).SetFloat64(a.Hi)
	return f.Add(f, new(big.Float).SetFloat64(a.Lo))
}

// near reports whether a is want to a part in 2^100 of scale.
func near(a Number, want, scale *big.Float) bool {
	d := exact(a)
	d.Sub(d, want).Abs(d)
	limit := new(big.Float).SetMantExp(new(big.Float).Abs(scale), -100)
	return d.Cmp(limit) <= 0
}

func TestArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Number {
			hi := math.Ldexp(float64(rapid.Int64().Draw(t, name)), rapid.IntRange(-100, 100).Draw(t, "exponent"))
			return Of(hi).Add(Of(hi * math.Ldexp(float64(rapid.Int32().Draw(t, name+" low")), -84)))
		}
		a, b := draw("a"), draw("b")
		x, y := exact(a), exact(b)
		larger := new(big.Float).Abs(x)
		if z := new(big.Float).Abs(y); z.Cmp(larger) > 0 {
			larger = z
		}
		if got, want := a.Add(b), new(big.Float).SetPrec(2000).Add(x, y); !near(got, want, larger) {
			t.Fatalf("%v + %v = %v", a, b, got)
		}
		product := new(big.Float).SetPrec(2000).Mul(x, y)
		if got := a.Mul(b); !near(got, product, product) {
			t.Fatalf("%v · %v = %v", a, b, got)
		}
		if b.Hi != 0 {
			quotient := new(big.Float).SetPrec(2000).Quo(x, y)
			if got := a.Div(b); !near(got, quotient, quotient) {
				t.Fatalf("%v / %v = %v", a, b, got)
			}
		}
	})
}

// Whole numbers add and subtract exactly, in any order, while their sums are below 2^106.
func TestWholeNumbersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int64Range(-1<<48, 1<<48), 0, 1<<10).Draw(t, "list")
		var sum Number
		for _, n := range list {
			v := Of(float64(n))
			sum = sum.Add(v.Mul(v))
		}
		for i := range list {
			v := Of(float64(list[len(list)-1-i]))
			sum = sum.Sub(v.Mul(v))
		}
		if sum != (Number{}) {
			t.Fatalf("a sum less its parts is %v", sum)
		}
	})
}
