// Package rows adds rows of one matrix to rows of another.
package rows

// A Cell says that row From of a matrix is added to row To of another.
type Cell struct{ To, From int32 }

// Add adds, for each cell, v times the difference of row From of matrix and base to row
// To of acc. Rows are len(base) long, and each that a cell names must exist. Products
// are rounded before they are added, on every machine.
func Add(acc, matrix, base []float64, cells []Cell, v float64) {
	if len(cells) == 0 {
		return
	}
	done := addVectors(acc, matrix, base, cells, v)
	width := len(base)
	if done == width {
		return
	}
	for _, c := range cells {
		to := acc[int(c.To)*width:][done:width]
		from := matrix[int(c.From)*width:][done:width]
		for i, b := range base[done:] {
			to[i] += float64(v * (from[i] - b))
		}
	}
}
