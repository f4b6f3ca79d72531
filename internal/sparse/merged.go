package sparse

import "slices"

// Merged returns r with a cell for each of some new classes, which is the sum of those of the old classes that it is
// made of: an old class is part of those in of, by its number, rising.
func (r *Rows) Merged(classes int, of [][]int) Rows {
	var (
		rows  = make([][]Cell, r.Len())
		sums  = make([]Moments, classes)
		found []int
		arena []Cell
	)
	for i, row := range r.All() {
		for _, c := range row {
			for _, k := range of[c.Class] {
				if sums[k] == (Moments{}) {
					found = append(found, k)
				}
				sums[k].Add(c.Moments, +1)
			}
		}
		slices.Sort(found)
		found = slices.Compact(found) // a sum may have been zero in between
		if len(arena)+len(found) > cap(arena) {
			arena = make([]Cell, 0, max(1<<12, len(found)))
		}
		start := len(arena)
		for _, k := range found {
			arena = append(arena, Cell{Class: int32(k), Moments: sums[k]})
			sums[k] = Moments{}
		}
		rows[i], found = arena[start:len(arena):len(arena)], found[:0]
	}
	return RowsOf(rows)
}
