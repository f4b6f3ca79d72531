package dataset

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"bayes/internal/lazyregexp"
)

// maxMagnitude is the largest number and the largest weight: the squares of larger ones,
// and sums of the squares, overflow.
const maxMagnitude = 1e150

// ParseNumber reads a number as a cell of a numeric column has it: finite, of at most 1e150, and
// with a decimal point. A decimal comma is an error, whose hint says what would be read: "1,234"
// is two numbers in two countries.
func ParseNumber(s string) (float64, error) { return parseFinite([]byte(s)) }

// parseFinite reads a number between -maxMagnitude and maxMagnitude.
func parseFinite(b []byte) (float64, error) {
	v, err := strconv.ParseFloat(string(b), 64)
	switch {
	case err != nil, math.IsNaN(v), math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is not a finite number%s", quote(b), commaHint(b))
	case math.Abs(v) > maxMagnitude:
		return 0, fmt.Errorf("%s is beyond %g, the largest number that can be squared and summed", quote(b), maxMagnitude)
	}
	return v, nil
}

var (
	decimalComma   = lazyregexp.New(`^[+-]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+([eE][+-]?[0-9]+)?$`)
	thousandsComma = lazyregexp.New(`^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)
)

// commaHint returns how to write a number that has commas in it, empty if b is none.
func commaHint(b []byte) string {
	comma, point := []byte{','}, []byte{'.'}
	decimal := bytes.Replace(bytes.ReplaceAll(b, point, nil), comma, point, 1)
	whole := bytes.ReplaceAll(b, comma, nil)
	switch isDecimal, isWhole := decimalComma().Match(b), thousandsComma().Match(b); {
	case len(b) > 40:
	case isDecimal && isWhole:
		return fmt.Sprintf(" (hint: write %s if the comma is that of decimals, and %s if it is that of thousands)", decimal, whole)
	case isDecimal:
		return fmt.Sprintf(" (hint: decimals have a point, and thousands nothing: write %s)", decimal)
	case isWhole:
		return fmt.Sprintf(" (hint: thousands are not set apart: write %s)", whole)
	}
	return ""
}
