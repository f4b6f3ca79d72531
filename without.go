package bayes

import (
	"slices"

	"bayes/internal/intern"
	"bayes/internal/prefetch"
	"bayes/internal/sparse"
	"bayes/internal/sweep"
)

// A part is what remains of a corpus without a fold.
type part struct {
	counts *Counts
	idf    []float64 // of its terms, if the corpus is weighted by it
}

// A workspace is memory of a fold that the next one uses again, since what the system hands
// out anew costs more.
type workspace struct {
	rows  [][]cell
	cells []cell
	list  []featureOccurrence
	ends  []int32
	grid  sweep.Workspace
}

// without returns all examples but those of a fold, by subtraction; and, since
// no weight by document frequency can be subtracted, weighs them anew if need
// be. What it returns must not be changed.
func (c *Corpus) without(fold []int, f int, members []int, space *workspace) part {
	counts := c.less(members, space)
	if !c.idf {
		return part{counts, nil}
	}
	return part{c.weighted(counts, func(i int) bool { return fold[i] != f }), counts.frequencies()}
}

// less returns the counts of all examples but some.
func (c *Corpus) less(members []int, space *workspace) *Counts {
	if len(c.total.blocks) > 1 {
		counts, plain := c.total.copied(), c.plain()
		var x features
		for _, i := range members {
			plain.fill(i, &x, nil)
			counts.countFeatures(&x, c.Label(i), c.weightOf(i), -1)
		}
		return counts
	}
	counts := c.total.classedAlike(c.total.space)
	copy(counts.classes, c.total.classes)
	for _, i := range members {
		counts.classes[c.labels[i]].add(tally{1, c.weightOf(i)}, -1)
	}
	counts.blocks[0].table = c.lessTable(members, space)
	return counts
}

// A featureOccurrence is an example that has a feature, its class, and the value.
type featureOccurrence struct {
	example, class int32
	value          float64
}

// lessTable returns the table of the main text without some examples. Rows that none of
// them has are shared.
func (c *Corpus) lessTable(members []int, space *workspace) *sparse.Table {
	all := c.total.blocks[0].table
	t := &sparse.Table{Index: all.Index, Rows: sparse.Reuse(&space.rows, len(all.Rows)), Live: all.Live, Cells: slices.Clone(all.Cells)}
	copy(t.Rows, all.Rows)
	cells := 0
	for _, n := range all.Cells {
		cells += n
	}
	t.Arena = sparse.Reuse(&space.cells, cells)
	list, ends := c.byFeature(members, space)
	sums := make([]moments, len(c.total.classes)) // of a feature
	from := int32(0)
	for i := range ends {
		if i%intern.Stage == 0 {
			prefetch.First(all.Rows[i:min(i+intern.Stage, len(ends))])
		}
		to := ends[i]
		if from == to {
			continue
		}
		for _, o := range list[from:to] {
			sums[o.class].Add(c.momentsOf(o), +1)
		}
		t.Rows[i] = lessRow(t, all.Rows[i], sums)
		from = to
	}
	return t
}

// lessRow allocates, in t, row of another table less what is given by class, and clears that.
func lessRow(t *sparse.Table, row []cell, sums []moments) []cell {
	rest := t.Allocate(len(row))
	for _, c := range row {
		if sum := &sums[c.Class]; sum.Examples > 0 {
			c.Moments.Add(*sum, -1)
			if *sum = (moments{}); c.Gone() {
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

// byFeature returns where features occur in some examples, feature by feature, and where
// those of each end.
func (c *Corpus) byFeature(members []int, space *workspace) (list []featureOccurrence, ends []int32) {
	ends = sparse.Reuse(&space.ends, len(c.total.blocks[0].table.Rows))
	clear(ends)
	n := int32(0)
	c.eachEntry(members, func(_ int, list []entry) {
		for _, e := range list {
			if e.Number > 0 {
				ends[e.Number-1]++
				n++
			}
		}
	})
	list = sparse.Reuse(&space.list, int(n))
	at := int32(0)
	for i, n := range ends {
		ends[i] = at
		at += n
	}
	var numbers, places [intern.Stage]int32
	c.eachEntry(members, func(i int, entries []entry) {
		for part := range slices.Chunk(entries, intern.Stage) {
			for j, e := range part {
				numbers[j] = e.Number - 1
			}
			prefetch.Elements(ends, numbers[:len(part)])
			for j, e := range part {
				if e.Number > 0 {
					places[j] = ends[e.Number-1]
					ends[e.Number-1]++
				}
			}
			prefetch.Elements(list, places[:len(part)])
			for j, e := range part {
				if e.Number > 0 {
					list[places[j]] = featureOccurrence{int32(i), c.labels[i], e.Value}
				}
			}
		}
	})
	return list, ends
}

// eachEntry calls f for the entries of some examples. It reads ahead, so that memory
// answers many questions at once.
func (c *Corpus) eachEntry(members []int, f func(i int, list []entry)) {
	const ahead = 32
	for batch := range slices.Chunk(members, ahead) {
		c.touch(batch)
		for _, i := range batch {
			f(i, c.list[i])
		}
	}
}

// touch reads the first and the last entry of each of some examples.
//
//go:noinline
func (c *Corpus) touch(members []int) (all int32) {
	for _, i := range members {
		if list := c.list[i]; len(list) > 0 {
			all |= list[0].Number | list[len(list)-1].Number
		}
	}
	return all
}

// momentsOf returns what an occurrence counts.
func (c *Corpus) momentsOf(o featureOccurrence) moments {
	w := c.weightOf(int(o.example))
	m := moments{Examples: 1, Sum: w * o.value}
	if o.value > c.space.Threshold {
		m.Present = w
	}
	return m
}

// plain returns c without what idf and norm do.
func (c *Corpus) plain() *Corpus {
	p := *c
	p.idf, p.norm = false, NoNorm
	return &p
}
