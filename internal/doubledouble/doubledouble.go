// Package doubledouble adds and multiplies numbers of twice float64's precision, about 32
// decimal digits (Dekker 1971; Shewchuk 1997).
package doubledouble

import "math"

// A Number is Hi + Lo, where Lo is at most half a unit in the last place of Hi.
// The zero Number is zero.
type Number struct{ Hi, Lo float64 }

// Of returns v.
func Of(v float64) Number { return Number{Hi: v} }

// Float returns the float64 nearest to a.
func (a Number) Float() float64 { return a.Hi + a.Lo }

// Neg returns -a.
func (a Number) Neg() Number { return Number{-a.Hi, -a.Lo} }

// Add returns a + b.
func (a Number) Add(b Number) Number {
	s, e := twoSum(a.Hi, b.Hi)
	t, f := twoSum(a.Lo, b.Lo)
	s, e = fastTwoSum(s, e+t)
	return normal(s, e+f)
}

// Sub returns a - b.
func (a Number) Sub(b Number) Number { return a.Add(b.Neg()) }

// Mul returns a · b. Products are rounded before they are added, or else architectures that
// multiply and add at once would have other last digits.
func (a Number) Mul(b Number) Number {
	p := float64(a.Hi * b.Hi)
	e := math.FMA(a.Hi, b.Hi, -p)
	return normal(p, e+(float64(a.Hi*b.Lo)+float64(a.Lo*b.Hi)))
}

// Div returns a / b to about float64's precision twice over.
func (a Number) Div(b Number) Number {
	q := a.Hi / b.Hi
	r := a.Sub(b.Mul(Of(q)))
	return normal(q, r.Float()/b.Hi)
}

// twoSum returns a + b and its rounding error, which is exact.
func twoSum(a, b float64) (sum, err float64) {
	sum = a + b
	v := sum - a
	return sum, (a - (sum - v)) + (b - v)
}

// fastTwoSum is twoSum where |a| is at least |b|.
func fastTwoSum(a, b float64) (sum, err float64) {
	sum = a + b
	return sum, b - (sum - a)
}

// normal returns a + b with its parts apart. An overflow has no rest.
func normal(a, b float64) Number {
	hi, lo := fastTwoSum(a, b)
	if math.IsNaN(lo) {
		lo = 0
	}
	return Number{hi, lo}
}

// A Sum adds up float64s with the rounding error kept aside, so that the order
// of adding practically never shows in the result (Knuth, The Art of Computer
// Programming 2, 4.2.2, theorem B). The zero Sum is zero.
type Sum struct{ total, rest float64 }

// Add adds v.
func (s *Sum) Add(v float64) {
	t, e := twoSum(s.total, v)
	s.total = t
	s.rest += e
}

// Float returns the sum.
func (s *Sum) Float() float64 { return s.total + s.rest }
