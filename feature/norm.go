package feature

import "fmt"

// A Norm is a way to measure the length of a feature vector. The zero Norm is none: vectors
// are left as they are.
type Norm string

// The norms.
const (
	L1 Norm = "l1" // the sum of the magnitudes
	L2 Norm = "l2" // the root of the sum of squares
)

// UnmarshalText reads none, l1 or l2. It implements [encoding.TextUnmarshaler].
func (n *Norm) UnmarshalText(name []byte) error {
	switch norm := Norm(name); norm {
	case L1, L2:
		*n = norm
	case "none":
		*n = ""
	default:
		return fmt.Errorf("unknown norm %q: want l1 or l2", name)
	}
	return nil
}
