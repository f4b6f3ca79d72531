package sparse

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"testing"

	"pgregory.net/rapid"
)

// A sum has the sum of each cell, whatever numbers the classes have on either side, also if
// several become one.
func TestAddTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, want := drawTable(t)
		other, more := drawTable(t)
		number := rapid.SliceOfN(rapid.IntRange(0, 5), 6, 6).Draw(t, "number")
		if rapid.Bool().Draw(t, "permuted") {
			number = rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "number")
		}
		for _, sign := range []float64{1, -1, -1} {
			table.AddTable(other, number, sign)
			for i, row := range other.Rows { // in the order of classes: a cell may be gone in between
				for _, c := range row {
					var at spot
					fmt.Sscanf(string(other.Index.Bytes(i)), "t%d", &at.row)
					at.class = number[c.Class]
					sum := want[at]
					if sum.Add(c.Moments, sign); sum.Gone() {
						delete(want, at)
					} else {
						want[at] = sum
					}
				}
			}
			table.Rows = Lengthen(table.Rows, table.Index.Len())
			check(t, table, want)
			check(t, other, more)
		}
	})
}

// What is split has each row in one part: the one that the FNV-1a hash of the name says.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, want := drawTable(t)
		n := rapid.IntRange(1, 5).Draw(t, "n")
		sum := new(Table)
		for j, part := range table.Split(n) {
			for i := range part.Rows {
				h := fnv.New32a()
				h.Write(part.Index.Bytes(i))
				if int(h.Sum32()%uint32(n)) != j {
					t.Fatalf("part %d of %d has %s", j, n, part.Index.Bytes(i))
				}
				if k, ok := part.Index.Lookup(part.Index.Key(i), bytes.Clone(part.Index.Bytes(i))); !ok || k != i {
					t.Fatalf("%s is row %d of part %d, and is found as %d", part.Index.Bytes(i), i, j, k)
				}
			}
			sum.AddTable(part, []int{0, 1, 2, 3, 4, 5}, +1)
		}
		sum.Rows = Lengthen(sum.Rows, sum.Index.Len())
		check(t, sum, want)
		check(t, table, want)
	})
}
