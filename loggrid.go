package bayes

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// A logGrid gives ln(n + α) for many α at once.
type logGrid struct {
	alphas []float64
	small  []float64     // of each n from 0, then by α; filled when first asked for
	filled []atomic.Bool // by row
	mu     sync.Mutex
}

// maxGrid bounds the whole n that a logGrid has at hand.
const maxGrid = 1 << 18

func newLogGrid(alphas []float64, size int) *logGrid {
	return &logGrid{alphas: alphas, small: make([]float64, size*len(alphas)), filled: make([]atomic.Bool, size)}
}

// row returns ln(i + α) for each α.
func (g *logGrid) row(i int) []float64 {
	k := len(g.alphas)
	row := g.small[i*k : i*k+k : i*k+k]
	if !g.filled[i].Load() {
		g.fill(row, i)
	}
	return row
}

func (g *logGrid) fill(row []float64, i int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.filled[i].Load() {
		g.append(row[:0], float64(i))
		g.filled[i].Store(true)
	}
}

func (g *logGrid) append(dst []float64, n float64) []float64 {
	for _, a := range g.alphas {
		dst = append(dst, math.Log(n+a))
	}
	return dst
}

// logRows are the rows of a logGrid, for one goroutine, and those of any other n.
type logRows struct {
	grid    *logGrid
	scratch [4][]float64 // for the rows that are not in the grid, in turn
	turn    int
}

// at returns ln(n + α) for each α. Rounding may leave n a little below zero. Of rows
// that are not in the grid, the four latest are valid.
func (r *logRows) at(n float64) []float64 {
	n = max(n, 0)
	if i := int(n); i < len(r.grid.filled) && float64(i) == n {
		return r.grid.row(i)
	}
	r.turn = (r.turn + 1) % len(r.scratch)
	row := r.grid.append(r.scratch[r.turn][:0], n)
	r.scratch[r.turn] = row
	return row
}

// grids are the logGrids of the groups of one run.
type grids struct {
	size int // beyond the largest n
	mu   sync.Mutex
	list []*logGrid
}

// newGrids returns grids for the counts of c and of parts of it.
func newGrids(c *Counts) *grids {
	var most float64
	for _, cl := range c.classes {
		most += cl.weight
	}
	for _, row := range c.blocks[0].table.rows {
		var all float64
		for i := range row {
			all += row[i].Sum
		}
		most = max(most, all)
	}
	return &grids{size: int(min(most+2, maxGrid))}
}

func (g *grids) of(alphas []float64) *logGrid {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, grid := range g.list {
		if slices.Equal(grid.alphas, alphas) {
			return grid
		}
	}
	grid := newLogGrid(alphas, g.size)
	g.list = append(g.list, grid)
	return grid
}
