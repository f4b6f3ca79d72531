package sparse

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Cells that are added together make the row that they make one by one.
func TestAddCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var together, oneByOne Table
		together.Rows, oneByOne.Rows = make([][]Cell, 1), make([][]Cell, 1)
		for range rapid.IntRange(1, 6).Draw(t, "times") {
			cells := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Cell {
				n := rapid.Int64Range(0, 2).Draw(t, "n")
				return Cell{Class: rapid.Int32Range(0, 40).Draw(t, "class"), Moments: Moments{Examples: n, Present: float64(n), Sum: float64(n * rapid.Int64Range(1, 3).Draw(t, "sum"))}}
			}), 0, 30).Draw(t, "cells")
			slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(a.Class, b.Class) })
			sign := rapid.SampledFrom([]float64{1, 1, -1}).Draw(t, "sign")
			together.AddCells(0, cells, sign)
			for _, c := range cells {
				oneByOne.Add(0, int(c.Class), c.Moments, sign)
			}
			trim := func(cells []int) []int {
				for len(cells) > 0 && cells[len(cells)-1] == 0 {
					cells = cells[:len(cells)-1]
				}
				return cells
			}
			if !slices.Equal(together.Rows[0], oneByOne.Rows[0]) || together.Live != oneByOne.Live || !slices.Equal(trim(together.Cells), trim(oneByOne.Cells)) {
				t.Fatalf("together %+v, one by one %+v", together.Rows, oneByOne.Rows)
			}
		}
	})
}

// What a table copies is not changed by a row that shares its end.
func TestAddCellsKeepsNeighbours(t *testing.T) {
	var table Table
	table.Rows = make([][]Cell, 2)
	cells := func(n int) (list []Cell) {
		for k := range n {
			list = append(list, Cell{Class: int32(2 * k), Moments: Moments{1, 1, 1}})
		}
		return list
	}
	table.AddCells(0, cells(6), +1)
	table.AddCells(1, cells(6), +1)
	second := slices.Clone(table.Rows[1])
	for k := range 9 {
		table.AddCells(0, []Cell{{Class: 1}, {Class: 3}, {Class: 5}, {Class: int32(20 + k), Moments: Moments{1, 1, 1}}, {Class: int32(40 + k), Moments: Moments{1, 1, 1}}}, +1)
	}
	if !reflect.DeepEqual(table.Rows[1], second) {
		t.Errorf("%+v, was %+v", table.Rows[1], second)
	}
}
