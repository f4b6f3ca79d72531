package weightfile

import (
	"fmt"
	"math"
)

// SizeOfScales returns an error unless b has a scale for each of this many features, a float32.
func SizeOfScales(b []byte, features int) error {
	if len(b)%4 != 0 || len(b)/4 != features {
		return fmt.Errorf("%d bytes for %d features", len(b), features)
	}
	return nil
}

// CheckScales returns an error unless all scales are above zero.
func CheckScales(b []byte) error {
	for at := 0; at < len(b); at += 4 {
		if v := float64(Float32At(b[at:])); !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("the scale of term %d is not above zero", at/4)
		}
	}
	return nil
}
