package weightfile

import (
	"fmt"
	"math"
)

// SetScales makes t read from b what the value of each term is multiplied by, a float32.
func (t *Table) SetScales(b []byte) error {
	if len(b)%4 != 0 || len(b)/4 != t.terms {
		return fmt.Errorf("%d bytes for %d features", len(b), t.terms)
	}
	t.scales = b
	return nil
}

// CheckScales returns an error unless all scales are above zero.
func (t *Table) CheckScales() error {
	for at := 0; at < len(t.scales); at += 4 {
		if v := float64(Float32At(t.scales[at:])); !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("the scale of term %d is not above zero", at/4)
		}
	}
	return nil
}

// Scale returns what the value of a term is multiplied by.
func (t *Table) Scale(number int) float64 { return float64(Float32At(t.scales[4*number:])) }
