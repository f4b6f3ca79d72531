package calibration

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Point is a place on a curve, whatever its type is called.
type Point interface{ ~struct{ X, Y float64 } }

// JoinPoints returns X:Y,X:Y.
func JoinPoints[P Point](points []P) string {
	var parts []string
	for _, point := range points {
		p := struct{ X, Y float64 }(point)
		parts = append(parts, strconv.FormatFloat(p.X, 'g', -1, 64)+":"+strconv.FormatFloat(p.Y, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// ParsePoints reads what [JoinPoints] returns.
func ParsePoints[P Point](s string) ([]P, error) {
	var points []P
	for part := range strings.SplitSeq(s, ",") {
		x, y, _ := strings.Cut(part, ":")
		var p struct{ X, Y float64 }
		var err error
		if p.X, err = strconv.ParseFloat(x, 64); err == nil {
			p.Y, err = strconv.ParseFloat(y, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no point: want X:Y", part)
		}
		points = append(points, P(p))
	}
	return points, nil
}

// CheckPoints returns an error unless X rises, and Y, which is between 0 and 1, does not fall.
func CheckPoints[P Point](curve []P) error {
	var last struct{ X, Y float64 }
	for i, point := range curve {
		p := struct{ X, Y float64 }(point)
		if math.IsNaN(p.X) || math.IsInf(p.X, 0) || !(p.Y > 0 && p.Y < 1) {
			return fmt.Errorf("point %v:%v: want a number and one between 0 and 1", p.X, p.Y)
		}
		if i > 0 && !(last.X < p.X && last.Y <= p.Y) {
			return fmt.Errorf("point %v:%v does not rise", p.X, p.Y)
		}
		last = p
	}
	return nil
}

// Interpolate returns the curve's Y at x: linear between the points, and constant beyond them.
func Interpolate[P Point](curve []P, x float64) float64 {
	i, _ := slices.BinarySearchFunc(curve, x, func(point P, x float64) int {
		return cmp.Or(cmp.Compare(struct{ X, Y float64 }(point).X, x), 1)
	})
	at := func(i int) struct{ X, Y float64 } { return struct{ X, Y float64 }(curve[i]) }
	switch {
	case i == 0:
		return at(0).Y
	case i == len(curve):
		return at(i - 1).Y
	}
	a, b := at(i-1), at(i)
	return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)
}

// PowerOf returns the power that a distribution is raised to, given ln P of each class: by a curve
// that gives the most probable class its probability by its log-odds or, if that is empty, by a temperature.
func PowerOf[P Point](curve []P, temperature float64, logP []float64) float64 {
	if len(logP) < 2 {
		return 1
	}
	if len(curve) == 0 {
		return 1 / temperature
	}
	odds := LogOdds(logP)
	if math.IsInf(odds, 0) || odds == 0 {
		return 1
	}
	p := Interpolate(curve, odds)
	return Power(logP, math.Log(p)-math.Log1p(-p))
}

// Threshold returns the highest X of the points that leave out at most the share, which is in Y, and false if
// none does.
func Threshold[P Point](curve []P, share float64) (x float64, ok bool) {
	i, _ := slices.BinarySearchFunc(curve, share, func(point P, share float64) int {
		if struct{ X, Y float64 }(point).Y <= share*(1+1e-9) {
			return -1
		}
		return 1
	})
	if i == 0 {
		return 0, false
	}
	return struct{ X, Y float64 }(curve[i-1]).X, true
}
