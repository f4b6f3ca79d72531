//go:build !amd64

package rows

// addVectors adds those columns that vector instructions can take, of which there are
// none, and returns how many they are.
func addVectors(acc, matrix, base []float64, cells []Cell, v float64) int { return 0 }
