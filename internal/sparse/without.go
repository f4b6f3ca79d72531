package sparse

import (
	"slices"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
)

// Examples are analyzed examples whose features are rows of one matrix.
type Examples struct {
	Classes   []int32   // of each example
	Weights   []float64 // of each example; nil if all are 1
	Entries   [][]Entry // of each example
	Threshold float64   // the value above which a feature is present
}

// Each calls f with the entries of some examples, in their order. It reads the entries of the
// next examples ahead, so that their cache misses overlap.
func (x *Examples) Each(members []int, f func(i int, list []Entry)) {
	const ahead = 32
	for batch := range slices.Chunk(members, ahead) {
		x.touch(batch)
		for _, i := range batch {
			f(i, x.Entries[i])
		}
	}
}

// touch reads the first and the last entry of each of some examples.
//
//go:noinline
func (x *Examples) touch(members []int) (all int32) {
	for _, i := range members {
		if list := x.Entries[i]; len(list) > 0 {
			all |= list[0].Number | list[len(list)-1].Number
		}
	}
	return all
}

// moments returns what an occurrence counts.
func (x *Examples) moments(o occurrence) Moments {
	w := 1.0
	if x.Weights != nil {
		w = x.Weights[o.example]
	}
	return x.momentsOf(w, o.value)
}

// momentsOf returns what a value of an example of weight w counts.
func (x *Examples) momentsOf(w, value float64) Moments {
	m := Moments{Examples: 1, Sum: w * value}
	if value > x.Threshold {
		m.Present = w
	}
	return m
}

// An occurrence is an example that has a feature, its class, and the value.
type occurrence struct {
	example, class int32
	value          float64
}

// A Workspace is the memory of one subtraction. The next one uses it again, since memory that
// is new costs more than the subtraction.
type Workspace struct {
	rows  [][]Cell
	cells []Cell
	list  []occurrence
	ends  []int32
}

// Without returns t without some of the examples that were added to it, given how many classes
// there are. It shares with t the index and the rows of features that none of these examples
// has. It must not be changed, and is valid until space is used again.
func (t *Table) Without(x *Examples, members []int, classes int, space *Workspace) *Table {
	rest := &Table{Index: t.Index, Rows: Reuse(&space.rows, len(t.Rows)), Live: t.Live, Cells: slices.Clone(t.Cells)}
	copy(rest.Rows, t.Rows)
	// Each row is subtracted from once: occurrences are sorted by feature, and those of one
	// feature are added up by class first.
	list, ends := x.byFeature(len(t.Rows), members, space)
	rest.Arena = Reuse(&space.cells, t.cellsOf(ends))
	sums := make([]Moments, classes)
	from := int32(0)
	for i := range ends {
		if i%intern.Batch == 0 {
			prefetch.First(t.Rows[i:min(i+intern.Batch, len(ends))])
		}
		to := ends[i]
		if from == to {
			continue
		}
		for _, o := range list[from:to] {
			sums[o.class].Add(x.moments(o), +1)
		}
		rest.Rows[i] = rest.subtract(t.Rows[i], sums)
		from = to
	}
	return rest
}

// cellsOf returns how many cells the rows have together that have occurrences, given where those of each end.
func (t *Table) cellsOf(ends []int32) (cells int) {
	from := int32(0)
	for i, to := range ends {
		if from != to {
			cells += len(t.Rows[i])
		}
		from = to
	}
	return cells
}

// subtract returns a row of another table, less the sums by class, which it clears.
func (t *Table) subtract(row []Cell, sums []Moments) []Cell {
	rest := t.Allocate(len(row))
	for _, c := range row {
		if sum := &sums[c.Class]; sum.Examples > 0 {
			c.Moments.Add(*sum, -1)
			if *sum = (Moments{}); c.Gone() {
				t.CountCells(int(c.Class), -1)
				continue
			}
		}
		rest = append(rest, c)
	}
	if len(rest) == 0 {
		t.Live--
	}
	return rest
}

// byFeature returns the occurrences of features in some examples, sorted by feature, and where
// those of each of n features end. It is a counting sort: the first pass counts, the second
// puts each occurrence where its feature's next one belongs.
func (x *Examples) byFeature(n int, members []int, space *Workspace) (list []occurrence, ends []int32) {
	ends = Reuse(&space.ends, n)
	clear(ends)
	total := int32(0)
	x.Each(members, func(_ int, list []Entry) {
		for _, e := range list {
			if e.Number > 0 {
				ends[e.Number-1]++
				total++
			}
		}
	})
	list = Reuse(&space.list, int(total))
	at := int32(0)
	for i, n := range ends {
		ends[i] = at // where the feature begins; the second pass moves it to where it ends
		at += n
	}
	var rows, places [intern.Batch]int32
	x.Each(members, func(i int, entries []Entry) {
		for part := range slices.Chunk(entries, intern.Batch) {
			// Both look-ups, of the feature's place and of the occurrence there, miss the
			// caches, so each is asked for a stage ahead.
			for j, e := range part {
				rows[j] = e.Number - 1
			}
			prefetch.Elements(ends, rows[:len(part)])
			for j, e := range part {
				if e.Number > 0 {
					places[j] = ends[e.Number-1]
					ends[e.Number-1]++
				}
			}
			prefetch.Elements(list, places[:len(part)])
			for j, e := range part {
				if e.Number > 0 {
					list[places[j]] = occurrence{int32(i), x.Classes[i], e.Value}
				}
			}
		}
	})
	return list, ends
}
